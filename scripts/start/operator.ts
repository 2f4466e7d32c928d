import { Readable, PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runOperator } from '../../apps/operator/src/run-operator.ts';

export interface OperatorSurroundings {
  readonly databaseUrl: string;
  readonly secretsKey: string;
  readonly landingUrl: string;
  readonly consoleUrl: string;
}

/** Runs an operator command and returns its JSON output, wherever the operator is. */
export type Operate = (...args: string[]) => Promise<unknown>;

/** The environment variables of an operator. */
const operatorEnvironment = (around: OperatorSurroundings): NodeJS.ProcessEnv => ({
  ...process.env,
  DATABASE_URL: around.databaseUrl,
  SECRETS_KEY: around.secretsKey,
  LANDING_URL: around.landingUrl,
  CONSOLE_URL: around.consoleUrl,
});

/**
 * Runs an operator command and returns its JSON output. Throws with its standard error if it fails. It runs in this
 * process: one of its own would load the operator again for each command.
 */
export const operate = async (around: OperatorSurroundings, ...args: string[]): Promise<unknown> => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const terminal = { env: operatorEnvironment(around), stdin: Readable.from([]), stdout, stderr };
  const status = await runOperator([...args, '--json'], terminal);
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  if (status !== 0) throw new Error(err.trim());
  return JSON.parse(out);
};
