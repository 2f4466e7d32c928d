import { execFile } from 'node:child_process';
import { givenDatabase, secretsKey, type TestDatabase } from '@leadback/testing';
import { z } from 'zod';
import { mainOf } from '../../../tests/support/main-of.ts';
import { runOperator } from '../src/run-operator.ts';
import { givenTerminal } from './given-terminal.ts';

interface Typed {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Words separated by blanks, or a list if a word contains a blank. */
type Line = string | readonly string[];

export interface TestOperator extends AsyncDisposable {
  readonly database: TestDatabase;
  /** Runs a command; `other` overrides environment variables. */
  readonly type: (line: Line, other?: NodeJS.ProcessEnv) => Promise<Typed>;
  /** Runs a command like `type`, in a process of its own, which takes fifty times as long. */
  readonly typeInProcess: (line: Line, other?: NodeJS.ProcessEnv) => Promise<Typed>;
  /** Runs a command with `--json`; throws if it writes to standard error. */
  readonly json: (line: Line, other?: NodeJS.ProcessEnv) => Promise<unknown>;
  readonly givenAccountId: () => Promise<number>;
}

// the secrets of tests are none
const wordsOf = (line: Line) => {
  const words = typeof line === 'string' ? line.split(' ') : line;
  return /^connection (create|change)$/.test(words.slice(0, 2).join(' ')) ? [...words, '--from-argv-i-know'] : words;
};

const main = mainOf('apps/operator');

/** The operator's command line with a database of its own; `platformsUrl` stands in for all platforms. */
export const givenOperator = async (platformsUrl = 'http://127.0.0.1:9'): Promise<TestOperator> => {
  const database = await givenDatabase();
  const ownEnv = {
    ...process.env,
    DATABASE_URL: database.url,
    SECRETS_KEY: secretsKey.toString('base64'),
    LANDING_URL: 'https://go.example',
    PLATFORM_SANDBOX_URL: platformsUrl,
  };
  const type = async (line: Line, other: NodeJS.ProcessEnv = {}): Promise<Typed> => {
    const terminal = givenTerminal({ ...ownEnv, ...other });
    const status = await runOperator(wordsOf(line), terminal);
    return { status, out: terminal.out(), err: terminal.err() };
  };
  const typeInProcess = (line: Line, other: NodeJS.ProcessEnv = {}) =>
    new Promise<Typed>((resolve) => {
      execFile(process.execPath, [main, ...wordsOf(line)], { env: { ...ownEnv, ...other } }, (error, out, err) =>
        resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
    });
  const json = async (line: Line, other?: NodeJS.ProcessEnv): Promise<unknown> => {
    const { out, err } = await type([...wordsOf(line), '--json'], other);
    if (err !== '') throw new Error(err);
    return JSON.parse(out);
  };
  return {
    database,
    type,
    typeInProcess,
    json,
    givenAccountId: async () => z.object({ id: z.number() }).parse(await json('account create --name Zapatos')).id,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
};
