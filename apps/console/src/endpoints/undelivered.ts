import { countRetryReply, retryFilter, task, undeliveredInput, undeliveredReply } from '../contract/undelivered.ts';
import { meaningOf } from '../reason-meanings.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';
import { describeTask } from './task-view.ts';

export const readUndelivered = endpoint({
  method: 'get',
  path: '/accounts/:account/undelivered',
  input: undeliveredInput,
  replies: { 200: { body: undeliveredReply } },
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

export const countRetry = endpoint({
  method: 'post',
  path: '/accounts/:account/undelivered/count',
  input: retryFilter,
  replies: { 200: { body: countRetryReply } },
  async handle({ input, response }, { countUndelivered: count }) {
    const { lastId: _, ...counted } = await count(scopeOf(response), input);
    return { status: 200, body: counted };
  },
});

export const retryUndelivered = endpoint({
  method: 'post',
  path: '/accounts/:account/undelivered/retry',
  input: retryFilter,
  replies: { 202: { body: task } },
  async handle({ input, response }, { tasks }) {
    const { email } = sessionOf(response).person;
    return { status: 202, body: describeTask(await tasks.startRetry(scopeOf(response), email, input)) };
  },
});
