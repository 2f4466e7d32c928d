import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import { connectionTexts } from './texts.ts';

interface PauseDialogProps {
  readonly waiting: number;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onPause: () => void;
  readonly onClose: () => void;
}

/** Says first what a pause means: some conversions are never reported. */
export const PauseDialog = ({ waiting, error, isBusy, onPause, onClose }: PauseDialogProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(connectionTexts);
  const format = useFormat();
  return (
    <Dialog
      title={texts.pauseTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} data-focus>
            {common.cancel}
          </Button>
          <Button look="primary" isBusy={isBusy} onClick={onPause}>
            {texts.pause}
          </Button>
        </>
      }
    >
      <div className={styles.said}>
        <p>{texts.pauseWaiting(format.count(waiting))}</p>
        <p className={styles.warning}>{texts.pauseLoses}</p>
        {error && <Failure error={error} />}
      </div>
    </Dialog>
  );
};
