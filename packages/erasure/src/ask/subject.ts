import { type AccountId, emailKey, type ErasureName } from '@leadback/domain';
import { decrypt, keyedCheck, keysFor, encrypt, type Keys, type SecretsKeys } from '@leadback/secrets';
import { z } from 'zod';

const subjectSchema = z.object({
  email: z.string().optional(),
  /** Of a live client, a test client, or both. */
  externalReference: z.string().optional(),
  leadReference: z.string().optional(),
  /** Of a visitor: what proves that the browser has left the lead. */
  proof: z.string().optional(),
});

/** Whom to erase. Exactly one of the first three is given. */
export type ErasureSubject = Readonly<z.output<typeof subjectSchema>>;

const count = z.int().min(0);

const erasedPersonSchema = z.object({
  clientIds: z.array(z.int()),
  leads: count,
  /** Emptied rows of imported files. */
  importedRows: count,
  /** Rows of reconciled lists that name the person no more. */
  listedRows: count,
  /** Whether clients of the lead are left, because they may be several persons. */
  leavesClients: z.boolean().optional(),
});

/** What an erasure erased. Nobody is recognised by it. */
export type ErasedPerson = Readonly<z.output<typeof erasedPersonSchema>>;

// an array: a version that does not know it fails, and does not take it for a person whom nobody is
const pendingSchema = z.union([z.tuple([z.literal('erased'), erasedPersonSchema]), subjectSchema]);

export const erasureKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'erasure');

const ownerOf = (accountId: AccountId): string => `erasure in account ${accountId}`;

/** By what the person is named. */
export const nameOf = ({ email, externalReference }: ErasureSubject): ErasureName => {
  if (email !== undefined) return 'email';
  return externalReference === undefined ? 'lead' : 'reference';
};

const hashLength = 22;

/**
 * By which another erasure of the same person in the same account is found; the person cannot be guessed from it. That of a
 * lead with a proof is another: a stranger with the reference alone cannot be in the way of the browser that left
 * the lead.
 */
export const subjectHash = (keys: Keys, accountId: AccountId, subject: ErasureSubject): string => {
  const { email, externalReference, leadReference, proof } = subject;
  const named = email === undefined ? (externalReference ?? leadReference ?? '') : emailKey(email);
  return keyedCheck(
    keys,
    `${ownerOf(accountId)} of ${proof === undefined ? '' : 'proven '}${nameOf(subject)} ${named}`,
    hashLength,
  );
};

/** A row of an erasure keeps the person encrypted, and only until it has ended. */
export const encryptSubject = (keys: Keys, accountId: AccountId, subject: ErasureSubject): Buffer =>
  encrypt(keys, ownerOf(accountId), subject);

/** Throws if none of the keys fits. */
export const decryptSubject = (keys: Keys, accountId: AccountId, encrypted: Buffer): ErasureSubject =>
  subjectSchema.parse(decrypt(keys, ownerOf(accountId), encrypted));

/** Replaces the person in the row of an erasure that has erased it, until it has its receipt. */
export const encryptErased = (keys: Keys, accountId: AccountId, erased: ErasedPerson): Buffer =>
  encrypt(keys, ownerOf(accountId), ['erased', erased]);

/** Of a pending erasure: whom to erase, or what was erased already. Throws if none of the keys fits. */
export const decryptPending = (
  keys: Keys,
  accountId: AccountId,
  encrypted: Buffer,
): { readonly subject: ErasureSubject } | { readonly erased: ErasedPerson } => {
  const pending = pendingSchema.parse(decrypt(keys, ownerOf(accountId), encrypted));
  return Array.isArray(pending) ? { erased: pending[1] } : { subject: pending };
};
