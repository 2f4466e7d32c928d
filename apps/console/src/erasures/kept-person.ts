import type { PersonToErase } from '@leadback/erasure';
import { decrypt, deriveKeys, encrypt, type Keys, type SecretsKeys } from '@leadback/secrets';
import { z } from 'zod';

/** In the row of a task: encrypted, and only until the task has ended. */
export const keptPersonSchema = z.object({ by: z.enum(['email', 'reference']), person: z.base64().optional() });
export type KeptPerson = z.output<typeof keptPersonSchema>;

const personSchema = z.object({ email: z.string().optional(), externalReference: z.string().optional() });

const ownerOf = (accountId: number): string => `erasure in account ${accountId}`;

export const erasureKeys = (secretsKeys: SecretsKeys): Keys => deriveKeys(secretsKeys, 'erasure');

export const keepPerson = (keys: Keys, { accountId, ...person }: PersonToErase): KeptPerson => ({
  by: person.email === undefined ? 'reference' : 'email',
  person: encrypt(keys, ownerOf(accountId), person).toString('base64'),
});

/** Throws if none of the keys fits. */
export const readPerson = (keys: Keys, accountId: number, filter: unknown): PersonToErase => {
  const { person = '' } = keptPersonSchema.parse(filter);
  return { accountId, ...personSchema.parse(decrypt(keys, ownerOf(accountId), Buffer.from(person, 'base64'))) };
};
