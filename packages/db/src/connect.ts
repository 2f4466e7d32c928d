import { Socket } from 'node:net';
import { Client, type PoolClient, type Pool } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { Migrator } from '@mikro-orm/migrations';
import {
  type EntityClass,
  type EntityManager,
  type MetadataStorage,
  MikroORM,
  type Options,
} from '@mikro-orm/postgresql';
import { databaseErrorCode, QueryTimeout } from './failure.ts';
import { inCell } from './cells/cells.ts';
import { entities } from './entities/index.ts';
import { migrations } from './migrations/index.ts';

type Tls = Readonly<Record<string, unknown>>;

/** All that decides which server is used and how, as pg reads it from the URL and from the environment. */
interface DatabaseServer {
  /** A path if it is a Unix socket. */
  readonly host: string;
  readonly port: number;
  /** Empty if nothing names one; the ORM would take another one. */
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** Options of `tls.connect`; false: not encrypted. */
  readonly ssl: Tls | false;
}

const isObject = (value: unknown): value is Tls => typeof value === 'object' && value !== null;

/** Never left to `NODE_TLS_REJECT_UNAUTHORIZED`. */
const checked = (ssl: Tls): Tls => ({ ...ssl, rejectUnauthorized: ssl['rejectUnauthorized'] !== false });

/**
 * The server of a URL. A client of pg reads it, because any other reading could differ from that of the pool: which of two
 * equal parameters counts, what an empty one means, and which variable of the environment stands in. Throws if pg does.
 */
const readDatabaseUrl = (url: string): DatabaseServer => {
  const { host, port, user, password, database, ssl }: Omit<Client, 'ssl'> & { readonly ssl: unknown } = new Client(
    parseIntoClientConfig(url),
  );
  return {
    host,
    port,
    user: user ?? '',
    password: password ?? undefined,
    database,
    ssl: isObject(ssl) ? checked(ssl) : ssl ? checked({}) : false,
  };
};

/** Where a connection to the database of a URL leads, and how. */
export const databaseAddress = (url: string): { host: string; tls: 'verified' | 'unverified' | 'none' } => {
  const { host, ssl } = readDatabaseUrl(url);
  if (ssl === false) return { host, tls: 'none' };
  // libpq's verify-ca: the certificate may be of another server of the authority, which may be a public one
  const isAnyName = ssl['checkServerIdentity'] !== undefined;
  return { host, tls: ssl['rejectUnauthorized'] === false || isAnyName ? 'unverified' : 'verified' };
};

/** As PostgreSQL says it about a statement that writes. */
class ReadOnlyServer extends Error {
  readonly code = '25006';

  constructor() {
    super('the server is a standby: nothing can be written');
  }
}

// as long as connecting may take
const queryTimeoutMs = 1_500;
const follow = { text: 'select follow_promotion() as "isPrimary"', query_timeout: queryTimeoutMs };

const followOn = async (client: Pick<PoolClient, 'query'>, allowsStandby: boolean): Promise<Error | undefined> => {
  try {
    const { rows } = await client.query<{ isPrimary: boolean }>(follow);
    return rows[0]?.isPrimary === false && !allowsStandby ? new ReadOnlyServer() : undefined;
  } catch (error) {
    if (databaseErrorCode(error) === '42883') return undefined; // the database is not migrated, see `assertMigrated`
    return error instanceof Error ? error : new Error(String(error));
  }
};

const ignoreError = () => {}; // the query fails as well

/**
 * The option `verify` of the pool of an app, which is called for each new connection, before its first statement. After a
 * promotion, the first connection moves the ids ahead of those that may be lost. Fails if the server is a standby, unless
 * those are allowed.
 */
const followPromotion =
  ({ allowsStandby = false } = {}) =>
  async (client: PoolClient, done: (failure?: Error) => void): Promise<void> => {
    client.on('error', ignoreError);
    const failure = await followOn(client, allowsStandby);
    client.off('error', ignoreError);
    done(failure);
  };

/**
 * Takes connections that have ended away from their holders, so that the pool can open others in their place. The
 * transactions of Kysely, which the ORM uses, never return a connection on which `begin` or `rollback` failed
 * (`provideControlledConnection` in kysely 0.29): each one would be lost until the process ends.
 */
const returnEndedConnections = (pool: Pool): void => {
  const held = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  const takeBack = (client: PoolClient) => {
    if (!held.has(client)) return;
    client.release(true);
    client.release = () => {}; // the holder may still return it
  };
  pool.on('connect', (client) => {
    // those who return it as soon as their query fails do so first
    client.once('end', () => setImmediate(takeBack, client));
  });
};

/**
 * Ends connections on which a statement waits for its response, and that were silent for so long; their statements fail with
 * `QueryTimeout`. The option `query_timeout` of pg does this as well, but its timer and its function for each statement
 * keep the statement, and the requests that wait for it, until the next full garbage collection.
 */
const endSilentConnections = (pool: Pool, maxMs: number): void => {
  pool.on('connect', ({ connection }) => {
    const { stream } = connection;
    if (!(stream instanceof Socket)) return;
    let answered = stream.bytesWritten;
    // before pg's own listener, which may send the next statement at once
    connection.prependListener('readyForQuery', () => {
      answered = stream.bytesWritten;
    });
    stream.setTimeout(maxMs, () => {
      if (stream.bytesWritten > answered) stream.destroy(new QueryTimeout());
    });
  });
};

export type { EntityManager };

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
  /** How long a connection may take. Default: 1.5 s. */
  readonly connectionMaxMs?: number;
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
const connectionUsualMs = 1_500;
const statementUsualMs = 2_500;
const silentMaxMs = (statementMaxMs: number) => statementMaxMs + 500;

// Shorter than `statement_timeout`, so that a locked row fails its own statement and not the whole batch, which is tried
// again one by one. Longer than a migration locks a table.
const lockTimeout = '-c lock_timeout=500';

// The statements of the apps find rows by key. A plan that is made while a table is small would read all of it, and is kept
// until the table is analyzed, however large it is by then. Compiling a plan costs more than running it.
const planning = '-c enable_seqscan=off -c jit=off';

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
    connectionMaxMs = connectionUsualMs,
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
      connectionTimeoutMillis: connectionMaxMs,
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

interface Bound {
  /** How many may wait for a connection. */
  readonly waitingMax: number;
  /** What the others get, at once. */
  readonly overflow: () => Error;
}

/** The same pool for callers that are refused while many wait for a connection; others may still use the pool itself. */
export const boundedPool = (pool: Pool, { waitingMax, overflow }: Bound): Pool =>
  new Proxy(pool, {
    get: (target, key) => {
      if ((key === 'query' || key === 'connect') && target.waitingCount >= waitingMax) throw overflow();
      return Reflect.get(target, key);
    },
  });
