import { findRetry, listRetries, type RetryTask, startRetry } from '@leadback/core/delivery/retry';
import { Refusal } from '@leadback/domain';
import { countUndelivered, readUndelivered } from '@leadback/core/delivery/undelivered';
import { readOnTheirWay } from '@leadback/core/delivery/waiting';
import { nothing } from '@leadback/server/http';
import {
  countRetryReply,
  listTasksReply,
  retryFilter,
  type Task,
  task,
  undeliveredReply,
} from '../contract/undelivered.ts';
import { meaningOf } from '../reason-meanings.ts';
import { ofAccount, ofId } from './guard.ts';

const describeTask = ({ createdAt, finishedAt, ...same }: RetryTask): Task => ({
  ...same,
  kind: 'retry',
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
});

export const undeliveredEndpoints = [
  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/undelivered',
    input: nothing,
    reply: undeliveredReply,
    async handle({ scope }, { pool }) {
      const [groups, waiting] = await Promise.all([readUndelivered(pool, scope), readOnTheirWay(pool, scope)]);
      return { groups: groups.map((group) => ({ ...group, ...meaningOf(group.platform, group.code) })), waiting };
    },
  }),

  ofAccount('retry', 'reads', {
    method: 'post',
    path: '/accounts/:account/undelivered/count',
    input: retryFilter,
    reply: countRetryReply,
    async handle({ input, scope }, { pool }) {
      const { lastId: _, ...counted } = await countUndelivered(pool, scope, input);
      return counted;
    },
  }),

  ofAccount('retry', 'repeats', {
    method: 'post',
    path: '/accounts/:account/undelivered/retry',
    input: retryFilter,
    reply: task,
    status: 202,
    handle: async ({ input: filter, scope, actor }, { pool }) =>
      describeTask(await startRetry(pool, scope, { actor, filter })),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/tasks',
    input: nothing,
    reply: listTasksReply,
    handle: async ({ scope }, { pool }) => ({ items: (await listRetries(pool, scope)).map(describeTask) }),
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/tasks/:id',
    input: ofId,
    reply: task,
    async handle({ input: { id }, scope }, { pool }) {
      const found = await findRetry(pool, scope, id);
      if (!found) throw new Refusal('not-found', { message: 'there is no such task' });
      return describeTask(found);
    },
  }),
];
