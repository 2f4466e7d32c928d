import { useEffect, useRef } from 'react';
import type { Receipt, StartedErasure } from '../../../src/contract/erasures.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './erasure.module.css';
import { erasureTexts } from './texts/index.ts';

const tones = { pending: 'accent', failed: 'bad' } as const;

interface StartedProps {
  readonly started: readonly StartedErasure[];
  readonly receipts: readonly Receipt[];
}

const isAnyone = ({ clients, leads, importedRows, listedRows }: Receipt): boolean =>
  clients + leads + importedRows + listedRows > 0;

/** Erasures that have left no receipt. One that leaves the list has left one. */
export const Started = ({ started, receipts }: StartedProps) => {
  const texts = useTexts(erasureTexts);
  const pending = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const done = receipts.find(({ id }) => pending.current.has(id));
    if (done) showToast(isAnyone(done) ? texts.doneToast : texts.nobodyToast);
    pending.current = new Set(started.flatMap(({ id, state }) => (state === 'pending' ? [id] : [])));
  }, [started, receipts, texts]);
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
