import { useEffect, useRef } from 'react';
import type { StartedErasure } from '../../../src/contract/erasures.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './erasure.module.css';
import { erasureTexts } from './texts/index.ts';

const tones = { running: 'accent', failed: 'bad', nobody: 'warn' } as const;

/** Erasures that have left no receipt. One that leaves the list has left one. */
export const Started = ({ started }: { readonly started: readonly StartedErasure[] }) => {
  const texts = useTexts(erasureTexts);
  const running = useRef<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const ids = new Set(started.map(({ id }) => id));
    if ([...running.current].some((id) => !ids.has(id))) showToast(texts.doneToast);
    running.current = new Set(started.flatMap(({ id, state }) => (state === 'running' ? [id] : [])));
  }, [started, texts]);
  if (started.length === 0) return null;
  return (
    <Card title={texts.startedTitle}>
      <ul className={styles.started}>
        {started.map(({ id, state, by, startedBy, createdAt }) => (
          <li key={id}>
            <p className={styles.line}>
              <Badge tone={tones[state]}>{texts.states[state]}</Badge>
              <strong>
                #{id} · {texts.bys[by]}
              </strong>
              <span className={styles.soft}>
                <Time at={createdAt} look="ago" /> {texts.startedBy(startedBy)}
              </span>
            </p>
            <p className={styles.soft}>{texts.stateTexts[state]}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
};
