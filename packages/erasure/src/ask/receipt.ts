import { destinationNames, erasureAskers } from '@leadback/domain';
import { z } from 'zod';

/** What an erasure leaves. */
export const keptThings = [
  'clients',
  'conversions',
  'leads',
  'deliveries',
  'webhookLog',
  'metrics',
  'recognition',
  'idempotencyKeys',
  'auditLog',
] as const;
export type KeptThing = (typeof keptThings)[number];

/** What an erasure cannot reach. */
export const unreachedThings = ['backups', 'platforms'] as const;
export type UnreachedThing = (typeof unreachedThings)[number];

const time = z.iso.datetime();
const count = z.int().min(0);

/** What is signed. It has no personal data. */
export const receiptSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  /** Which database, among all of Leadback. */
  installation: z.string(),
  accountId: z.int(),
  askedBy: z.enum(erasureAskers),
  /** Asked for with a test key: test clients alone. */
  isTest: z.boolean(),
  requestedAt: time,
  finishedAt: time,
  erased: z.object({ clients: count, leads: count, importedRows: count, listedRows: count }),
  kept: z.array(z.object({ what: z.enum(keptThings), count: count.optional(), why: z.string() })),
  /** As far as the deliveries are still stored. */
  platformsTold: z.array(z.object({ platform: z.enum(destinationNames), events: count, lastAt: time })),
  /** Deliveries that will be skipped, because nothing is left by which a platform could match them. */
  pendingSkipped: count,
  notReached: z.array(z.object({ what: z.enum(unreachedThings), until: z.iso.date().optional(), why: z.string() })),
});

export type Receipt = z.output<typeof receiptSchema>;
