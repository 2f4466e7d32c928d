import { type ClientRecord, readClient as read } from '@leadback/reports';
import type { Database } from '@leadback/db';
import { type AccountMode, Refusal } from '@leadback/domain';

export type ReadClient = (mode: AccountMode, id: number) => Promise<ClientRecord>;

/** Throws `client-unknown`. */
export const readClient =
  (pool: Database['pool']): ReadClient =>
  async (mode, id) => {
    const client = await read(pool, mode, id);
    if (client) return client;
    throw new Refusal('client-unknown.id');
  };
