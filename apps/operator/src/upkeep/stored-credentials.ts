import { z } from 'zod';
import type { EntityManager } from '@leadback/db';
import type { CredentialsOwner } from '@leadback/secrets';

export interface StoredCredentials extends CredentialsOwner {
  readonly platform: string;
  readonly encrypted: Buffer;
}

const rowsMax = 200;
const rowsSchema = z.array(
  z.object({
    id: z.coerce.number(),
    accountId: z.coerce.number(),
    platform: z.string(),
    encrypted: z.hex().transform((hex) => Buffer.from(hex, 'hex')),
  }),
);
const columns = `id, account_id as "accountId", platform, encode(credentials, 'hex') as encrypted`;

/** In the order of their ids, a few hundred per query. */
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

/** Undefined if the connection was deleted. */
export const readStoredCredentials = async (em: EntityManager, id: number): Promise<StoredCredentials | undefined> => {
  const [row] = rowsSchema.parse(await em.execute(`select ${columns} from platform_connection where id = ?`, [id]));
  return row;
};
