import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { findInterpreter } from '@leadback/local-stack';
import { z } from 'zod';
import { root } from '../support/code-blocks.ts';

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

/** Calls the SDK of a language in a process of its own. */
export const callSdk = async ({ command }: Language, { options = {}, ...call }: Call): Promise<Outcome> => {
  const [program = '', ...args] = await command();
  const input = JSON.stringify({
    arguments: [],
    ...call,
    options: { apiKey, baseUrl: 'http://127.0.0.1:9/api/v1', ...options },
  });
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(program, args, { maxBuffer: 2 ** 26 }, (error, out, err) => {
      if (error) reject(new Error(`${program} ${args.join(' ')}: ${err}${out}`, { cause: error }));
      else resolve(out);
    });
    child.stdin?.end(input);
  });
  return outcomeSchema.parse(JSON.parse(output));
};
