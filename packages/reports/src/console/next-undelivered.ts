import type { EntityManager } from '@leadback/db';
import { z } from 'zod';
import { codeOf, ended, isOfPlatform, type UndeliveredFilter } from './undelivered.ts';

/** A place among the undelivered deliveries of an account: by connection, then by id. */
export interface UndeliveredPlace {
  readonly connectionId: number;
  readonly id: number;
}

const placesSchema = z.array(z.object({ connectionId: z.coerce.number(), id: z.coerce.number() }));

const next = `
  select c.id as "connectionId", f.id
  from (select id from platform_connection
        where account_id = ? and ${isOfPlatform} and state = 'active' and id >= ? and (?::bigint is null or id = ?) order by id offset 0) c
  cross join lateral (
    select f.id from feedback f
    where ${ended('?', 'c.id')} and f.id > case when c.id = ? then ? else 0 end and f.id >= ? and f.id <= ?
      and (?::text is null or f.state = ?) and (?::text is null or ${codeOf} = ?)
    order by f.connection_id, f.id limit ?) f
  order by c.id, f.id limit ?`;

/**
 * The next undelivered deliveries of active connections after a place, up to the newest one that counts. For batches: takes
 * the same deliveries as `UndeliveredCounter` counts.
 */
export const nextUndelivered = async (
  em: EntityManager,
  accountId: number,
  {
    connectionId = null,
    state = null,
    code = null,
    since = 0,
  }: { [Name in keyof UndeliveredFilter]: UndeliveredFilter[Name] | null },
  { after, lastId, limit }: { readonly after: UndeliveredPlace; readonly lastId: number; readonly limit: number },
): Promise<UndeliveredPlace[]> => {
  const [from, id] = [after.connectionId, after.id];
  const rows = await em.execute(next, [
    accountId,
    from,
    connectionId ?? null,
    connectionId ?? null,
    accountId,
    from,
    id,
    since ?? 0,
    lastId,
    state ?? null,
    state ?? null,
    code ?? null,
    code ?? null,
    limit,
    limit,
  ]);
  return placesSchema.parse(rows);
};
