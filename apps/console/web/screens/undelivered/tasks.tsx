import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Task } from '../../../src/contract/undelivered.ts';
import { useApi } from '../../api/use-api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { tasksQuery } from './queries.ts';
import { undeliveredTexts } from './texts.ts';
import styles from './style.module.css';

const shownMax = 5;
const tones = { running: 'accent', done: 'good', failed: 'bad' } as const;

const TaskScope = ({ filter: { state, code, connectionId = 0, since } }: Pick<Task, 'filter'>) => {
  const texts = useTexts(undeliveredTexts);
  if (since !== undefined) return texts.since(connectionId, since);
  return state === undefined ? texts.everything : <code>{code || texts.states[state]}</code>;
};

const TaskLine = ({ task }: { readonly task: Task }) => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  const { state, filter, total, done, message, startedBy, createdAt } = task;
  return (
    <li className={styles.task}>
      <p className={styles.line}>
        <Badge tone={tones[state]}>{texts.taskStates[state]}</Badge>
        <strong>
          <TaskScope filter={filter} />
        </strong>
        <span>
          {total === null ? texts.soFar(format.count(done)) : texts.progress(format.count(done), format.count(total))}
        </span>
      </p>
      {state === 'running' && total === null && <progress aria-label={texts.tasks} />}
      {state === 'running' && total !== null && (
        <progress value={done} max={Math.max(total, done, 1)} aria-label={texts.tasks} />
      )}
      {message !== null && <p lang="en">{message}</p>}
      <p className={styles.small}>
        <Time at={createdAt} look="ago" /> {texts.by(startedBy)}
      </p>
    </li>
  );
};

/** What people asked to be retried in one account, with its progress. What a finished task changed is read again. */
export const Tasks = () => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const { data } = useQuery(tasksQuery(api, useAccountId()));
  const ended = useRef<ReadonlySet<number>>(undefined);
  useEffect(() => {
    if (!data) return;
    const known = ended.current;
    const now = data.items.filter(({ state }) => state !== 'running');
    ended.current = new Set(now.map(({ id }) => id));
    // a fast one may never have been in the list as running
    const finished = known ? now.filter(({ id }) => !known.has(id)) : [];
    for (const { state, done } of finished) if (state === 'done') showToast(texts.finished(format.count(done)));
    if (finished.length === 0) return;
    for (const key of ['undelivered', 'deliveries', 'overview']) void client.invalidateQueries({ queryKey: [key] });
  }, [data, client, format, texts]);
  const items = data?.items.slice(0, shownMax) ?? [];
  if (items.length === 0) return null;
  return (
    <Card title={texts.tasks}>
      <ul className={styles.list}>
        {items.map((task) => (
          <TaskLine key={task.id} task={task} />
        ))}
      </ul>
    </Card>
  );
};
