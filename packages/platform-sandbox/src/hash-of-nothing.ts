import { createHash } from 'node:crypto';

const digests = ['', 'null', 'undefined'].map((nothing) => createHash('sha256').update(nothing).digest());
const hashes = new Set([
  ...digests.map((digest) => digest.toString('hex')),
  ...digests.map((digest) => digest.toString('base64')),
]);

/** Whether it is the hash of a missing value: no platform matches a person by it, and none reports it as an error. */
export const isHashOfNothing = (hash: string): boolean => hashes.has(hash);
