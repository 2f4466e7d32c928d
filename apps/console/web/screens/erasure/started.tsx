import type { StartedErasure } from '../../../src/contract/erasures.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { erasureTexts } from './texts.ts';

const tones = { pending: 'accent', failed: 'bad' } as const;

/** Erasures that have left no receipt. One that leaves the list has left one. */
export const Started = ({ started }: { readonly started: readonly StartedErasure[] }) => {
  const texts = useTexts(erasureTexts);
  if (started.length === 0) return null;
  return (
    <Card title={texts.startedTitle}>
      <ul className={styles.started}>
        {started.map(({ id, state, by, actor, requestedAt }) => (
          <li key={id}>
            <p className={styles.line}>
              <Badge tone={tones[state]}>{texts.states[state]}</Badge>
              <strong>
                {texts.bys[by]} · {id}
              </strong>
              <span className={styles.soft}>
                <Time at={requestedAt} look="ago" /> {texts.startedBy(actor)}
              </span>
            </p>
            <p className={styles.soft}>{texts.stateTexts[state]}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
};
