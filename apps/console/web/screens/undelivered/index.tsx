import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { RetryFilter, Task, UndeliveredGroup, UndeliveredReply } from '../../../src/contract/undelivered.ts';
import { useApi, useMay } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Loaded, ScreenHead } from '../../parts/layout.tsx';
import { Empty, showToast } from '../../parts/notices.tsx';
import { calledAs, Platform, titleOf } from '../../parts/platform.tsx';
import { ReasonTitle, ReasonWords, useReason } from '../../reason/reason.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Amounts, Badge, Time } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { attentionQuery, tasksQuery, undeliveredQuery } from './queries.ts';
import { RetryDialog } from './retry-dialog.tsx';
import styles from './style.module.css';
import { undeliveredTexts } from './texts.ts';

const tones = { failed: 'bad', skipped: 'warn', delivered: 'warn' } as const;

/** The group in one line: `Meta · Failed · HTTP 400`. */
const useGroupName = (): ((group: UndeliveredGroup) => string) => {
  const texts = useTexts(undeliveredTexts);
  const reasonOf = useReason();
  return ({ platform, state, code }) =>
    [titleOf(platform), texts.states[state], code === 'other' ? texts.otherReason : (reasonOf(code)?.title ?? code)]
      .filter((word) => word !== '')
      .join(' · ');
};

/** Why the deliveries of a group were lost, and what helps. */
const LostBecause = ({ group }: { readonly group: UndeliveredGroup }) => {
  const texts = useTexts(undeliveredTexts);
  const account = useAccountId();
  const reasonOf = useReason();
  const { platform, connectionId, connectionState, state, code, example } = group;
  return (
    <div className={styles.reason}>
      <p className="line">
        <Platform name={platform} />
        <Badge tone={tones[state]}>{texts.states[state]}</Badge>
        {connectionState !== 'active' && <Badge tone="accent">{texts.connectionStates[connectionState]}</Badge>}
        <span className="small">
          {calledAs(group)} · {texts.connection(connectionId)}
        </span>
      </p>
      {code !== '' && (
        <p className={styles.code}>
          {code === 'other' ? texts.otherReason : <ReasonTitle code={code} platform={platform} />}
        </p>
      )}
      <ReasonWords code={code} platform={platform} />
      {example !== null && example !== code && (
        <details className={styles.example} open={reasonOf(code) === undefined}>
          <summary>{texts.platformWords}</summary>
          <q lang="en">{example}</q>
        </details>
      )}
      {state !== 'delivered' && (
        <Link
          to="/a/$account/deliveries"
          params={{ account }}
          search={{ platform, connection: connectionId, state, code: code === 'other' ? undefined : code }}
          className={styles.link}
          data-open
        >
          {texts.showDeliveries}
        </Link>
      )}
    </div>
  );
};

interface GroupTableProps {
  readonly caption: string;
  readonly groups: readonly UndeliveredGroup[];
  /** Undefined: a retry changes nothing. */
  readonly onRetry?: (group: UndeliveredGroup) => void;
}

const GroupTable = ({ caption, groups, onRetry }: GroupTableProps) => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  const nameOf = useGroupName();
  const counted = (count: number, isPartial: boolean) =>
    isPartial ? texts.orMore(format.count(count)) : format.count(count);
  const mayRetry = useMay('retry');
  const columns: readonly Column<UndeliveredGroup>[] = [
    { key: 'reason', title: texts.columns.reason, isTitle: true, cell: (group) => <LostBecause group={group} /> },
    {
      key: 'deliveries',
      title: texts.columns.deliveries,
      align: 'end',
      cell: ({ deliveries, isPartial }) => <strong>{counted(deliveries, isPartial)}</strong>,
    },
    {
      key: 'conversions',
      title: texts.columns.conversions,
      align: 'end',
      cell: ({ conversions, isPartial }) => counted(conversions, isPartial),
    },
    {
      key: 'money',
      title: texts.columns.money,
      align: 'end',
      cell: ({ money, isPartial }) =>
        money.length === 0 ? (
          '–'
        ) : (
          <>
            {isPartial && texts.partial} <Amounts money={money} />
          </>
        ),
    },
  ];
  const actions: readonly Column<UndeliveredGroup>[] =
    mayRetry && onRetry
      ? [
          {
            key: 'action',
            title: texts.columns.action,
            align: 'end',
            cell: (group) => (
              <Button icon="retry" aria-label={`${texts.retry} ${nameOf(group)}`} onClick={() => onRetry(group)}>
                {texts.retry}
              </Button>
            ),
          },
        ]
      : [];
  return (
    <Table
      caption={caption}
      columns={[...columns, ...actions]}
      rows={groups}
      keyOf={({ connectionId, state, code }) => `${connectionId} ${state} ${code}`}
    />
  );
};

const taskTones = { running: 'accent', done: 'good', failed: 'bad' } as const;

const TaskScope = ({ filter: { state, code, connectionId = 0, since } }: Pick<Task, 'filter'>) => {
  const texts = useTexts(undeliveredTexts);
  if (since !== undefined) return texts.since(texts.connection(connectionId), since);
  if (state === undefined) return texts.everything;
  if (code === undefined || code === '') return texts.states[state];
  return code === 'other' ? texts.otherReason : <ReasonTitle code={code} />;
};

/** How the deliveries of a retry ended: `3 delivered · 1 failed again · 2 on their way`. */
const TaskOutcome = ({ outcome, done }: Pick<Task, 'outcome' | 'done'>) => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  const known = (['delivered', 'failed', 'skipped', 'pending'] as const).filter((state) => outcome[state] > 0);
  if (known.length === 0) return null;
  const counted = known.reduce((sum, state) => sum + outcome[state], 0);
  const told = known.map((state) => texts.outcome[state](format.count(outcome[state]))).join(' · ');
  return <p>{counted < done ? texts.ofFirst(told, format.count(counted)) : told}</p>;
};

const TaskLine = ({ task }: { readonly task: Task }) => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  const { state, filter, total, done, outcome, message, startedBy, createdAt } = task;
  return (
    <li className={styles.task}>
      <p className={styles.line}>
        <Badge tone={taskTones[state]}>{texts.taskStates[state]}</Badge>
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
      <TaskOutcome outcome={outcome} done={done} />
      {message !== null && <p lang="en">{message}</p>}
      <p className="small">
        <Time at={createdAt} look="ago" /> {texts.by(startedBy)}
      </p>
    </li>
  );
};

/** What people asked to be retried in one account, with its progress. What a finished task changed is read again. */
const Tasks = () => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const { data } = useQuery(tasksQuery(api, useAccountId()));
  const ended = useRef<ReadonlySet<number>>(undefined);
  const onTheirWay = useRef(0);
  useEffect(() => {
    if (!data) return;
    const known = ended.current;
    const now = data.items.filter(({ state }) => state !== 'running');
    ended.current = new Set(now.map(({ id }) => id));
    // a fast one may never have been in the list as running
    const finished = known ? now.filter(({ id }) => !known.has(id)) : [];
    for (const { state, done } of finished) if (state === 'done') showToast(texts.finished(format.count(done)));
    const pending = data.items.reduce((sum, { outcome }) => sum + outcome.pending, 0);
    const isChanged = finished.length > 0 || pending < onTheirWay.current;
    onTheirWay.current = pending;
    if (!isChanged) return;
    for (const key of ['undelivered', 'deliveries', 'overview']) void client.invalidateQueries({ queryKey: [key] });
  }, [data, client, format, texts]);
  const items = data?.items ?? [];
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

/** How many deliveries there are in all groups. Amounts are not added: a conversion may be in several groups. */
const Totals = ({ groups }: { readonly groups: readonly UndeliveredGroup[] }) => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  const all = format.count(groups.reduce((sum, { deliveries }) => sum + deliveries, 0));
  return texts.total(groups.some(({ isPartial }) => isPartial) ? texts.orMore(all) : all);
};

/** What is still being delivered: apart, because nobody has to do anything. */
const OnTheirWay = ({ onTheirWay }: Pick<UndeliveredReply, 'onTheirWay'>) => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  if (onTheirWay.length === 0) return null;
  const all = onTheirWay.reduce((sum, { deliveries }) => sum + deliveries, 0);
  return (
    <Card title={texts.waiting}>
      <div className={styles.list}>
        <p className="soft">{texts.waitingText(format.count(all))}</p>
        <ul>
          {onTheirWay.map(({ connectionId, platform, deliveries, money, isPartial, ...named }) => (
            <li key={connectionId} className={styles.line}>
              <Platform name={platform} />
              <span className="small">
                {calledAs(named)} · {texts.connection(connectionId)}
              </span>
              <span>{format.count(deliveries)}</span>
              <span className={styles.amount}>
                {isPartial && <span className="small">{texts.partial}</span>}
                <Amounts money={money} />
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
};

interface Chosen {
  readonly scope: string;
  readonly filter: RetryFilter;
}

const filterOf = ({ connectionId, state, code }: UndeliveredGroup): RetryFilter => ({ connectionId, state, code });

/** Nothing was lost that somebody can change. That something waits is said above, on every screen. */
const NothingLost = () => {
  const texts = useTexts(undeliveredTexts);
  const account = useAccountId();
  const { data } = useQuery(attentionQuery(useApi(), account));
  const isCalm = data?.connections.length === 0 && data.untold.conversions === 0;
  return (
    <Card>
      <Empty
        icon="check"
        title={isCalm ? texts.emptyTitle : texts.nothingLostTitle}
        action={
          <Link to="/a/$account/deliveries" params={{ account }}>
            {texts.emptyAction}
          </Link>
        }
      >
        {isCalm ? texts.empty : texts.nothingLost}
      </Empty>
    </Card>
  );
};

interface LostProps {
  readonly groups: readonly UndeliveredGroup[];
  readonly onChosen: (chosen: Chosen) => void;
}

/** What was lost, if somebody can change it. */
const Lost = ({ groups, onChosen }: LostProps) => {
  const texts = useTexts(undeliveredTexts);
  const mayRetry = useMay('retry');
  const nameOf = useGroupName();
  const retryAll = (
    <Button icon="retry" look="primary" onClick={() => onChosen({ scope: texts.everything, filter: {} })}>
      {texts.retryAll}
    </Button>
  );
  return (
    <Card title={<Totals groups={groups} />} tools={mayRetry ? retryAll : texts.mayNotRetry}>
      <GroupTable
        caption={texts.title}
        groups={groups}
        onRetry={(group) => onChosen({ scope: nameOf(group), filter: filterOf(group) })}
      />
    </Card>
  );
};

/** What was lost, why, and how much money is it? */
export const UndeliveredScreen = () => {
  const texts = useTexts(undeliveredTexts);
  const api = useApi();
  const account = useAccountId();
  const query = useQuery(undeliveredQuery(api, account));
  const [chosen, setChosen] = useState<Chosen>();
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro} />
      <Tasks key={account} />
      <Loaded query={query} lines={8}>
        {({ groups, onTheirWay }) => {
          const final = groups.filter(({ isFinal }) => isFinal);
          const lost = groups.filter(({ isFinal }) => !isFinal);
          return (
            <>
              {lost.length === 0 ? <NothingLost /> : <Lost groups={lost} onChosen={setChosen} />}
              <OnTheirWay onTheirWay={onTheirWay} />
              {final.length > 0 && (
                <Card title={texts.final}>
                  <p className={styles.final}>{texts.finalText}</p>
                  <GroupTable caption={texts.final} groups={final} />
                </Card>
              )}
            </>
          );
        }}
      </Loaded>
      {chosen && <RetryDialog {...chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
};
