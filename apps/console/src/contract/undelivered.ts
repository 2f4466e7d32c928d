import { connectionStates, platformNames, sourceTroubles } from '@leadback/domain';
import { z } from 'zod';
import { remedy } from './connections.ts';
import { money } from './values.ts';

/** `delivered`: the platform accepted the event and reported a problem later. */
export const undeliveredStates = ['failed', 'skipped', 'delivered'] as const;

const counts = {
  deliveries: z.number(),
  /** Different ones; leads and adjustments count as none. */
  conversions: z.number(),
  /** Of these conversions, as they were registered. */
  money: z.array(money),
};

/** `GET /api/accounts/:account/undelivered`: live deliveries that ended without success, by connection and reason. */
export const undeliveredReply = z.object({
  /** Most deliveries first. */
  groups: z.array(
    z.object({
      connectionId: z.number(),
      platform: z.enum(platformNames),
      label: z.string(),
      destination: z.string(),
      connectionState: z.enum(connectionStates),
      state: z.enum(undeliveredStates),
      /** The code of the reason, or `other`, or empty if it was delivered; the value for a retry. */
      code: z.string(),
      /** One of them in full, in the platform's words. */
      example: z.string().nullable(),
      /** Whether nobody can change it: a retry would end alike. */
      isFinal: z.boolean(),
      ...counts,
      /** Whether the connection has more: counts and money are those of its newest deliveries. */
      isPartial: z.boolean(),
    }),
  ),
  /** Live deliveries that are sent without anybody's help; for those that wait for a person, see `attentionReply`. */
  onTheirWay: z.array(
    z.object({
      connectionId: z.number(),
      platform: z.enum(platformNames),
      label: z.string(),
      destination: z.string(),
      ...counts,
      /** Whether conversions and money are those of the oldest deliveries alone. */
      isPartial: z.boolean(),
    }),
  ),
});

/** `GET /api/accounts/:account/attention`: what waits for a person. */
export const attentionReply = z.object({
  /** Those that their platform rejects, or that are paused while deliveries wait. Most deliveries first. */
  connections: z.array(
    z.object({
      connectionId: z.number(),
      platform: z.enum(platformNames),
      label: z.string(),
      destination: z.string(),
      state: z.enum(['paused', 'needs_attention']),
      since: z.string(),
      /** Why the platform rejects it, in its words. */
      reason: z.string().nullable(),
      remedy: remedy.nullable(),
      /** Live ones that wait. */
      ...counts,
      isPartial: z.boolean(),
      /** When the first of them is too old for the platform. */
      tooOldAt: z.string().nullable(),
    }),
  ),
  /** Shops and services whose sales do not count until somebody acts. */
  sources: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      label: z.string(),
      trouble: z.enum(sourceTroubles),
      since: z.string(),
      /** Why the other side refuses it, in its words. */
      reason: z.string().nullable(),
      /** Events that wait. */
      waiting: z.number(),
      /** Requests with a wrong signature. */
      refused: z.number(),
    }),
  ),
  /** Sales that no connection took, and some platform still takes. */
  untold: z.object({
    conversions: z.number(),
    money: z.array(money),
    /** Whether there are more. */
    isPartial: z.boolean(),
    /** The connections that can be told of them. */
    connectionIds: z.array(z.number()),
  }),
});

/** What a retry takes: everything undelivered of the account that somebody can change, narrowed; with a code, all that has it. */
export const retryFilter = z.object({
  connectionId: z.number().int().min(1).optional(),
  state: z.enum(undeliveredStates).optional(),
  code: z.string().max(60).optional(),
  /** The id of the oldest delivery that it takes. */
  since: z.number().int().min(1).optional(),
});

/** `POST /api/accounts/:account/undelivered/count`: takes a `retryFilter`. */
export const countRetryReply = z.object({
  ...counts,
  /** Whether a retry may take more: counts and money are those of each connection's newest deliveries. */
  isPartial: z.boolean(),
  /** Deliveries that match but stay: their connection is not active. */
  held: z.array(
    z.object({ connectionId: z.number(), connectionState: z.enum(connectionStates), deliveries: z.number() }),
  ),
});

/** `POST /api/accounts/:account/undelivered/retry` → 202, this. Takes the `retryFilter` that was counted. */
export const task = z.object({
  id: z.number(),
  kind: z.enum(['retry']),
  state: z.enum(['running', 'done', 'failed']),
  filter: retryFilter,
  /** Deliveries counted when it began; null: too many to count. */
  total: z.number().nullable(),
  /** Deliveries pending again, with the adjustments that follow their conversion: may end above `total`. */
  done: z.number(),
  /** How these have ended by now: of the first ten thousand, if there are more. */
  outcome: z.object({ delivered: z.number(), failed: z.number(), skipped: z.number(), pending: z.number() }),
  /** What is wrong, if it failed. */
  message: z.string().nullable(),
  startedBy: z.string(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
});

/** `GET /api/accounts/:account/tasks`: the five newest. `GET /api/accounts/:account/tasks/:id` → `task`. */
export const listTasksReply = z.object({ items: z.array(task) });

export type UndeliveredReply = z.output<typeof undeliveredReply>;
export type UndeliveredGroup = UndeliveredReply['groups'][number];
export type AttentionReply = z.output<typeof attentionReply>;
export type RetryFilter = z.output<typeof retryFilter>;
export type CountRetryReply = z.output<typeof countRetryReply>;
export type Task = z.output<typeof task>;
