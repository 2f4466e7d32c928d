import { type Pool, type PoolClient, type Queryable, statement, transaction } from '@leadback/db';
import { webhookName } from '@leadback/domain';
import { z } from 'zod';
import { audit } from '../audit.ts';
import type { AccountScope } from '../people/access.ts';
import { failureOf, workOnNext } from '../work-queue.ts';
import { requeueDeliveries } from './requeue.ts';
import { countUndelivered, nextUndelivered, type UndeliveredFilter } from './undelivered.ts';

interface Found {
  readonly id: number;
  readonly state: string;
  readonly hasNote: boolean;
  readonly isActive: boolean;
}

const find = statement<Found>(
  `select f.id, f.state, f.note is not null as "hasNote", c.state = 'active' as "isActive"
   from delivery f join platform_connection c on c.id = f.connection_id
   where f.id = any($1::bigint[]) and f.account_id = $2 and c.platform <> '${webhookName}'`,
);

type Why = 'unknown' | 'delivered' | 'pending' | 'connection-inactive' | 'changed';

const whyLeft = (found: Found | undefined): Why => {
  if (!found) return 'unknown';
  if (found.state === 'pending') return 'pending';
  if (found.state === 'delivered' && !found.hasNote) return 'delivered';
  return found.isActive ? 'changed' : 'connection-inactive';
};

interface RetriedDeliveries {
  /** Pending now, with the adjustments that follow their conversion. */
  readonly retried: number[];
  readonly left: { readonly id: number; readonly why: Why }[];
}

/** Sends deliveries of an account again: those that may be, and says why not of the others. */
export const retryDeliveries = (
  pool: Pool,
  { accountId }: AccountScope,
  { actor, ids }: { readonly actor: string; readonly ids: readonly number[] },
): Promise<RetriedDeliveries> =>
  transaction(pool, async (tx) => {
    const wanted = [...new Set(ids)];
    const found = await find(tx, [wanted, accountId]);
    const own = found.map(({ id }) => id);
    const retried = own.length === 0 ? [] : await requeueDeliveries(tx, own);
    const byId = new Map(found.map((one) => [one.id, one]));
    const left = wanted.filter((id) => !retried.includes(id)).map((id) => ({ id, why: whyLeft(byId.get(id)) }));
    for (const id of retried) await audit(tx, { actor, action: 'delivery.retry', accountId, target: `delivery ${id}` });
    return { retried: retried.toSorted((one, other) => one - other), left };
  });

export interface RetryOutcome {
  readonly delivered: number;
  readonly failed: number;
  readonly skipped: number;
  readonly pending: number;
}

/** A retry of everything that a filter takes: it goes on without a browser. */
export interface RetryTask {
  readonly id: number;
  readonly state: 'running' | 'done' | 'failed';
  readonly filter: UndeliveredFilter;
  /** Deliveries counted when it began; null: too many to count. */
  readonly total: number | null;
  readonly done: number;
  /** How those that it made pending have ended by now: of the first ten thousand. */
  readonly outcome: RetryOutcome;
  readonly message: string | null;
  readonly startedBy: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const outcome = `(
    select json_build_object(${['delivered', 'failed', 'skipped', 'pending']
      .map((state) => `'${state}', count(*) filter (where f.state = '${state}')`)
      .join(', ')})
    from delivery f where f.id = any(retry_task.delivery_ids) and f.account_id = retry_task.account_id)`;

const columns = `id, state, filter, total, done, ${outcome} as outcome, message, started_by as "startedBy",
  created_at as "createdAt", finished_at as "finishedAt"`;

const cursorSchema = z.object({ connectionId: z.number(), id: z.number(), lastId: z.number() });
type Cursor = z.output<typeof cursorSchema>;

const start = statement<RetryTask>(
  `insert into retry_task (account_id, started_by, filter, total, cursor, state, finished_at)
   select $1, $2, $3, $4, $5, case when $4 = 0 then 'done' else 'running' end, case when $4 = 0 then now() end
   returning ${columns}`,
);

interface RetryToStart {
  readonly actor: string;
  readonly filter: UndeliveredFilter;
  /** See `countUndelivered`. */
  readonly undeliveredMax?: number;
}

/** Begins to send everything again that the filter takes now; a console does it. */
export const startRetry = async (
  pool: Pool,
  scope: AccountScope,
  { actor, filter, undeliveredMax }: RetryToStart,
): Promise<RetryTask> => {
  const { accountId } = scope;
  const { deliveries, isPartial, lastId } = await countUndelivered(pool, scope, filter, undeliveredMax);
  const total = isPartial ? null : deliveries;
  const cursor: Cursor = { connectionId: 0, id: 0, lastId };
  return transaction(pool, async (tx) => {
    const [task] = await start(tx, [accountId, actor, filter, total, cursor]);
    if (!task) throw new Error('the task was not stored');
    const details = { filter, deliveries: total ?? `${deliveries} or more` };
    await audit(tx, { actor, action: 'undelivered.retry', accountId, target: `task ${task.id}`, details });
    return task;
  });
};

const list = statement<RetryTask>(`select ${columns} from retry_task where account_id = $1 order by id desc limit 5`);

/** The five newest. */
export const listRetries = (on: Queryable, { accountId }: AccountScope): Promise<RetryTask[]> => list(on, [accountId]);

const read = statement<RetryTask>(`select ${columns} from retry_task where id = $2 and account_id = $1`);

export const findRetry = async (
  on: Queryable,
  { accountId }: AccountScope,
  id: number,
): Promise<RetryTask | undefined> => (await read(on, [accountId, id]))[0];

interface OpenRetry extends Pick<RetryTask, 'id' | 'filter' | 'done'> {
  readonly accountId: number;
  readonly cursor: unknown;
}

const takeNext = statement<OpenRetry>(
  `select id, account_id as "accountId", filter, done, cursor from retry_task
   where state = 'running' and due_at <= now() order by due_at limit 1 for update skip locked`,
);

// more would take long to look up each time that somebody looks at the task
const followedMax = 10_000;

const proceed = statement<{ done: number }>(
  `update retry_task
   set done = done + cardinality($2::bigint[]), cursor = $3,
       delivery_ids = case when done < ${followedMax} then delivery_ids || $2 else delivery_ids end, due_at = clock_timestamp(), failures = 0,
       state = case when $4 then 'done' else state end, finished_at = case when $4 then now() end
   where id = $1 returning done`,
);

const noteFailure = failureOf({
  table: 'retry_task',
  isOpen: `state = 'running'`,
  // within about four minutes
  triesMax: 10,
  pauseMaxSeconds: 60,
  givenUp: {
    state: `'failed'`,
    message: `'internal error; give support the id of this task'`,
    finished_at: 'now()',
  },
});

// locks are short, and a worker is not kept waiting
const deliveriesPerPart = 500;

/** Does a part of the task and moves its cursor: a kill loses a part, and repeats none. */
const workOn = async (tx: PoolClient, { id, accountId, filter, cursor: stored }: OpenRetry) => {
  const cursor = cursorSchema.parse(stored);
  const places = await nextUndelivered(tx, accountId, filter, {
    after: cursor,
    lastId: cursor.lastId,
    limit: deliveriesPerPart,
  });
  const ids = places.map((place) => place.id);
  const retried = ids.length === 0 ? [] : await requeueDeliveries(tx, ids);
  const isDone = ids.length === 0;
  const [proceeded] = await proceed(tx, [id, retried, { ...cursor, ...places.at(-1) }, isDone]);
  return { retried: retried.length, isDone, done: proceeded?.done ?? 0 };
};

/** A part that is committed, or a task that was given up after several failures. */
export type RetryStep = { readonly id: number; readonly accountId: number } & (
  | { readonly retried: number; readonly isDone: boolean; readonly done: number }
  | { readonly error: unknown }
);

/** Works on one part of the task that waits longest. Undefined: there is none. Throws if it will be tried again. */
export const workOnNextRetry = async (pool: Pool): Promise<RetryStep | undefined> => {
  const worked = await workOnNext(pool, { take: async (tx) => (await takeNext(tx, []))[0], work: workOn, noteFailure });
  if (!worked) return undefined;
  const { id, accountId } = worked.row;
  if ('result' in worked) return { id, accountId, ...worked.result };
  if (!worked.isGivenUp) throw worked.error;
  return { id, accountId, error: worked.error };
};
