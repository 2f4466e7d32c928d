import type { CheckReply } from '../../../src/contract/connections.ts';
import { Badge } from '../../parts/badge.tsx';
import { classNames } from '../../parts/class-names.ts';
import { PlatformAnswer } from '../../parts/platform-answer.tsx';
import { type PlatformName, platformTitles } from '../../parts/platform.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { connectionTexts } from './texts.ts';

const tones: Readonly<Record<CheckReply['outcome'], 'good' | 'bad' | 'warn'>> = {
  delivered: 'good',
  rejected: 'bad',
  refused: 'bad',
  throttled: 'warn',
  unavailable: 'warn',
  postponed: 'warn',
};

interface CheckResultProps {
  readonly platform: PlatformName;
  readonly result: CheckReply;
}

/** What the platform answered to a test event, and what that means. */
export const CheckResult = ({ platform, result }: CheckResultProps) => {
  const texts = useTexts(connectionTexts);
  const { outcome, reason, httpStatus, answer, note, remedy } = result;
  const tone = tones[outcome];
  return (
    <div className={classNames(styles.result, styles[tone])} role="status">
      <p className={styles.head}>
        <Badge tone={tone}>{texts.outcomes[outcome]}</Badge>
        {httpStatus !== null && <code>HTTP {httpStatus}</code>}
      </p>
      <p>{texts.outcomeTexts[outcome](platformTitles[platform])}</p>
      {reason !== null && <q lang="en">{reason}</q>}
      {note !== null && <p lang="en">{note}</p>}
      {remedy !== null && <p lang="en">{remedy.words}</p>}
      {answer !== null && <PlatformAnswer title={texts.answer} answer={answer} isOpen={tone !== 'good'} />}
    </div>
  );
};
