import { useMutation } from '@tanstack/react-query';
import type { Person } from '../../../src/contract/people.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Stack } from '../../parts/stack.tsx';
import { showToast } from '../../parts/toast.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { signOutPerson } from './queries.ts';
import { peopleTexts } from './texts.ts';

interface SignOutDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
}

/** For who has lost a device, and may sign in again. */
export const SignOutDialog = ({ person: { id, email }, onClose }: SignOutDialogProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(peopleTexts);
  const api = useApi();
  const signOut = useMutation({
    mutationFn: () => signOutPerson(api, id),
    onSuccess: () => {
      showToast(texts.signedOut(email));
      onClose();
    },
  });
  return (
    <Dialog
      title={texts.signOutTitle(email)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" isBusy={signOut.isPending} onClick={() => signOut.mutate()} data-focus>
            {texts.confirmSignOut}
          </Button>
        </>
      }
    >
      <Stack>
        <p>{texts.signOutText}</p>
        {signOut.error && <Failure error={signOut.error} />}
      </Stack>
    </Dialog>
  );
};
