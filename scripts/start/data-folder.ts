import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forgetServer } from '@leadback/local-stack';

/** The root of the repository. */
export const root: string = join(import.meta.dirname, '..', '..');

/** Where `npm start` keeps its data; `LEADBACK_FOLDER` moves it. */
export const dataFolder: string = process.env.LEADBACK_FOLDER ?? join(root, '.leadback');

export const logFolder: string = join(dataFolder, 'logs');
export const leadSpoolFolder: string = join(dataFolder, 'lead-spool');
export const postgresFolder: string = join(dataFolder, 'postgres');
export const rabbitmqFolder: string = join(dataFolder, 'rabbitmq');

export const sandboxEventsFile: string = join(dataFolder, 'sandbox-events.jsonl');

const secretsKeyFile = join(dataFolder, 'secrets-key');

/** Makes the folder where there is none. `isFresh`: forgets what earlier starts have left. */
export const prepareDataFolder = async ({ isFresh }: { isFresh: boolean }): Promise<void> => {
  if (isFresh) {
    await forgetServer(postgresFolder);
    await forgetServer(rabbitmqFolder);
    rmSync(dataFolder, { recursive: true, force: true });
  }
  mkdirSync(logFolder, { recursive: true });
};

/** The `SECRETS_KEY` of this folder's data: drawn at the first start, the same ever after. */
export const storedSecretsKey = (): string => {
  if (!existsSync(secretsKeyFile)) writeFileSync(secretsKeyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  return readFileSync(secretsKeyFile, 'utf8');
};
