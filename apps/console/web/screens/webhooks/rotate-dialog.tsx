import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { rotateSecret } from './queries.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { webhooksTexts } from './texts.ts';
import styles from './style.module.css';

interface RotateDialogProps {
  readonly webhook: string;
  readonly onClose: () => void;
}

/** Explains the overlap before it changes the secret, and shows the new one, once. */
export const RotateDialog = ({ webhook, onClose }: RotateDialogProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(webhooksTexts);
  const format = useFormat();
  const api = useApi();
  const account = useAccountId();
  const rotate = useMutation({ mutationFn: () => rotateSecret(api, account, webhook) });
  if (rotate.data) {
    const { secret, previousUntil } = rotate.data;
    return (
      <SecretDialog title={texts.rotated} secret={secret} onClose={onClose}>
        <p>{texts.secretText}</p>
        <p>{texts.rotatedUntil(format.time(previousUntil))}</p>
      </SecretDialog>
    );
  }
  return (
    <Dialog
      title={texts.rotate}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
            {texts.rotateAction}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>{texts.rotateText}</p>
        {rotate.error && <Failure error={rotate.error} />}
      </div>
    </Dialog>
  );
};
