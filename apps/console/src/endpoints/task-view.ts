import type { Task } from '../contract/undelivered.ts';
import { filterOf, type StartedTask } from '../retry/tasks.ts';

export const describeTask = (task: StartedTask): Task => ({
  id: task.id,
  kind: 'retry',
  state: task.state,
  filter: filterOf(task),
  total: task.total ?? null,
  done: task.done,
  message: task.message ?? null,
  startedBy: task.startedBy,
  createdAt: task.createdAt.toISOString(),
  finishedAt: task.finishedAt?.toISOString() ?? null,
});
