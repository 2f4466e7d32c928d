import { type Queryable, statement } from '@leadback/db';
import { decryptCredentials, encryptCredentials, type Keys } from '@leadback/domain/keys';
import type { StoredCredentials } from '@leadback/platforms';
import type { DeliveryConnection } from './connections.ts';

const read = statement<{ credentials: Buffer; readAt: string }>(
  `select credentials, clock_timestamp()::text as "readAt" from platform_connection
   where id = $1 and account_id = $2 and version = $3`,
);

// The version does not grow with it: a renewal changes nothing that an operator has entered. What was renewed with
// credentials that were read later is newer.
const keep = statement(
  `update platform_connection set credentials = $4, credentials_renewed_at = $5::timestamptz
   where id = $1 and account_id = $2 and version = $3
     and (credentials_renewed_at is null or credentials_renewed_at < $5::timestamptz)`,
);

/**
 * The credentials of a connection as they are stored now, for a platform that renews them. What it issues instead is
 * stored unless somebody has changed the connection since it was opened, or another app has stored newer ones.
 */
export const storedCredentials = (
  on: Queryable,
  keys: Keys,
  { id, accountId, version }: Pick<DeliveryConnection, 'id' | 'accountId' | 'version'>,
): StoredCredentials => ({
  connectionId: id,
  async read() {
    const [found] = await read(on, [id, accountId, version]);
    return (
      found && {
        credentials: decryptCredentials(keys, { id, accountId }, found.credentials),
        async keep(renewed) {
          const encrypted = encryptCredentials(keys, { id, accountId }, renewed);
          await keep(on, [id, accountId, version, encrypted, found.readAt]);
        },
      }
    );
  },
});
