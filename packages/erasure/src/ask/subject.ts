import type { AccountId, ErasureName } from '@leadback/domain';
import { decrypt, keysFor, encrypt, type Keys, type SecretsKeys } from '@leadback/secrets';
import { z } from 'zod';

const subjectSchema = z.object({
  email: z.string().optional(),
  /** Of a live client, a test client, or both. */
  externalReference: z.string().optional(),
  leadReference: z.string().optional(),
});

/** Whom to erase. Exactly one of them is given. */
export type ErasureSubject = Readonly<z.output<typeof subjectSchema>>;

export const erasureKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'erasure');

const ownerOf = (accountId: AccountId): string => `erasure in account ${accountId}`;

/** By what the person is named. */
export const nameOf = ({ email, externalReference }: ErasureSubject): ErasureName => {
  if (email !== undefined) return 'email';
  return externalReference === undefined ? 'lead' : 'reference';
};

/** A row of an erasure keeps the person encrypted, and only until it has ended. */
export const encryptSubject = (keys: Keys, accountId: AccountId, subject: ErasureSubject): Buffer =>
  encrypt(keys, ownerOf(accountId), subject);

/** Throws if none of the keys fits. */
export const decryptSubject = (keys: Keys, accountId: AccountId, encrypted: Buffer): ErasureSubject =>
  subjectSchema.parse(decrypt(keys, ownerOf(accountId), encrypted));
