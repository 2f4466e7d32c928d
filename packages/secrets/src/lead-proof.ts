import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { randomBase62 } from './base62.ts';
import { keyedCheck } from './keyed-check.ts';
import { keysFor, type Keys, type SecretsKeys } from './secrets-keys.ts';

const proofLength = 22;
const signatureLength = 16;
const shape =
  /^(?<signed>(?<reference>[0-9A-Za-z]{22})\.(?<pageId>[1-9]\d{0,15})\.(?<proof>[0-9A-Za-z]{22}))\.(?<signature>[\w-]{16})$/;

/** What proves that a browser has left a lead. A lead reference goes through URLs, so it names a lead and proves nothing. */
export interface LeadProof {
  /** For the cookie alone. */
  readonly proof: string;
  /** For the lead, in hex. */
  readonly hash: string;
}

const hashed = (proof: string): LeadProof => ({ proof, hash: createHash('sha256').update(proof).digest('hex') });

export const leadProofKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'lead proof');

/** 22 random characters (131 bits). */
export const newLeadProof = (): LeadProof => hashed(randomBase62(proofLength));

/** The same proof for the same seed, which must have a secret of the browser. It looks random without the key. */
export const leadProofOf = (keys: Keys, seed: string): LeadProof =>
  hashed(keyedCheck(keys, `proof ${seed}`, proofLength));

const ownLeadSchema = z
  .object({ reference: z.string(), pageId: z.coerce.number(), proof: z.string() })
  .brand<'own lead'>();

/** A lead that this browser has left: only `readOwnLead` makes one, from a cookie that landing has written. */
export type OwnLead = Readonly<z.output<typeof ownLeadSchema>>;

const signatureUnder = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, signatureLength);

/** For the cookie of the browser that has left the lead. Signed, so that a made-up one costs no look at the database. */
export const writeOwnLead = (
  [first]: Keys,
  { reference, pageId, proof }: { readonly reference: string; readonly pageId: number; readonly proof: string },
): string => {
  const signed = `${reference}.${pageId}.${proof}`;
  return `${signed}.${signatureUnder(first, signed)}`;
};

/** Undefined for anything that landing did not write. */
export const readOwnLead = (keys: Keys, written: string): OwnLead | undefined => {
  const { signed, signature, ...lead } = shape.exec(written)?.groups ?? {};
  if (signed === undefined || signature === undefined) return undefined;
  const isSigned = keys.some((key) =>
    timingSafeEqual(Buffer.from(signatureUnder(key, signed)), Buffer.from(signature)),
  );
  return isSigned ? ownLeadSchema.parse(lead) : undefined;
};
