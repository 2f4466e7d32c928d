import { randomBytes } from 'node:crypto';
import { type EntityManager, type Database, type DatabaseOptions, openDatabase, openPool } from '@leadback/db';
import { afterAll, vi } from 'vitest';
import { waitMaxMs } from './wait-max-ms.ts';

export const saved = async <Row extends object>(em: EntityManager, row: Row): Promise<Row> => {
  await em.persist(row).flush();
  return row;
};

/** Appends a random suffix. */
export const unique = (name: string): string => `${name}-${randomBytes(6).toString('hex')}`;

/** One transparent pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

// as long as a busy machine needs
const patient = <Opened extends Pick<Database, 'pool'>>(opened: Opened): Opened => {
  Object.assign(opened.pool.options, { connectionTimeoutMillis: 0 });
  return opened;
};

type PatientOptions = Omit<DatabaseOptions, 'statementMaxMs'>;

/** As `openDatabase`, without the limits of the apps for statements and connections. */
export const openPatiently = async (options: PatientOptions): Promise<Database> =>
  patient(await openDatabase({ ...options, statementMaxMs: waitMaxMs }));

/** As `openPool`, without the limits of the apps for statements and connections. */
export const openPatientPool = async (options: Omit<PatientOptions, 'entities'>): ReturnType<typeof openPool> =>
  patient(await openPool({ ...options, statementMaxMs: waitMaxMs }));

interface WaitOptions {
  /** Milliseconds between two checks. Default: 50. */
  readonly interval?: number;
  /** Milliseconds. Default: two minutes, which is for what hangs; more for what takes minutes by itself. */
  readonly timeout?: number;
}

/** Checks until the check throws nothing; returns what it returned then. Throws its last error after the limit. */
export const eventually = <T>(check: () => T | Promise<T>, options: WaitOptions = {}): Promise<T> =>
  vi.waitFor(check, { timeout: waitMaxMs, interval: 50, ...options });

/** What all tests of a file share, from before the first one until after the last one. For the top of a file. */
export const shared = async <Thing extends AsyncDisposable>(opening: Thing | Promise<Thing>): Promise<Thing> => {
  const thing = await opening;
  afterAll(() => thing[Symbol.asyncDispose]());
  return thing;
};
