import type { CheckReply } from '../../../src/contract/connections.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Platform, type PlatformName, platformTitles } from '../../parts/platform.tsx';
import { useTexts } from '../../text/language.tsx';
import { CheckResult } from './check-result.tsx';
import styles from './style.module.css';
import { connectionTexts } from './texts.ts';
import { Wrong } from './wrong.tsx';

interface CheckedProps {
  readonly platform: PlatformName;
  readonly result: CheckReply;
  readonly error: Error | null;
  readonly isChecking: boolean;
  readonly isConnecting: boolean;
  readonly onBack: () => void;
  readonly onCheck: () => void;
  readonly onConnect: () => void;
}

/** The last step: the platform's answer, and the button that connects. */
export const Checked = ({ platform, result, error, ...others }: CheckedProps) => {
  const texts = useTexts(connectionTexts);
  const isWorking = result.outcome === 'delivered';
  return (
    <Card title={<Platform name={platform} />}>
      <div className={styles.body}>
        <CheckResult platform={platform} result={result} />
        <p>{isWorking ? texts.connectNow : texts.connectAnyway}</p>
        {error && <Wrong error={error} />}
        <div className={styles.buttons}>
          <Button icon="left" onClick={others.onBack}>
            {texts.backToSettings}
          </Button>
          <Button icon="retry" isBusy={others.isChecking} onClick={others.onCheck}>
            {texts.checkAgain}
          </Button>
          <Button look={isWorking ? 'primary' : 'plain'} isBusy={others.isConnecting} onClick={others.onConnect}>
            {texts.activate(platformTitles[platform])}
          </Button>
        </div>
      </div>
    </Card>
  );
};
