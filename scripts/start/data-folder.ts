import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forgetServer } from '@leadback/local-stack';

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

/** Creates the folder if it is missing. `isFresh`: deletes the data of earlier starts. */
export const prepareDataFolder = async ({ isFresh }: { isFresh: boolean }): Promise<void> => {
  if (isFresh) {
    await forgetServer(postgresFolder);
    await forgetServer(rabbitmqFolder);
    rmSync(dataFolder, { recursive: true, force: true });
  }
  mkdirSync(logFolder, { recursive: true });
};

/** The `SECRETS_KEY` of the data in this folder, generated at the first start. */
export const storedSecretsKey = (): string => {
  if (!existsSync(secretsKeyFile)) writeFileSync(secretsKeyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  return readFileSync(secretsKeyFile, 'utf8');
};
