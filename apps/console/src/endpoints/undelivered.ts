import { findRetry, listRetries, type RetryTask, startRetry } from '@leadback/core/delivery/retry';
import { countUndelivered, readUndelivered, readWaiting } from '@leadback/core/delivery/undelivered';
import { Refusal } from '@leadback/domain';
import {
  countRetryReply,
  listTasksInput,
  listTasksReply,
  readTaskInput,
  retryFilter,
  type Task,
  task,
  undeliveredInput,
  undeliveredReply,
} from '../contract/undelivered.ts';
import { meaningOf } from '../reason-meanings.ts';
import { scopeOf, sessionOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';

const describeTask = ({ createdAt, finishedAt, ...same }: RetryTask): Task => ({
  ...same,
  kind: 'retry',
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
});

export const getUndelivered = endpoint({
  method: 'get',
  path: '/accounts/:account/undelivered',
  input: undeliveredInput,
  replies: { 200: { body: undeliveredReply } },
  async handle({ response }, { pool }) {
    const scope = scopeOf(response);
    const [groups, waiting] = await Promise.all([readUndelivered(pool, scope), readWaiting(pool, scope)]);
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
  async handle({ input, response }, { pool }) {
    const { lastId: _, ...counted } = await countUndelivered(pool, scopeOf(response), input);
    return { status: 200, body: counted };
  },
});

export const retryUndelivered = endpoint({
  method: 'post',
  path: '/accounts/:account/undelivered/retry',
  input: retryFilter,
  replies: { 202: { body: task } },
  async handle({ input: filter, response }, { pool }) {
    const { email: actor } = sessionOf(response).person;
    return { status: 202, body: describeTask(await startRetry(pool, scopeOf(response), { actor, filter })) };
  },
});

export const listTasks = endpoint({
  method: 'get',
  path: '/accounts/:account/tasks',
  input: listTasksInput,
  replies: { 200: { body: listTasksReply } },
  handle: async ({ response }, { pool }) => ({
    status: 200,
    body: { items: (await listRetries(pool, scopeOf(response))).map(describeTask) },
  }),
});

export const readTask = endpoint({
  method: 'get',
  path: '/accounts/:account/tasks/:id',
  input: readTaskInput,
  replies: { 200: { body: task } },
  async handle({ input, response }, { pool }) {
    const found = await findRetry(pool, scopeOf(response), input.id);
    if (!found) throw new Refusal('not-found', { message: 'there is no such task' });
    return { status: 200, body: describeTask(found) };
  },
});
