import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type TestDatabase, givenDatabase, secretsKey } from '@leadback/testing';
import { inject } from 'vitest';
import { z } from 'zod';
import { mainOf } from '../../../tests/support/main-of.ts';
import type { Terminal } from '../src/read-secrets.ts';
import { runOperator } from '../src/run-operator.ts';

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
  /** Runs a command at a terminal, where a person answers its question. */
  readonly answer: (line: Line, answer: string) => Promise<Typed>;
  /** Runs a command like `type`, in a process of its own, which takes fifty times as long. */
  readonly typeInProcess: (line: Line, other?: NodeJS.ProcessEnv) => Promise<Typed>;
  /** Runs a command with `--json`; throws if it writes to standard error. */
  readonly json: (line: Line, other?: NodeJS.ProcessEnv) => Promise<unknown>;
  readonly givenAccountId: () => Promise<number>;
}

// the secrets of tests are none
const wordsOf = (line: Line) => {
  const words = typeof line === 'string' ? line.split(' ') : line;
  return /^(?:connection|source) (?:create|change)$/.test(words.slice(0, 2).join(' '))
    ? [...words, '--from-argv-i-know']
    : words;
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
  const answer = async (line: Line, typed: string): Promise<Typed> => {
    const terminal = givenTerminal(ownEnv);
    const stdin = Object.assign(Readable.from([`${typed}\n`]), { isTTY: true });
    const status = await runOperator(wordsOf(line), { ...terminal, stdin });
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
    answer,
    typeInProcess,
    json,
    givenAccountId: async () =>
      z.object({ id: z.number() }).parse(await json('account create --name Zapatos --allow-same-name')).id,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
};

const collected = () => {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { stream, text: () => text };
};

export interface TestTerminal extends Terminal {
  /** What was written to standard output. */
  readonly out: () => string;
  /** What was written to standard error. */
  readonly err: () => string;
}

/** Standard input is empty, and nothing is a terminal: as in a script. */
export const givenTerminal = (env: NodeJS.ProcessEnv = {}): TestTerminal => {
  const [out, err] = [collected(), collected()];
  return { env, stdin: Readable.from([]), stdout: out.stream, stderr: err.stream, out: out.text, err: err.text };
};

/** Writes a file in a folder of its own; returns its path. */
export const givenFile = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(await mkdtemp(join(inject('temporaryFolder'), 'files-')), name);
  await writeFile(path, content);
  return path;
};
