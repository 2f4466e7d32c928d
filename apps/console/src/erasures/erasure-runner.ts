import { erasePerson, isAnyoneErased } from '@leadback/erasure';
import { inTransaction, isDatabaseUnavailable, type Pool, preparedStatement } from '@leadback/db';
import { repeat } from '@leadback/runtime';
import type { Keys } from '@leadback/secrets';
import type { ConsoleEvents } from '../events.ts';
import { readPerson } from './kept-person.ts';

const everyMs = 1_000;

interface Row {
  id: number;
  account_id: number;
  started_by: string;
  filter: unknown;
}

const take = preparedStatement<Row>(
  'take-erasure',
  `select id, account_id, started_by, filter from console_task
   where state = 'running' and kind = 'erase' order by worked_at limit 1 for update skip locked`,
);

// the person is named nowhere any more
const end = preparedStatement(
  'end-erasure',
  `update console_task
   set state = $2, done = $3, message = $4, filter = filter - 'person', worked_at = clock_timestamp(), finished_at = now()
   where id = $1 and state = 'running'`,
);

type ErasureEvents = Pick<ConsoleEvents, 'erasureDone' | 'taskFailed' | 'tasksNotWorked'>;

/** Erases the person of the task that waits longest, in one transaction. Returns whether there was one. */
export const eraseNext = async (pool: Pool, keys: Keys, events: ErasureEvents): Promise<boolean> => {
  let taskId: number | undefined;
  try {
    return await inTransaction(pool, async (on) => {
      const [task] = await take(on, []);
      if (!task) return false;
      taskId = task.id;
      const erased = await erasePerson(on, readPerson(keys, task.account_id, task.filter), task.started_by);
      await end(on, [task.id, 'done', isAnyoneErased(erased) ? 1 : 0, null]);
      events.erasureDone({ id: task.id, accountId: task.account_id });
      return true;
    });
  } catch (error) {
    // the same may succeed later
    if (taskId === undefined || isDatabaseUnavailable(error)) throw error;
    await end(pool, [taskId, 'failed', 0, 'internal error; give support the id of this task']);
    events.taskFailed(error, taskId);
    return true;
  }
};

/** `pool`: without a limit on the time of statements, because an erasure reads all imported rows of the account. */
export const erasureRunner = (pool: Pool, keys: Keys, events: ErasureEvents): AsyncDisposable =>
  repeat({ everyMs, round: () => eraseNext(pool, keys, events), onFailure: events.tasksNotWorked });
