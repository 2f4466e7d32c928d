import {
  destinationNames,
  erasureAskers,
  type AccountId,
  type ErasureAsker,
  type ErasureState,
} from '@leadback/domain';
import { z } from 'zod';
import { statement, type Queryable } from '@leadback/db';
import { type ReceiptKey, isSignedReceipt } from '@leadback/domain/keys';

/** What an erasure leaves. */
export const keptThings = [
  'clients',
  'emailsInFiles',
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

const readKeys = statement<{ id: string; public_key: Buffer }>(
  'select id, public_key from receipt_key order by created_at, id',
);

/** Each key that has ever signed a receipt, the oldest first: as many as `SECRETS_KEY` was rotated. */
export const readReceiptKeys = async (on: Queryable): Promise<ReceiptKey[]> =>
  (await readKeys(on, [])).map(({ id, public_key: publicKey }) => ({ id, publicKey }));

/** A receipt as it is published: of the page of the receipt, of the API and of the console. */
export interface SignedReceipt {
  /** The JSON that was signed, to the byte. */
  readonly receipt: string;
  /** In base64. */
  readonly signature: string;
  readonly keyId: string;
}

/** `changed`: its key did not sign it. `unknown-key`: none of these keys has the id that it names. */
export type ReceiptVerdict = 'genuine' | 'changed' | 'unknown-key';

/** Whether one of the keys signed the receipt, and no character of it was changed since. */
export const verifyReceipt = (
  keys: readonly ReceiptKey[],
  { receipt, signature, keyId }: SignedReceipt,
): ReceiptVerdict => {
  const key = keys.find(({ id }) => id === keyId);
  if (!key) return 'unknown-key';
  return isSignedReceipt(key, receipt, signature) ? 'genuine' : 'changed';
};

/** An erasure and its receipt, without whom it is about. */
export interface AskedErasure {
  readonly id: string;
  readonly accountId: AccountId;
  readonly askedBy: ErasureAsker;
  readonly isTest: boolean;
  readonly state: ErasureState;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
  /** The JSON that was signed, to the byte. This and the next two are null until it is done. */
  readonly receipt: string | null;
  /** In base64. */
  readonly signature: string | null;
  readonly keyId: string | null;
}

const read = statement<AskedErasure>(
  `select id, account_id as "accountId", asked_by as "askedBy", is_test as "isTest", state,
          requested_at as "requestedAt", finished_at as "finishedAt", receipt, signature, key_id as "keyId"
   from erasure where id = $1`,
);

export const readErasure = async (on: Queryable, id: string): Promise<AskedErasure | undefined> => {
  const [erasure] = await read(on, [id]);
  return erasure;
};
