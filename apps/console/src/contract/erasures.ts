import { emailAddressSchema, erasureNames, erasureWays, optionalText } from '@leadback/domain';
import { z } from 'zod';

/** Who is erased: by email, or by the client's reference. */
export const personToErase = z
  .object({ email: emailAddressSchema, reference: optionalText(255) })
  .refine(({ email, reference }) => (email === undefined) !== (reference === undefined), {
    path: ['email'],
    error: 'expected either an email or a reference',
  });

/** What stays of an erased person: amounts and days, and deliveries that will be skipped. */
const kept = { conversions: z.number(), pendingDeliveries: z.number() };

/** `POST /api/accounts/:account/erasures/count` changes nothing. */
export const countErasureReply = z.object({
  liveClients: z.number(),
  testClients: z.number(),
  leads: z.number(),
  /** Rows of imported files; null: too many to count, the erasure reads them all. */
  importedRows: z.number().nullable(),
  ...kept,
});

/** An erasure that is pending or failed. Whom it is about is not told. */
const startedErasure = z.object({
  id: z.string(),
  state: z.enum(['pending', 'failed']),
  by: z.enum(erasureNames),
  actor: z.string(),
  requestedAt: z.string(),
});

/** `POST /api/accounts/:account/erasures` → 202. Takes the person who was counted. */
export const startErasureReply = startedErasure;

/** An erasure that a visitor asked for; the account decides. */
const askedErasure = z.object({
  id: z.string(),
  leadReference: z.string(),
  way: z.enum(erasureWays),
  requestedAt: z.string(),
  /** Then it lapses. */
  until: z.string(),
});

export const ofErasure = z.object({ id: z.string().regex(/^[0-9A-Za-z]{22}$/) });

/**
 * `POST /api/accounts/:account/erasures/:id/confirmation` → 202. `POST /api/accounts/:account/erasures/:id/allowance` → 200:
 * the account may register the person again.
 */
export const changedErasureReply = z.object({ id: z.string() });

const receipt = z.object({
  id: z.string(),
  at: z.string(),
  /** A person, a key, the user of the command line, or `visitor`. */
  actor: z.string(),
  clients: z.number(),
  leads: z.number(),
  importedRows: z.number(),
  listedRows: z.number(),
  conversions: z.number(),
  pendingSkipped: z.number(),
  /** Its page. */
  url: z.string(),
  /** What is downloaded, as it is published. */
  signed: z.object({ receipt: z.string(), signature: z.string(), keyId: z.string() }),
  /** Whether the account refuses to register this person again. */
  isSuppressed: z.boolean(),
});

/** `GET /api/accounts/:account/erasures` */
export const listErasuresReply = z.object({
  /** Of the last 7 days, the newest 5: those that the account decided on, then those of visitors. */
  started: z.array(startedErasure),
  /** At most 100 that wait for the account: of browsers that left the lead, then the newest of each network. */
  asked: z.array(askedErasure),
  /** The newest 100 that the account decided on, and the newest 100 of visitors. */
  receipts: z.array(receipt),
});

export type PersonToErase = z.input<typeof personToErase>;
export type CountErasureReply = z.output<typeof countErasureReply>;
export type StartedErasure = z.output<typeof startedErasure>;
export type AskedErasure = z.output<typeof askedErasure>;
export type ChangedErasureReply = z.output<typeof changedErasureReply>;
export type Receipt = z.output<typeof receipt>;
export type ListErasuresReply = z.output<typeof listErasuresReply>;
