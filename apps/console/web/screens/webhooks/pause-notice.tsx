import type { Webhook } from '../../../src/contract/webhooks.ts';
import { useMay } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useTexts } from '../../text/language.tsx';
import { webhooksTexts } from './texts.ts';
import { useChange } from './use-change.ts';
import { usePauseWords } from './webhook-state.tsx';
import styles from './style.module.css';

/** Why a webhook is told of nothing, and the way on. */
export const PauseNotice = ({ webhook }: { readonly webhook: Webhook }) => {
  const texts = useTexts(webhooksTexts);
  const mayManage = useMay('manage-webhooks');
  const resume = useChange(webhook.id, texts.resumed);
  const words = usePauseWords()(webhook);
  if (words === null) return null;
  return (
    <div className={styles.notice} role="status">
      <div>
        <p>{words}</p>
        <p>{texts.pausedMeans}</p>
      </div>
      {mayManage && (
        <Button look="primary" isBusy={resume.isPending} onClick={() => resume.mutate({ state: 'active' })}>
          {texts.resume}
        </Button>
      )}
      {resume.error && <Failure error={resume.error} />}
    </div>
  );
};
