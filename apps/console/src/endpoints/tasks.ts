import { Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import { listTasksInput, listTasksReply, readTaskInput, task } from '../contract/undelivered.ts';
import { scopeOf } from '../sessions/authenticate.ts';
import { describeTask } from './task-view.ts';

const subject = 'Undelivered';

export const listTasks = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/tasks',
  subject,
  summary: 'The newest tasks of an account',
  description: 'With their progress.',
  input: listTasksInput,
  headers: nothing,
  replies: { 200: { description: 'The tasks.', body: listTasksReply, example: undefined } },
  handle: async ({ response }, { tasks }) => ({
    status: 200,
    body: { items: (await tasks.list(scopeOf(response))).map(describeTask) },
  }),
});

export const readTask = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/tasks/:id',
  subject,
  summary: 'One task',
  description: 'With its progress.',
  input: readTaskInput,
  headers: nothing,
  replies: { 200: { description: 'The task.', body: task, example: undefined } },
  async handle({ input, response }, { tasks }) {
    const found = await tasks.read(scopeOf(response), input.id);
    if (!found) throw new Refusal('not-found', { message: 'there is no such task' });
    return { status: 200, body: describeTask(found) };
  },
});
