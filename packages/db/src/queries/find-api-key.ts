import type { AccountId, AccountStatus } from '@leadback/domain';
import type { Pool } from 'pg';
import { preparedStatement } from '../prepared-statement.ts';

export interface FoundApiKey {
  readonly id: number;
  readonly accountId: AccountId;
  readonly accountStatus: AccountStatus;
  readonly isExpired: boolean;
  /** What is registered with it is a test. */
  readonly isTest: boolean;
  /** Requests a second that the key may make. */
  readonly rateLimit: number;
}

interface Row {
  id: number;
  account_id: number;
  status: AccountStatus;
  is_expired: boolean;
  is_test: boolean;
  rate_limit: number;
}

// Also notes that the key is in use, at most once a minute, so that a busy key does not write with every request.
const find = preparedStatement<Row>(
  'find-api-key',
  `with used as (
     update api_key set last_used_at = now()
     where key_hash = $1 and revoked_at is null
       and (last_used_at is null or last_used_at < now() - interval '1 minute')
   )
   select k.id, k.account_id, account.status, account.rate_limit, k.is_test,
          coalesce(k.expires_at <= now(), false) as is_expired
   from api_key k join account on account.id = k.account_id
   where k.key_hash = $1 and k.revoked_at is null`,
);

/** Finds a key by its SHA-256. A revoked key is not found. */
export const findApiKey = async (pool: Pool, keyHash: Buffer): Promise<FoundApiKey | undefined> => {
  const [row] = await find(pool, [keyHash]);
  if (!row) return undefined;
  return {
    id: row.id,
    accountId: row.account_id,
    accountStatus: row.status,
    isExpired: row.is_expired,
    isTest: row.is_test,
    rateLimit: row.rate_limit,
  };
};
