import { createHash } from 'node:crypto';

const digests = ['', 'null', 'undefined'].map((nothing) => createHash('sha256').update(nothing).digest());
const hashes = new Set([
  ...digests.map((digest) => digest.toString('hex')),
  ...digests.map((digest) => digest.toString('base64')),
]);

/** Whether somebody hashed what was never there: no platform matches anybody by it, and none says so. */
export const isHashOfNothing = (hash: string): boolean => hashes.has(hash);
