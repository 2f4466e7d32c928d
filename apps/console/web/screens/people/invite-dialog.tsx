import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { InvitePersonInput } from '../../../src/contract/people.ts';
import { useApi } from '../../api/use-api.ts';
import { formText } from '../../form-text.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { Stack } from '../../parts/stack.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { AccessFields } from './access-fields.tsx';
import { NewLink } from './new-link.tsx';
import { invitePerson, peopleKey } from './queries.ts';
import { peopleTexts } from './texts.ts';
import { useAccess } from './use-access.ts';

/** Asks for the email, the role and the accounts; then shows the link, this once. */
export const InviteDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(peopleTexts);
  const api = useApi();
  const client = useQueryClient();
  const access = useAccess({ role: 'marketer', accounts: [] });
  const invite = useMutation({
    mutationFn: (input: InvitePersonInput) => invitePerson(api, input),
    // the link is nowhere but on the page
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: peopleKey }),
  });
  if (invite.data) return <NewLink invitation={invite.data} onClose={onClose} />;
  return (
    <Dialog
      title={texts.inviteTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" form="invite" isBusy={invite.isPending}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <form
        id="invite"
        onSubmit={(event) => {
          event.preventDefault();
          const given = access.submit();
          if (given) invite.mutate({ ...given, email: formText(new FormData(event.currentTarget), 'email') });
        }}
      >
        <Stack>
          <Field label={texts.email} name="email" type="email" maxLength={254} autoComplete="off" required data-focus />
          <AccessFields access={access} />
          {invite.error && <Failure error={invite.error} />}
        </Stack>
      </form>
    </Dialog>
  );
};
