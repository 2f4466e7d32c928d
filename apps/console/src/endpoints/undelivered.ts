import { endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import { countRetryReply, retryFilter, task, undeliveredInput, undeliveredReply } from '../contract/undelivered.ts';
import { meaningOf } from '../reason-meanings.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { describeTask } from './task-view.ts';

const subject = 'Undelivered';

export const readUndelivered = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/accounts/:account/undelivered',
  subject,
  summary: 'What is lost, why, and how much money it is',
  description: 'By connection and reason, and what is still on its way.',
  input: undeliveredInput,
  headers: nothing,
  replies: { 200: { description: 'The groups.', body: undeliveredReply, example: undefined } },
  async handle({ response }, { readUndelivered: read, readWaiting }) {
    const scope = scopeOf(response);
    const [groups, waiting] = await Promise.all([read(scope), readWaiting(scope)]);
    const described = groups.map((group) => {
      const { meaning = null, remedy = null } = meaningOf(group.platform, group.code) ?? {};
      return { ...group, meaning, remedy };
    });
    return { status: 200, body: { groups: described, waiting } };
  },
});

export const countRetry = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/undelivered/count',
  subject,
  summary: 'Count what a retry would send again',
  description: 'Changes nothing.',
  input: retryFilter,
  headers: nothing,
  replies: { 200: { description: 'The count.', body: countRetryReply, example: undefined } },
  async handle({ input, response }, { countUndelivered: count }) {
    const { lastId: _, ...counted } = await count(scopeOf(response), input);
    return { status: 200, body: counted };
  },
});

export const retryUndelivered = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/accounts/:account/undelivered/retry',
  subject,
  summary: 'Send it again',
  description: 'As a task: it goes on without the browser.',
  input: retryFilter,
  headers: nothing,
  replies: { 202: { description: 'The task.', body: task, example: undefined } },
  async handle({ input, response }, { tasks }) {
    const { email } = sessionOf(response).person;
    return { status: 202, body: describeTask(await tasks.startRetry(scopeOf(response), email, input)) };
  },
});
