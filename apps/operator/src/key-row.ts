import type { ApiKey } from '@leadback/db';

/** What may be shown of a key that was issued. */
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
