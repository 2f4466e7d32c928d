import { createHash, randomBytes } from 'node:crypto';

/** 32 random bytes, for a cookie or a link. Only its hash is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** SHA-256: enough for random bytes, which nobody can guess. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
