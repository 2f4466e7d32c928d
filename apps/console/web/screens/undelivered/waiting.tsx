import type { UndeliveredReply } from '../../../src/contract/undelivered.ts';
import { Amounts } from '../../parts/amounts.tsx';
import { Card } from '../../parts/card.tsx';
import { Platform } from '../../parts/platform.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { undeliveredTexts } from './texts.ts';
import styles from './style.module.css';

/** What is still being delivered: apart, because nobody has to do anything. */
export const Waiting = ({ waiting }: Pick<UndeliveredReply, 'waiting'>) => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  const shown = waiting.filter(({ deliveries }) => deliveries > 0);
  if (shown.length === 0) return null;
  const all = shown.reduce((sum, { deliveries }) => sum + deliveries, 0);
  return (
    <Card title={texts.waiting}>
      <div className={styles.list}>
        <p className={styles.note}>{texts.waitingText(format.count(all))}</p>
        <ul>
          {shown.map(({ connectionId, platform, deliveries, money, isPartial }) => (
            <li key={connectionId} className={styles.line}>
              <Platform name={platform} />
              <span className={styles.small}>{texts.connection(connectionId)}</span>
              <span>{format.count(deliveries)}</span>
              <span className={styles.amount}>
                {isPartial && <span className={styles.small}>{texts.partial}</span>}
                <Amounts money={money} />
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
};
