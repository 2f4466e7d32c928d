import { type Pool, preparedStatement } from '@leadback/db';

const read = preparedStatement<{ server: string | null }>('read-server', 'select server from installation');

/** The system and the timeline of PostgreSQL as of the last connection of an app: another one after a promotion. */
export const readServer = async (pool: Pool): Promise<string | undefined> =>
  (await read(pool, []))[0]?.server ?? undefined;
