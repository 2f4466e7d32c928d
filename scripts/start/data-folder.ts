import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
  renameSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { forgetServer } from '@leadback/testing/stack';
import { z } from 'zod';

/** The root of the repository. */
export const root: string = join(import.meta.dirname, '..', '..');

/** The data of `npm start`; `LEADBACK_FOLDER` sets another folder. */
export const dataFolder: string = process.env.LEADBACK_FOLDER ?? join(root, '.leadback');

export const logFolder: string = join(dataFolder, 'logs');
export const leadSpoolFolder: string = join(dataFolder, 'lead-spool');
export const postgresFolder: string = join(dataFolder, 'postgres');
export const rabbitmqFolder: string = join(dataFolder, 'rabbitmq');

export const sandboxEventsFile: string = join(dataFolder, 'sandbox-events.jsonl');

const secretsKeyFile = join(dataFolder, 'secrets-key');

const ofOthers = 0o077;

/** Takes all rights of other users away from the folder and from everything in it. */
const closeToOthers = (path: string): void => {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return;
  if ((stats.mode & ofOthers) !== 0) chmodSync(path, stats.mode & 0o7777 & ~ofOthers);
  if (stats.isDirectory()) for (const entry of readdirSync(path)) closeToOthers(join(path, entry));
};

const mib = 1024 ** 2;
/** What a new PostgreSQL, RabbitMQ and their logs take. */
const freeMinMib = 200;

/** Throws if nothing can be written to the folder, which it creates. */
const assertWritable = (): void => {
  const probe = join(dataFolder, `probe-${process.pid}`);
  try {
    // Node tries for ever to make folders within /proc, with those above
    mkdirSync(dirname(dataFolder), { recursive: true });
    if (!existsSync(dataFolder)) mkdirSync(dataFolder, { mode: 0o700 });
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const todo = 'Set LEADBACK_FOLDER to a folder in which you may write';
    throw new Error(`cannot write to ${dataFolder} (${why}). ${todo}`, { cause: error });
  }
  const { bavail, bsize } = statfsSync(dataFolder);
  const free = Math.floor((bavail * bsize) / mib);
  if (free >= freeMinMib) return;
  const todo = 'Make room, or set LEADBACK_FOLDER to a folder on another disk';
  throw new Error(`the disk of ${dataFolder} is full: ${free} MB are free, and ${freeMinMib} MB are needed. ${todo}`);
};

/**
 * Creates the folder if it is missing, and keeps all other users out: it has keys, passwords and personal data. `isFresh`:
 * deletes the data of earlier starts. Throws if the folder belongs to another user, who could change what is in it.
 */
export const prepareDataFolder = async ({ isFresh }: { isFresh: boolean }): Promise<void> => {
  const uid = lstatSync(dataFolder, { throwIfNoEntry: false })?.uid;
  const own = process.getuid?.() ?? uid;
  if (uid !== undefined && uid !== own) {
    throw new Error(
      `${dataFolder} belongs to user ${uid}, and this is user ${own}: start as that user, or set LEADBACK_FOLDER to another folder`,
    );
  }
  assertWritable();
  if (isFresh) {
    await forgetServer(postgresFolder);
    await forgetServer(rabbitmqFolder);
    for (const entry of readdirSync(dataFolder)) rmSync(join(dataFolder, entry), { recursive: true, force: true });
  }
  mkdirSync(logFolder, { recursive: true, mode: 0o700 });
  closeToOthers(dataFolder);
};

/** The `SECRETS_KEY` of the data in this folder, generated at the first start. */
export const storedSecretsKey = (): string => {
  if (!existsSync(secretsKeyFile)) writeFileSync(secretsKeyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  return readFileSync(secretsKeyFile, 'utf8');
};

const runningFile = join(dataFolder, 'running.json');

const runningSchema = z.object({
  landing: z.string(),
  api: z.string(),
  sandbox: z.string(),
  shop: z.string(),
  /** The simulated shops and payment services: where orders are made. */
  shops: z.record(z.string(), z.string()),
  console: z.string(),
  operations: z.object({ landing: z.string(), api: z.string(), 'feedback-worker': z.string(), console: z.string() }),
  /** For the administrator, as is `amqpUrl`. */
  databaseUrl: z.string(),
  amqpUrl: z.string(),
  /** The roles and the user of the operator's commands. */
  operator: z.object({ databaseUrl: z.string(), ownerDatabaseUrl: z.string(), amqpUrl: z.string() }),
  secretsKey: z.string(),
  pids: z.record(z.string(), z.number()),
  demo: z.object({
    accountId: z.number(),
    apiKey: z.string(),
    testKey: z.string(),
    landingPage: z.string(),
    directPage: z.string(),
    /** `secondFactor`: the secret of an authenticator app, in base32. */
    console: z.object({ email: z.string(), password: z.string(), secondFactor: z.string() }),
    /** The account with 60 days of data that are not real. */
    invented: z.object({ accountId: z.number(), name: z.string() }),
  }),
});

/** Describes a running `npm start`. */
export type Running = z.infer<typeof runningSchema>;

/** Writes atomically: readers never see an incomplete file. */
export const writeRunning = (running: Running): void => {
  writeFileSync(`${runningFile}.new`, `${JSON.stringify(running, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${runningFile}.new`, runningFile);
};

export const readRunning = (): Running | undefined =>
  existsSync(runningFile) ? runningSchema.parse(JSON.parse(readFileSync(runningFile, 'utf8'))) : undefined;

export const removeRunning = (): void => rmSync(runningFile, { force: true });

/** Runs a task of turbo, which does only what is needed since sources have changed. */
export const runTurbo = async (...args: readonly string[]): Promise<void> => {
  await promisify(execFile)(
    join(root, 'node_modules', '.bin', 'turbo'),
    ['run', ...args, '--output-logs=errors-only'],
    {
      cwd: root,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    },
  );
};

/** Builds the pages of the console. */
export const buildWeb = (): Promise<void> => runTurbo('build:web', '--filter', '@leadback/console');
