import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { findInterpreter } from '@leadback/testing/stack';
import { z } from 'zod';
import { root } from '../support/code-blocks.ts';

/** A process that answers each line of its standard input with a line. */
interface LineProcess extends AsyncDisposable {
  ask(line: string): Promise<string>;
}

/** It ends when its standard input ends, at the latest with this process. */
const lineProcess = ([program = '', ...args]: readonly string[]): LineProcess => {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const complaints = text(child.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (line) => {
      child.stdin.write(`${line}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${program} ${args.join(' ')}: ${await complaints}`);
      return value;
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await ended;
    },
  };
};

const harness = (name: string) => join(root, 'tests', 'sdk', 'harness', name);
const files = join(root, 'apps', 'api', 'src', 'documentation', 'sdk');

/** The SDK in each language, with the command that calls it. */
export const languages = [
  {
    language: 'JavaScript',
    command: () => Promise.resolve([process.execPath, '--conditions=leadback-source', harness('call.mjs')]),
  },
  { language: 'Python', command: async () => [await findInterpreter('python3'), harness('call.py'), files] },
  { language: 'PHP', command: async () => [await findInterpreter('php'), harness('call.php'), files] },
] as const;

export type Language = (typeof languages)[number];

export interface Call {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly call: string;
  readonly arguments?: readonly unknown[] | undefined;
}

const outcomeSchema = z.union([
  z.strictObject({ result: z.unknown() }),
  z.strictObject({
    error: z.strictObject({
      status: z.number(),
      code: z.string(),
      message: z.string(),
      requestId: z.string().nullable(),
    }),
  }),
  z.strictObject({ thrown: z.string() }),
]);

export type Outcome = z.infer<typeof outcomeSchema>;

export const apiKey = 'lb_secretSecretSecretSecretSecretSecretSecr';

export interface Sdk extends AsyncDisposable {
  call(given: Call): Promise<Outcome>;
}

/** The SDK of a language, in processes of its own: each makes one call at a time, and as many as there are. */
export const givenSdk = ({ command }: Language): Sdk => {
  const all: LineProcess[] = [];
  const idle: LineProcess[] = [];
  const start = async () => {
    const started = lineProcess(await command());
    all.push(started);
    return started;
  };
  return {
    call: async ({ options = {}, ...call }) => {
      const asked = { arguments: [], ...call, options: { apiKey, baseUrl: 'http://127.0.0.1:9/api/v1', ...options } };
      const one = idle.pop() ?? (await start());
      const line = await one.ask(JSON.stringify(asked));
      idle.push(one);
      return outcomeSchema.parse(JSON.parse(line));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(all.map((one) => one[Symbol.asyncDispose]()));
    },
  };
};
