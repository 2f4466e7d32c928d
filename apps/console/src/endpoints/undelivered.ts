import { findRetry, listRetries, type RetryTask, startRetry } from '@leadback/core/delivery/retry';
import { eventAgeMaxMs, Refusal } from '@leadback/domain';
import { countUndelivered, readUndelivered } from '@leadback/core/delivery/undelivered';
import { type HeldConnection, readAttention, readOnTheirWay } from '@leadback/core/delivery/waiting';
import { readHeldSources } from '@leadback/core/sources/attention';
import { kindNamed } from '@leadback/core/sources/kinds/index';
import type { Platforms } from '@leadback/platforms';
import { nothing } from '@leadback/server/http';
import {
  type AttentionReply,
  attentionReply,
  countRetryReply,
  listTasksReply,
  retryFilter,
  type Task,
  task,
  undeliveredReply,
} from '../contract/undelivered.ts';
import { describeRemedy } from './connections.ts';
import { ofAccount, ofId } from './guard.ts';

const describeTask = ({ createdAt, finishedAt, ...same }: RetryTask): Task => ({
  ...same,
  kind: 'retry',
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
});

const describeHeld = (
  { since, oldestAt, ...held }: HeldConnection,
  platforms: Platforms,
): AttentionReply['connections'][number] => ({
  ...held,
  since: since.toISOString(),
  remedy: held.reason === null ? null : describeRemedy(platforms[held.platform].remedyFor(held.reason)),
  tooOldAt: oldestAt && new Date(oldestAt.getTime() + eventAgeMaxMs(held.platform)).toISOString(),
});

// more than a person reads
const heldSourcesMax = 50;

export const undeliveredEndpoints = [
  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/undelivered',
    input: nothing,
    reply: undeliveredReply,
    async handle({ scope }, { pool }) {
      const [groups, onTheirWay] = await Promise.all([readUndelivered(pool, scope), readOnTheirWay(pool, scope)]);
      return { groups, onTheirWay };
    },
  }),

  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/attention',
    input: nothing,
    reply: attentionReply,
    async handle({ scope: { accountId } }, { pool, platforms }) {
      const [{ connections, untold }, sources] = await Promise.all([
        readAttention(pool, { accountId, isTest: false }),
        readHeldSources(pool, accountId, heldSourcesMax),
      ]);
      const { conversions, money, isPartial, connectionIds } = untold;
      return {
        connections: connections.map((held) => describeHeld(held, platforms)),
        sources: sources.map(({ id, kind, label, trouble, since, reason, waiting, refused }) => ({
          id,
          title: kindNamed(kind)?.title ?? kind,
          label,
          trouble,
          since: since.toISOString(),
          reason,
          waiting,
          refused,
        })),
        untold: { conversions, money, isPartial, connectionIds: [...connectionIds] },
      };
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
