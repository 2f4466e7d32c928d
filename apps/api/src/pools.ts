import { type Database, openDatabase, openPool, type Pool } from '@leadback/db';

type Opened = Awaited<ReturnType<typeof openPool>>;

/** A pool that the compiler lets periodic jobs have, so that none of them takes a connection of requests. */
export type JobsPool = Pool & { readonly isForJobs: true };
/** A pool that the compiler lets erasures have, and the daily change of partitions. */
export type ErasuresPool = Pool & { readonly isForErasures: true };

export const forJobs = (pool: Pool): JobsPool => Object.assign(pool, { isForJobs: true } as const);
export const forErasures = (pool: Pool): ErasuresPool => Object.assign(pool, { isForErasures: true } as const);

/** The connections of an api to PostgreSQL: ten, as every app, each for one kind of work, so that none waits for another. */
export interface Pools extends AsyncDisposable {
  /** For requests that read, and for the entity manager. */
  readonly database: Database;
  /** For registrations. */
  readonly intake: Opened['pool'];
  /** For periodic jobs, such as imports and roll-ups. */
  readonly jobs: JobsPool;
  /** For erasures, and once a day for partitions, whose statements take as long as they need. */
  readonly erasures: ErasuresPool;
  /** All but that of `database`. */
  readonly others: readonly Opened['pool'][];
}

export const openPools = async (url: string): Promise<Pools> => {
  const connected = { url, applicationName: 'leadback api', followsPromotions: true };
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await openDatabase({ ...connected, connectionsMax: 3, entities: [] }));
  // statements that are tried again one by one have less time each
  const intake = opened.use(await openPool({ ...connected, connectionsMax: 4, statementMaxMs: 1_500 }));
  const jobs = opened.use(await openPool({ ...connected, applicationName: 'leadback api jobs', connectionsMax: 2 }));
  const erasures = opened.use(
    await openPool({
      ...connected,
      applicationName: 'leadback api erasures',
      connectionsMax: 1,
      hasNoStatementTimeout: true,
    }),
  );
  const held = opened.move();
  return {
    database,
    intake: intake.pool,
    jobs: forJobs(jobs.pool),
    erasures: forErasures(erasures.pool),
    others: [intake.pool, jobs.pool, erasures.pool],
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
};
