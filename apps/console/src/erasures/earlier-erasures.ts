import { type Database, inTransaction, preparedStatement } from '@leadback/db';
import { askErasure, decryptSubject } from '@leadback/erasure/ask';
import { repeat } from '@leadback/runtime';
import type { Keys } from '@leadback/secrets';
import type { ConsoleEvents } from '../events.ts';

const everyMs = 60_000;

interface Row {
  readonly id: number;
  readonly account_id: number;
  readonly started_by: string;
  readonly person: string | null;
}

const take = preparedStatement<Row>(
  'take-earlier-erasure',
  `select id, account_id, started_by, filter ->> 'person' as person from console_task
   where state = 'running' and kind = 'erase' order by worked_at limit 1 for update skip locked`,
);

const end = preparedStatement(
  'end-earlier-erasure',
  `update console_task set state = 'done', filter = filter - 'person', finished_at = now() where id = $1`,
);

/**
 * Asks again for an erasure that a console of the version before had as a task and did not end. Returns whether there was
 * one. A later version drops this.
 */
export const moveEarlierErasure = (pool: Database['pool'], keys: Keys): Promise<boolean> =>
  inTransaction(pool, async (on) => {
    const [task] = await take(on, []);
    if (!task) return false;
    const { id, account_id: accountId, started_by: actor, person } = task;
    if (person !== null) {
      const subject = decryptSubject(keys, accountId, Buffer.from(person, 'base64'));
      await askErasure(on, keys, { accountId, askedBy: 'console', actor, subject });
    }
    await end(on, [id]);
    return true;
  });

export const earlierErasures = (
  pool: Database['pool'],
  keys: Keys,
  events: Pick<ConsoleEvents, 'tasksNotWorked'>,
): AsyncDisposable =>
  repeat({ everyMs, round: () => moveEarlierErasure(pool, keys), onFailure: events.tasksNotWorked });
