import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ChangeAccessInput, Person } from '../../../src/contract/people.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Stack } from '../../parts/stack.tsx';
import { showToast } from '../../parts/toast.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { AccessFields } from './access-fields.tsx';
import { changeAccess, peopleKey } from './queries.ts';
import { peopleTexts } from './texts.ts';
import { useAccess } from './use-access.ts';

interface AccessDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
}

export const AccessDialog = ({ person: { id, email, role, accounts }, onClose }: AccessDialogProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(peopleTexts);
  const api = useApi();
  const client = useQueryClient();
  const access = useAccess({ role, accounts: accounts.map((account) => account.id) });
  const change = useMutation({
    mutationFn: (input: ChangeAccessInput) => changeAccess(api, id, input),
    onSuccess: () => {
      showToast(texts.changed(email));
      onClose();
      return client.invalidateQueries({ queryKey: peopleKey });
    },
  });
  return (
    <Dialog
      title={texts.changeTitle(email)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" form="access" isBusy={change.isPending}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form
        id="access"
        onSubmit={(event) => {
          event.preventDefault();
          const given = access.submit();
          const signsOut = new FormData(event.currentTarget).has('signsOut');
          if (given) change.mutate({ ...given, signsOut });
        }}
      >
        <Stack>
          <p>{texts.changeText}</p>
          <AccessFields access={access} />
          <label>
            <input type="checkbox" name="signsOut" /> {texts.alsoSignOut}
          </label>
          {change.error && <Failure error={change.error} />}
        </Stack>
      </form>
    </Dialog>
  );
};
