import { join } from 'node:path';
import { findInterpreter } from '@leadback/testing/stack';
import { z } from 'zod';
import { root } from '../support/code-blocks.ts';
import { type LineProcess, lineProcess } from './line-process.ts';

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
