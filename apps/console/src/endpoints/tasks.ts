import { Refusal } from '@leadback/domain';
import { listTasksInput, listTasksReply, readTaskInput, task } from '../contract/undelivered.ts';
import { scopeOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';
import { describeTask } from './task-view.ts';

export const listTasks = endpoint({
  method: 'get',
  path: '/accounts/:account/tasks',
  input: listTasksInput,
  replies: { 200: { body: listTasksReply } },
  handle: async ({ response }, { tasks }) => ({
    status: 200,
    body: { items: (await tasks.list(scopeOf(response))).map(describeTask) },
  }),
});

export const readTask = endpoint({
  method: 'get',
  path: '/accounts/:account/tasks/:id',
  input: readTaskInput,
  replies: { 200: { body: task } },
  async handle({ input, response }, { tasks }) {
    const found = await tasks.read(scopeOf(response), input.id);
    if (!found) throw new Refusal('not-found', { message: 'there is no such task' });
    return { status: 200, body: describeTask(found) };
  },
});
