import { randomBytes } from 'node:crypto';
import type { Keys } from '@leadback/domain';

/** The `SECRETS_KEY` of this test run. */
export const secretsKey: Buffer = randomBytes(32);

/** The same as a list of keys. */
export const secretsKeys: Keys = [secretsKey];
