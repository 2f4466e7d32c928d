import type { ApiKey } from '@leadback/db';

/** Leaves out the hash of the key. */
export const keyRow = ({ id, name, prefix, isTest, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }: ApiKey) => ({
  id,
  name,
  prefix,
  isTest,
  may: scopes.join(','),
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
});
