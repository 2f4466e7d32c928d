import type { AccountId, AccountStatus, KeyScope } from '@leadback/domain';
import { type Pool, failureScopeOf, preparedStatement } from '@leadback/db';
import { batch } from '@leadback/db/batch';
import { waitingBound } from '../once.ts';

export interface FoundApiKey {
  readonly id: number;
  readonly accountId: AccountId;
  readonly accountName: string;
  readonly accountStatus: AccountStatus;
  readonly isExpired: boolean;
  /** Everything registered with it is a test. */
  readonly isTest: boolean;
  readonly scopes: readonly KeyScope[];
  /** Requests per second. */
  readonly rateLimit: number;
  /** Whether its last use was saved more than a minute ago. */
  readonly isUseUnnoted: boolean;
}

// Plan: each key by its hash; see `preparedStatement`.
const find = preparedStatement<FoundApiKey & { hash: string }>(
  'find-api-keys',
  `select encode(asked.hash, 'hex') as hash, k.id, k.account_id as "accountId", account.name as "accountName", account.status as "accountStatus",
          account.rate_limit as "rateLimit", k.is_test as "isTest", k.scopes,
          coalesce(k.expires_at <= now(), false) as "isExpired",
          coalesce(k.last_used_at < now() - interval '1 minute', true) as "isUseUnnoted"
   from unnest($1::bytea[]) asked (hash)
   cross join lateral (select * from api_key where key_hash = asked.hash and revoked_at is null limit 1) k
   cross join lateral (select name, status, rate_limit from account where id = k.account_id limit 1) account`,
);

/**
 * Holds the lookups that wait to share a statement. Returns a function that finds a key by its SHA-256 in hexadecimal. Revoked keys are not found. Lookups are batched,
 * so that a flood of invalid keys uses at most two connections.
 */
export const apiKeyFinder = (pool: Pool): ((hash: string) => Promise<FoundApiKey | null>) =>
  batch(
    async (hashes: readonly string[]) => {
      const rows = await find(pool, [hashes.map((hash) => Buffer.from(hash, 'hex'))]);
      const keys = new Map(rows.map(({ hash, ...key }) => [hash, key]));
      return hashes.map((hash) => keys.get(hash) ?? null);
    },
    { itemsMax: 200, runsMax: 2, failureScope: failureScopeOf, bound: waitingBound },
  );

const noteUse = preparedStatement('note-api-key-use', 'update api_key set last_used_at = now() where id = $1');

export const noteApiKeyUse = async (pool: Pool, id: number): Promise<void> => {
  await noteUse(pool, [id]);
};
