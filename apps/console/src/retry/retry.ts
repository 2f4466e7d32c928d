import { type Database, RetryTask, transaction } from '@leadback/db';
import { requeueDeliveries } from '@leadback/core/delivery/requeue';
import { webhookName } from '@leadback/domain';
import type { AccountScope } from '@leadback/core/people/access';
import { audit } from '@leadback/core/audit';
import { countUndelivered, type UndeliveredFilter } from '@leadback/core/delivery/undelivered';
import { z } from 'zod';
import { retryFilter } from '../contract/undelivered.ts';

const foundSchema = z.array(
  z.object({ id: z.coerce.number(), state: z.string(), hasNote: z.boolean(), isActive: z.boolean() }),
);
type Found = z.output<typeof foundSchema>[number];

const find = `
  select f.id, f.state, f.note is not null as "hasNote", c.state = 'active' as "isActive"
  from unnest(?::bigint[]) wanted (id)
  cross join lateral (
    select id, state, note, connection_id from delivery where id = wanted.id and account_id + 0 = ? limit 1) f
  cross join lateral (
    select state from platform_connection where id = f.connection_id and platform <> '${webhookName}' limit 1) c`;

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
export type DeliveriesRetrier = (
  scope: AccountScope,
  actor: string,
  ids: readonly number[],
) => Promise<RetriedDeliveries>;

export const deliveriesRetrier =
  ({ em }: Pick<Database, 'em'>): DeliveriesRetrier =>
  ({ accountId }, actor, ids) =>
    transaction(em(), async (tx) => {
      const wanted = [...new Set(ids)];
      const found = foundSchema.parse(await tx.execute(find, [`{${wanted.join(',')}}`, accountId]));
      const own = found.map(({ id }) => id);
      const retried = own.length === 0 ? [] : await requeueDeliveries(tx, own);
      const byId = new Map(found.map((one) => [one.id, one]));
      const left = wanted.filter((id) => !retried.includes(id)).map((id) => ({ id, why: whyLeft(byId.get(id)) }));
      for (const id of retried)
        await audit(tx, { actor, action: 'delivery.retry', accountId, target: `delivery ${id}` });
      return { retried: retried.toSorted((one, other) => one - other), left };
    });

const cursorSchema = z.object({ connectionId: z.number(), id: z.number(), lastId: z.number() });
type TaskCursor = z.output<typeof cursorSchema>;

export const cursorOf = ({ cursor }: RetryTask): TaskCursor => cursorSchema.parse(cursor);
export const filterOf = ({ filter }: Pick<RetryTask, 'filter'>): UndeliveredFilter => retryFilter.parse(filter);

/** A retry as the console shows it. */
export type StartedTask = Pick<
  RetryTask,
  'id' | 'state' | 'filter' | 'total' | 'done' | 'message' | 'startedBy' | 'createdAt' | 'finishedAt'
>;

export interface Tasks {
  /** Begins to send everything again that the filter takes now. */
  startRetry(scope: AccountScope, actor: string, filter: UndeliveredFilter): Promise<StartedTask>;
  /** The 20 newest. */
  list(scope: AccountScope): Promise<StartedTask[]>;
  read(scope: AccountScope, id: number): Promise<StartedTask | undefined>;
}

const listedMax = 20;

/** `undeliveredMax`: see `countUndelivered`. */
export const tasks = ({ em, pool }: Pick<Database, 'em' | 'pool'>, undeliveredMax?: number): Tasks => ({
  async startRetry(scope, actor, filter) {
    const { accountId } = scope;
    const { deliveries, isPartial, lastId } = await countUndelivered(pool, scope, filter, undeliveredMax);
    const total = isPartial ? null : deliveries;
    return transaction(em(), async (tx) => {
      const cursor: TaskCursor = { connectionId: 0, id: 0, lastId };
      const task = tx.create(RetryTask, {
        account: accountId,
        startedBy: actor,
        filter,
        total,
        cursor,
        ...(total === 0 && { state: 'done', finishedAt: new Date() }),
      });
      await tx.flush();
      const details = { filter, deliveries: total ?? `${deliveries} or more` };
      await audit(tx, { actor, action: 'undelivered.retry', accountId, target: `task ${task.id}`, details });
      return task;
    });
  },
  list: ({ accountId }) => em().find(RetryTask, { account: accountId }, { orderBy: { id: 'desc' }, limit: listedMax }),
  read: async ({ accountId }, id) => (await em().findOne(RetryTask, { id, account: accountId })) ?? undefined,
});
