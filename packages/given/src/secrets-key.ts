import { randomBytes } from 'node:crypto';

/** The `SECRETS_KEY` of this test run. */
export const secretsKey: Buffer = randomBytes(32);
