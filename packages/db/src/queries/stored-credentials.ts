import { z } from 'zod';
import type { EntityManager } from '../database.ts';
import type { CredentialsOwner } from '../encrypted-credentials.ts';

/** The credentials of one connection, as they are stored. */
export interface StoredCredentials extends CredentialsOwner {
  readonly sealed: Buffer;
}

const rowsMax = 200;
const rowsSchema = z.array(
  z.object({
    id: z.coerce.number(),
    accountId: z.coerce.number(),
    sealed: z.hex().transform((hex) => Buffer.from(hex, 'hex')),
  }),
);
const columns = `id, account_id as "accountId", encode(credentials, 'hex') as sealed`;

/** Gives the credentials of all connections, in the order of their ids, a few hundred at a time. */
export async function* allStoredCredentials(em: EntityManager): AsyncGenerator<StoredCredentials, void, void> {
  for (let after = 0; ; ) {
    const rows = await em.execute(`select ${columns} from platform_connection where id > ? order by id limit ?`, [
      after,
      rowsMax,
    ]);
    const found = rowsSchema.parse(rows);
    yield* found;
    if (found.length < rowsMax) return;
    after = found.at(-1)?.id ?? after;
  }
}

/** Gives the credentials of one connection as they are now; undefined where it is gone. */
export const readStoredCredentials = async (em: EntityManager, id: number): Promise<StoredCredentials | undefined> => {
  const [row] = rowsSchema.parse(await em.execute(`select ${columns} from platform_connection where id = ?`, [id]));
  return row;
};
