import { randomBytes } from 'node:crypto';
import { type Contacts, openContacts } from '@leadback/db';
import type { SecretsKeys } from '@leadback/secrets';

/** The `SECRETS_KEY` of this test run. */
export const secretsKey: Buffer = randomBytes(32);

/** The same as a list of keys. */
export const secretsKeys: SecretsKeys = [secretsKey];

/** Reads and writes encrypted contact data. */
export const givenContacts = (): Contacts => openContacts(secretsKeys);
