import { ConsoleTask, type Database } from '@leadback/db';
import { type AccountScope, audit } from '@leadback/people';
import type { UndeliveredCounter, UndeliveredFilter } from '@leadback/reports';
import { z } from 'zod';
import { retryFilter } from '../contract/undelivered.ts';

const cursorSchema = z.object({ connectionId: z.number(), id: z.number(), lastId: z.number() });
export type TaskCursor = z.output<typeof cursorSchema>;

export const cursorOf = ({ cursor }: ConsoleTask): TaskCursor => cursorSchema.parse(cursor);
export const filterOf = ({ filter }: Pick<ConsoleTask, 'filter'>): UndeliveredFilter => retryFilter.parse(filter);

/** A retry as the console shows it. */
export type StartedTask = Pick<
  ConsoleTask,
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

export const tasks = ({ em }: Pick<Database, 'em'>, countUndelivered: UndeliveredCounter): Tasks => ({
  async startRetry(scope, actor, filter) {
    const { accountId } = scope;
    const { deliveries, isPartial, lastId } = await countUndelivered(scope, filter);
    const total = isPartial ? null : deliveries;
    return em().transactional(async (tx) => {
      const cursor: TaskCursor = { connectionId: 0, id: 0, lastId };
      const task = tx.create(ConsoleTask, {
        account: accountId,
        startedBy: actor,
        kind: 'retry',
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
  list: ({ accountId }) =>
    em().find(ConsoleTask, { account: accountId, kind: 'retry' }, { orderBy: { id: 'desc' }, limit: listedMax }),
  read: async ({ accountId }, id) =>
    (await em().findOne(ConsoleTask, { id, account: accountId, kind: 'retry' })) ?? undefined,
});
