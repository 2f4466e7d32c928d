import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './data-folder.ts';

const execute = promisify(execFile);

export interface OperatorSurroundings {
  /** The checkout whose operator runs; default: this one. */
  readonly root?: string;
  readonly databaseUrl: string;
  readonly secretsKey: string;
  readonly landingUrl: string;
  readonly consoleUrl: string;
}

/** Runs an operator command and returns its JSON output, wherever the operator is. */
export type Operate = (...args: string[]) => Promise<unknown>;

/** Runs an operator command and returns its JSON output. Throws with its standard error if it fails. */
export const operate = async (around: OperatorSurroundings, ...args: string[]): Promise<unknown> => {
  const main = join(around.root ?? root, 'apps/operator/src/main.ts');
  const { stdout } = await execute(process.execPath, [main, ...args, '--json'], {
    env: {
      ...process.env,
      DATABASE_URL: around.databaseUrl,
      SECRETS_KEY: around.secretsKey,
      LANDING_URL: around.landingUrl,
      CONSOLE_URL: around.consoleUrl,
    },
  });
  return JSON.parse(stdout);
};
