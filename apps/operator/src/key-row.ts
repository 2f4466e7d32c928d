import type { ApiKey } from '@leadback/db';

/** Leaves out the hash of the key. */
export const keyRow = ({ id, name, prefix, isTest, createdAt, expiresAt, revokedAt, lastUsedAt }: ApiKey) => ({
  id,
  name,
  prefix,
  isTest,
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
});
