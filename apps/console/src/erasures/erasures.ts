import { countPerson, type CountedPerson, erasureAction, type PersonToErase } from '@leadback/erasure';
import { AuditEntry, ConsoleTask, type Database } from '@leadback/db';
import type { AccountScope } from '@leadback/people';
import type { Keys } from '@leadback/secrets';
import { z } from 'zod';
import type { Receipt, StartedErasure } from '../contract/erasures.ts';
import { keepPerson, keptPersonSchema } from './kept-person.ts';

type Whom = Omit<PersonToErase, 'accountId'>;

export interface Erasures {
  count(scope: AccountScope, whom: Whom): Promise<CountedPerson>;
  /** It goes on without a browser. */
  start(scope: AccountScope, actor: string, whom: Whom): Promise<StartedErasure>;
  /** Of the last 7 days the newest that run, that failed or that found nobody. */
  listStarted(scope: AccountScope): Promise<StartedErasure[]>;
  /** What the audit log tells of the newest. */
  listReceipts(scope: AccountScope): Promise<Receipt[]>;
}

const startedMax = 5;
const startedMaxMs = 7 * 86_400_000;
const receiptsMax = 100;

const detailsSchema = z.object({
  clients: z.number(),
  leads: z.number(),
  importedRows: z.number(),
  conversions: z.number(),
  pendingFeedback: z.number(),
});

const describe = ({ id, state, filter, startedBy, createdAt }: ConsoleTask): StartedErasure => ({
  id,
  state: state === 'done' ? 'nobody' : state,
  by: keptPersonSchema.parse(filter).by,
  startedBy,
  createdAt: createdAt.toISOString(),
});

export const erasures = ({ em, pool }: Pick<Database, 'em' | 'pool'>, keys: Keys): Erasures => ({
  count: ({ accountId }, whom) => countPerson(pool, { accountId, ...whom }),
  async start({ accountId }, actor, whom) {
    const tx = em();
    const task = tx.create(ConsoleTask, {
      account: accountId,
      startedBy: actor,
      kind: 'erase',
      filter: keepPerson(keys, { accountId, ...whom }),
      total: 1,
      cursor: {},
    });
    await tx.flush();
    return describe(task);
  },
  async listStarted({ accountId }) {
    const ended = { $or: [{ state: ['running' as const, 'failed' as const] }, { done: 0 }] };
    const since = new Date(Date.now() - startedMaxMs);
    const tasks = await em().find(
      ConsoleTask,
      { account: accountId, kind: 'erase', createdAt: { $gt: since }, ...ended },
      { orderBy: { id: 'desc' }, limit: startedMax },
    );
    return tasks.map(describe);
  },
  async listReceipts({ accountId }) {
    const entries = await em().find(
      AuditEntry,
      { accountId, action: erasureAction },
      { orderBy: { id: 'desc' }, limit: receiptsMax },
    );
    return entries.map(({ id, at, actor, details }) => ({
      id,
      at: at.toISOString(),
      actor,
      ...detailsSchema.parse(details),
    }));
  },
});
