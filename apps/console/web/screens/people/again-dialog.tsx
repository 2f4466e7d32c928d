import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Person } from '../../../src/contract/people.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Stack } from '../../parts/stack.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { NewLink } from './new-link.tsx';
import { inviteAgain, peopleKey } from './queries.ts';
import { peopleTexts } from './texts.ts';

interface AgainDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
}

/** A new link: for who has lost the phone, whose link has expired, or who was disabled. */
export const AgainDialog = ({ person: { id, email, state }, onClose }: AgainDialogProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(peopleTexts);
  const api = useApi();
  const client = useQueryClient();
  const again = useMutation({
    mutationFn: () => inviteAgain(api, id),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: peopleKey }),
  });
  if (again.data) return <NewLink invitation={again.data} onClose={onClose} />;
  return (
    <Dialog
      title={texts.againTitle(email)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" isBusy={again.isPending} onClick={() => again.mutate()} data-focus>
            {texts.submit}
          </Button>
        </>
      }
    >
      <Stack>
        {state === 'disabled' && <p>{texts.enableText}</p>}
        <p>{texts.againText}</p>
        {again.error && <Failure error={again.error} />}
      </Stack>
    </Dialog>
  );
};
