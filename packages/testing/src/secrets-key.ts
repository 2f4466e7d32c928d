import { randomBytes } from 'node:crypto';
import { type Contacts, openContacts } from '@leadback/db';
import type { MasterKeys } from '@leadback/domain/keys';

/** The `SECRETS_KEY` of this test run. */
export const secretsKey: Buffer = randomBytes(32);

/** The same as a list of keys. */
export const secretsKeys: MasterKeys = [secretsKey];

/** Reads and writes encrypted contact data. */
export const givenContacts = (): Contacts => openContacts(secretsKeys);
