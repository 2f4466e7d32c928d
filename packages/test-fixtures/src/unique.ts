import { randomBytes } from 'node:crypto';

/** A name that no other test has. */
export const unique = (name: string): string => `${name}-${randomBytes(6).toString('hex')}`;
