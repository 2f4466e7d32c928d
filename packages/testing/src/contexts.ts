import { randomBytes } from 'node:crypto';
import 'vitest';
import { type ContactCipher, contactCipher } from '@leadback/db';
import type { MasterKeys } from '@leadback/domain/keys';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which tests create databases, by its Unix socket. */
    postgresUrl: string;
    /** A migrated database to copy. */
    templateDatabase: string;
    /** Each POST returns the URL of a new virtual host of RabbitMQ, or the output of rabbitmqctl. */
    sharedBrokerUrl: string;
    /** Deleted at the end of the run. */
    temporaryFolder: string;
  }
}

/** The `SECRETS_KEY` of this test run. */
export const secretsKey: Buffer = randomBytes(32);

/** The same as a list of keys. */
export const secretsKeys: MasterKeys = [secretsKey];

/** Reads and writes encrypted contact data. */
export const givenContacts = (): ContactCipher => contactCipher(secretsKeys);
