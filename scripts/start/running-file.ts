import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dataFolder } from './data-folder.ts';

const runningFile = join(dataFolder, 'running.json');

const runningSchema = z.object({
  landing: z.string(),
  api: z.string(),
  sandbox: z.string(),
  shop: z.string(),
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
    landingPage: z.string(),
    directPage: z.string(),
    /** `secondFactor`: the secret of an authenticator app, in base32. */
    console: z.object({ email: z.string(), password: z.string(), secondFactor: z.string() }),
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
