import { connectionStates, currencies, eventKinds, platformNames } from '@leadback/domain';
import { z } from 'zod';
import { field, inLanguages } from './values.ts';

/** `GET /api/accounts/:account/connections/platforms`: what each platform needs to know. */
export const platformsReply = z.object({
  items: z.array(
    z.object({
      name: z.enum(platformNames),
      /** What is needed to connect it. */
      needed: inLanguages(z.string()),
      settings: z.array(field),
      /** The kinds of credentials; a connection has one of them, whole. */
      credentials: z.array(z.array(field)),
      eventKinds: z.array(z.enum(eventKinds)),
      /** The names of the settings that name events at the platform; null: it has no such setting. */
      eventSettings: z.object({ conversion: z.string(), lead: z.string() }).partial().nullable(),
    }),
  ),
});

/** How a rejected connection is fixed. */
export const remedy = z.object({
  words: inLanguages(z.string()),
  /** The fields to enter again. */
  change: z.array(z.string()),
});

const connection = z.object({
  id: z.number(),
  platform: z.enum(platformNames),
  /** What it is called: its destination if it has no label. */
  label: z.string(),
  destination: z.string(),
  state: z.enum(connectionStates),
  /** Why the platform rejects it, in its words. */
  stateReason: z.string().nullable(),
  remedy: remedy.nullable(),
  /** The platform soon ends the version of its API that this release uses, or has ended it. */
  versionEnd: z.object({ version: z.string(), endsAt: z.string(), hasEnded: z.boolean() }).nullable(),
  eventKinds: z.array(z.enum(eventKinds)),
  createdAt: z.string(),
  /** Pending deliveries, also of tests. */
  waiting: z.number(),
  /** Adjustments among them that wait until their conversion is confirmed; of those that are due first. */
  held: z.number(),
  /** Those that wait for a later attempt, of those that are due first, why one of them does, and when that attempt is. */
  retrying: z.number(),
  retryReason: z.string().nullable(),
  retryAt: z.string().nullable(),
  /** How the newest conversions ended, at most 200, and when one of them was delivered last. */
  recent: z.object({ delivered: z.number(), failed: z.number(), skipped: z.number(), pending: z.number() }),
  deliveredAt: z.string().nullable(),
  /** Deliveries that failed within a day; if it is partial, at least so many. */
  failedInDay: z.number(),
  isFailedPartial: z.boolean(),
});

/** `GET /api/accounts/:account/connections`: those to platforms; webhooks are another screen. */
export const connectionsReply = z.object({ items: z.array(connection) });

/** `GET /api/accounts/:account/connections/:id` */
export const connectionReply = z.object({
  connection,
  /** For a change: it is refused if somebody else has changed the connection meanwhile. */
  version: z.string(),
  /** Empty: it is called as its destination. */
  label: z.string(),
  settings: z.record(z.string(), z.string()),
  /** The names of the credentials that are set, never their values; null: they cannot be decrypted and must be entered again. */
  credentials: z.array(z.string()).nullable(),
  /** By the partner's name for an event: what the platform calls it. */
  eventNames: z.record(z.string(), z.string()),
});

const typed = {
  /** Empty: as its destination. */
  label: z.string().max(1_000).optional(),
  /** Settings and credentials by name; an empty text removes one. Content of a key file is an object. */
  content: z.record(z.string().max(60), z.union([z.string().max(10_000), z.record(z.string(), z.unknown())])),
  eventKinds: z.array(z.enum(eventKinds)).min(1, 'choose at least one event'),
  eventNames: z.record(z.string().max(100), z.string().max(200)),
};

/** `POST /api/accounts/:account/connections/check` → 200 `checkReply`, nothing is stored. */
export const newConnectionInput = z.object({ platform: z.enum(platformNames), ...typed });

/** `POST /api/accounts/:account/connections` → 201 `createdReply`. */
export const createConnectionInput = newConnectionInput.extend({
  /** Checks it once it is stored: one that the platform rejects is held. */
  isChecked: z.boolean().default(false),
});
export const createdReply = z.object({ id: z.number() });

/** `POST /api/accounts/:account/connections/:id/change` → 200 `changedReply`, 409 `conflict`. What is not named stays. */
export const changeConnectionInput = z.object({
  /** Undefined: whichever there is. */
  version: z.string().max(200).optional(),
  ...typed,
});

/**
 * `POST /api/accounts/:account/connections/:id/check`: sends a test event. One that is held and works is resumed, one that is rejected is
 * held.
 */
export const checkReply = z.object({
  outcome: z.enum(['delivered', 'rejected', 'refused', 'throttled', 'unavailable', 'postponed']),
  /** The platform's words. */
  reason: z.string().nullable(),
  httpStatus: z.number().nullable(),
  /** The platform's response, at most 2 KB, without secrets. */
  answer: z.string().nullable(),
  /** What the rejection means for the connection. */
  note: inLanguages(z.string()).nullable(),
  remedy: remedy.nullable(),
  /** Deliveries that waited for the connection, and are sent now. */
  sent: z.number(),
});

/** `check`: of a connection that was held, or has new credentials. */
export const changedReply = connectionReply.extend({ check: checkReply.nullable() });

/** `POST /api/accounts/:account/connections/:id/pause`, `…/resume`: how many deliveries wait, or are sent now. */
export const switchedReply = z.object({ deliveries: z.number() });

/** `POST /api/accounts/:account/connections/:id/delete` → `switchedReply`: what waited. 409 if something waits, unless it is discarded. */
export const deleteConnectionInput = z.object({ isDiscarding: z.boolean() });

/** Live sales that occurred in a range; `queued`: the connection is told of them, or would be. Amounts are of these, by currency. */
const backfilled = z.object({
  conversions: z.number(),
  already: z.number(),
  tooOld: z.number(),
  retracted: z.number(),
  queued: z.number(),
  amounts: z.partialRecord(z.enum(currencies), z.string()),
});

/**
 * `POST /api/accounts/:account/connections/:id/backfill`: tells a connection of the sales that it was not told of, for about a second.
 * The next call goes on with what the last one replied.
 */
export const backfillInput = z.object({
  isDryRun: z.boolean(),
  sums: backfilled.optional(),
  after: z.object({ soldAt: z.iso.datetime(), id: z.number() }).optional(),
});
export const backfillReply = z.object({
  sums: backfilled,
  /** Null: this was the last part. */
  next: z.object({ soldAt: z.string(), id: z.number() }).nullable(),
});

export type BackfillInput = z.input<typeof backfillInput>;
export type BackfillReply = z.output<typeof backfillReply>;
export type PlatformsReply = z.output<typeof platformsReply>;
export type PlatformForm = PlatformsReply['items'][number];
export type Connection = z.output<typeof connection>;
export type ConnectionsReply = z.output<typeof connectionsReply>;
export type ConnectionReply = z.output<typeof connectionReply>;
export type NewConnectionInput = z.input<typeof newConnectionInput>;
export type CreateConnectionInput = z.input<typeof createConnectionInput>;
export type ChangedReply = z.output<typeof changedReply>;
export type ChangeConnectionInput = z.input<typeof changeConnectionInput>;
export type CreatedReply = z.output<typeof createdReply>;
export type CheckReply = z.output<typeof checkReply>;
export type SwitchedReply = z.output<typeof switchedReply>;
