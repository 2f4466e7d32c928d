import { randomBytes } from 'node:crypto';

/** Appends a random suffix. */
export const unique = (name: string): string => `${name}-${randomBytes(6).toString('hex')}`;
