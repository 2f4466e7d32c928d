import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { entities } from './entities/index.ts';
import { migrations } from './migrations/index.ts';

export type EntityManager = SqlEntityManager;

export interface Database extends AsyncDisposable {
  /** A fork for one unit of work. */
  em(): EntityManager;
  /** The ORM's own pool, for the named queries. */
  readonly pool: Pool;
  readonly orm: MikroORM;
  /** Whether the server can be reached now; throws or gives false where it cannot. */
  answers(): Promise<boolean>;
}

export interface DatabaseOptions {
  /** With `?sslmode=verify-full` for TLS, and `&sslrootcert=` for the file of an authority that is not well known. */
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly connectionsMax?: number;
  /** Lets statements run as long as they need: for those whom nobody waits for. */
  readonly isPatient?: boolean;
  /** Makes the database where there is none. */
  readonly isMade?: boolean;
}

// Together less than the 5 s within which a caller is promised an answer. `query_timeout` also ends queries on a
// connection whose other end has silently gone; `statement_timeout` ends them at the server.
const connectionTimeoutMillis = 1_500;
const queryTimeouts = { query_timeout: 3_000, statement_timeout: 3_000 };

/** Connects when first used: a server that is away is no reason not to start. Dispose to close the pool. */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const { url, applicationName, connectionsMax = 10, isPatient = false, isMade = false } = options;
  const { ssl } = parseIntoClientConfig(url); // of the address the ORM takes everything else
  const orm = await MikroORM.init({
    entities,
    clientUrl: url,
    pool: { min: 0, max: connectionsMax },
    driverOptions: {
      application_name: applicationName,
      keepAlive: true,
      ...(ssl !== undefined && { ssl }),
      connectionTimeoutMillis,
      ...(isPatient ? {} : queryTimeouts),
    },
    ensureDatabase: isMade,
    extensions: [Migrator],
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true }, // they stand in the migrations alone
    // each in a transaction of its own, or in none: an index is built beside the apps at work
    migrations: { migrationsList: migrations, allOrNothing: false, snapshot: false, silent: true },
    logger: () => {}, // errors reach the caller; the ORM's own lines would carry parameters
  });
  const pool = await orm.em.getDriver().getConnection().getNativeClient();
  return {
    em: () => orm.em.fork(),
    pool,
    orm,
    answers: async () => (await pool.query('select 1')).rowCount === 1,
    [Symbol.asyncDispose]: async () => {
      await orm.close();
      // which leaves a pool open that only named queries have used
      if (!pool.ended) await pool.end();
    },
  };
};
