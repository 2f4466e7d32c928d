import { Migrator } from '@mikro-orm/migrations';
import {
  type EntityClass,
  type MetadataStorage,
  MikroORM,
  type Options,
  type SqlEntityManager,
} from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { inCell } from './cells/keep-ids-in-cell.ts';
import { readDatabaseUrl } from './database-server.ts';
import { endSilentConnections } from './end-silent-connections.ts';
import { entities } from './entities/index.ts';
import { followPromotion } from './follow-promotion.ts';
import { migrations } from './migrations/index.ts';
import { returnEndedConnections } from './return-ended-connections.ts';

export type EntityManager = SqlEntityManager;

/** Connections for named queries. Dispose to close them. */
export interface ConnectionPool extends AsyncDisposable {
  readonly pool: Pool;
  /** Whether the server is reachable now. Throws or returns false if it is not. */
  answers(): Promise<boolean>;
}

/** The pool is also the ORM's own. */
export interface Database extends ConnectionPool {
  /** A fork for one unit of work. */
  em(): EntityManager;
  readonly orm: MikroORM;
}

export interface DatabaseOptions {
  /** Add `?sslmode=verify-full` for TLS, and `&sslrootcert=` with the file of a private certificate authority. */
  readonly url: string;
  readonly applicationName: string;
  readonly connectionsMax?: number;
  /** When a statement is ended. Default: after 2.5 s. */
  readonly statementMaxMs?: number;
  /** Sets no timeout of statements and locks. For work that no request waits for. */
  readonly hasNoStatementTimeout?: boolean;
  /** Moves the ids ahead after a promotion. For all that write to a migrated database. */
  readonly followsPromotions?: boolean;
  /** Of those that follow promotions, only one that ends soon may read a standby: its connections outlive a promotion. */
  readonly allowsStandby?: boolean;
  /** Creates the database if it does not exist. */
  readonly createsDatabase?: boolean;
  /** Those that are read or written as entities; a start takes 2 ms longer for each. Default: all. */
  readonly entities?: readonly EntityClass[];
}

// Together less than the 5 s within which every caller gets a response. `statement_timeout` ends a slow statement at the
// server, which says so in time; a connection that is silent for longer has lost its other end.
const connectionTimeoutMillis = 1_500;
const statementUsualMs = 2_500;
const silentMaxMs = (statementMaxMs: number) => statementMaxMs + 500;

// Shorter than `statement_timeout`, so that a locked row fails its own statement and not the whole batch, which is tried
// again one by one. Longer than a migration locks a table.
const lockTimeout = '-c lock_timeout=500';

// The statements of the apps find rows by key. A plan that is made while a table is small would read all of it, and is
// kept until the table is analyzed, however large it is by then; one that sorts what an index has in order reads all of it as
// well. Compiling a plan costs more than running it.
const planning = '-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';

// the same for all databases of a process that have the same list, and their discovery takes 2 ms of a processor for each
const discovered = new WeakMap<readonly EntityClass[], MetadataStorage>();

/** The entities, discovered once. */
const entitiesOnce = (wanted: readonly EntityClass[]): Pick<Options, 'entities' | 'discovery'> => {
  const known = discovered.get(wanted);
  if (known === undefined) {
    const keep = (storage: MetadataStorage) => void discovered.set(wanted, storage);
    return { entities: [...wanted], discovery: { warnWhenNoEntities: false, afterDiscovered: keep } };
  }
  const takeOver = (storage: MetadataStorage) => {
    for (const entity of known) storage.set(entity.class, entity);
  };
  return { entities: [], discovery: { warnWhenNoEntities: false, afterDiscovered: takeOver } };
};

const ormOptions = (options: DatabaseOptions): Options => {
  const { url, applicationName, connectionsMax = 10, createsDatabase = false, entities: wanted = entities } = options;
  const {
    hasNoStatementTimeout = false,
    statementMaxMs = statementUsualMs,
    followsPromotions = false,
    allowsStandby = false,
  } = options;
  // PGOPTIONS would not count beside options of the app
  const { options: own = process.env['PGOPTIONS'] } = parseIntoClientConfig(url);
  // not the URL, which the ORM would read in its own way
  const { database, ...server } = readDatabaseUrl(url);
  return {
    ...entitiesOnce(wanted),
    ...(database !== undefined && { dbName: database }),
    pool: { min: 0, max: connectionsMax },
    driverOptions: {
      ...server,
      application_name: applicationName,
      keepAlive: true,
      ...(followsPromotions && { verify: followPromotion({ allowsStandby }) }),
      connectionTimeoutMillis,
      ...(!hasNoStatementTimeout && { statement_timeout: statementMaxMs }),
      options: `${hasNoStatementTimeout ? '' : `${lockTimeout} ${planning}`} ${own ?? ''}`.trim(),
    },
    ensureDatabase: createsDatabase,
    extensions: [Migrator],
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true }, // only the migrations define them
    // each migration in its own transaction or in none: indexes are built while apps are running
    migrations: { migrationsList: migrations.map(inCell), allOrNothing: false, snapshot: false, silent: true },
    logger: () => {}, // errors reach the caller; the ORM's log lines would contain parameters
  };
};

const poolOf = async (orm: MikroORM, options: DatabaseOptions): Promise<ConnectionPool> => {
  const { hasNoStatementTimeout = false, statementMaxMs = statementUsualMs } = options;
  const pool = await orm.driver.getConnection().getNativeClient();
  returnEndedConnections(pool);
  if (!hasNoStatementTimeout) endSilentConnections(pool, silentMaxMs(statementMaxMs));
  return {
    pool,
    answers: async () => (await pool.query('select 1')).rowCount === 1,
    [Symbol.asyncDispose]: async () => {
      await orm.close();
      // orm.close() leaves a pool open that only named queries have used
      if (!pool.ended) await pool.end();
    },
  };
};

/** As `openDatabase`, without entities. */
export const openPool = async (options: Omit<DatabaseOptions, 'entities'>): Promise<ConnectionPool> =>
  poolOf(await MikroORM.init(ormOptions({ ...options, entities: [] })), options);

/** Connects at first use, so that an app starts while PostgreSQL is unavailable. Dispose to close the pool. */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const orm = await MikroORM.init(ormOptions(options));
  return { ...(await poolOf(orm, options)), orm, em: () => orm.em.fork() };
};
