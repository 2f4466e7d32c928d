import { type Database, type EntityManager, isDatabaseUnavailable, RetryTask, transaction } from '@leadback/db';
import { requeueDeliveries } from '@leadback/core/delivery/requeue';
import { nextUndelivered } from '@leadback/core/delivery/undelivered';
import { repeat } from '@leadback/server/app';
import { LockMode } from '@mikro-orm/core';
import type { ConsoleEvents } from '../events.ts';
import { cursorOf, filterOf } from './retry.ts';

const everyMs = 500;
// locks are short, and a worker is not kept waiting
const deliveriesPerPart = 500;

type TaskEvents = Pick<ConsoleEvents, 'deliveriesRetried' | 'taskDone' | 'taskFailed' | 'tasksNotWorked'>;

/** Does a part of the task and moves its cursor in one transaction: a kill loses a part, and repeats none. */
const workOn = async (em: EntityManager, task: RetryTask): Promise<number> => {
  const cursor = cursorOf(task);
  const places = await nextUndelivered(em, task.account.id, filterOf(task), {
    after: cursor,
    lastId: cursor.lastId,
    limit: deliveriesPerPart,
  });
  const retried =
    places.length === 0
      ? []
      : await requeueDeliveries(
          em,
          places.map(({ id }) => id),
        );
  const last = places.at(-1);
  task.dueAt = new Date();
  task.done += retried.length;
  if (last) task.cursor = { ...cursor, ...last };
  else Object.assign(task, { state: 'done', finishedAt: new Date() });
  return retried.length;
};

const fail = (em: EntityManager, id: number) =>
  em.nativeUpdate(
    RetryTask,
    { id, state: 'running' },
    { state: 'failed', message: 'internal error; give support the id of this task', finishedAt: new Date() },
  );

/** Works on one part of the task that waits longest. Returns whether there was one. */
export const workOnNextTask = async (database: Pick<Database, 'em'>, events: TaskEvents): Promise<boolean> => {
  let taskId: number | undefined;
  try {
    const worked = await transaction(database.em(), async (tx) => {
      const [task] = await tx.find(
        RetryTask,
        { state: 'running' },
        { orderBy: { dueAt: 'asc' }, limit: 1, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
      );
      if (!task) return undefined;
      taskId = task.id;
      const retried = await workOn(tx, task);
      return { task, retried };
    });
    if (!worked) return false;
    // only now: what was not committed is done again, and would count twice
    const { task, retried } = worked;
    events.deliveriesRetried(retried);
    if (task.state === 'done') events.taskDone({ id: task.id, accountId: task.account.id, done: task.done });
    return true;
  } catch (error) {
    if (taskId === undefined || isDatabaseUnavailable(error)) throw error;
    await fail(database.em(), taskId);
    events.taskFailed(error, taskId);
    return true;
  }
};

/** Works on tasks. Every instance of the console runs one; each part is done by one of them. */
export const taskRunner = (database: Pick<Database, 'em'>, events: TaskEvents): AsyncDisposable =>
  repeat({ everyMs, round: () => workOnNextTask(database, events), onFailure: events.tasksNotWorked });
