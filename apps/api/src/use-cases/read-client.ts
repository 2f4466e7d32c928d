import { type ClientRecord, type Database, readClient as read } from '@leadback/db';
import { type AccountId, DomainError } from '@leadback/domain';

export type ReadClient = (accountId: AccountId, id: number) => Promise<ClientRecord>;

/** Gives a client of the account. Throws `client-unknown`. */
export const readClient =
  (pool: Database['pool']): ReadClient =>
  async (accountId, id) => {
    const client = await read(pool, accountId, id);
    if (client) return client;
    throw new DomainError('client-unknown', 'id: no client of this account has this id');
  };
