import { readFile } from 'node:fs/promises';
import { type Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import type { ConnectionField } from '@leadback/platforms';
import { OperatorError, optionFlag } from './options.ts';

/** An error about an option, which shows nothing of its value. */
const optionProblem = (name: string, given: string): OperatorError =>
  new OperatorError(`${optionFlag(name)}: ${given}`);

/** The content of a file that an option names. */
export const readFileText = async (name: string, path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') {
      throw optionProblem(
        name,
        `there is no file ${path}; give the path of a file. A container only sees mounted files`,
      );
    }
    throw optionProblem(name, `cannot read ${path} (${String(code)}); give a file that this user may read`);
  }
};

interface Stream {
  /** Whether a person is at its other end. */
  readonly isTTY?: boolean;
}

/** What a command reads and writes besides its words: `process`, or what a test puts in its place. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & Stream;
  /** `columns`: the width of the terminal, if it is one. */
  readonly stdout: Pick<Writable, 'write'> & { readonly columns?: number };
  readonly stderr: Writable & Stream;
}

/** Where secrets come from besides files. */
export interface SecretSources {
  /** The next line of standard input. */
  readonly nextLine: (name: string) => Promise<string>;
  /** What is typed on the terminal, without showing it. */
  readonly ask: (name: string) => Promise<string>;
}

type Streams = Pick<Terminal, 'stdin' | 'stderr'>;

const askOnTerminal = async ({ stdin: input, stderr }: Streams, name: string): Promise<string> => {
  if (input.isTTY !== true) {
    throw optionProblem(name, 'there is no terminal to ask on; give @ and the path of a file, or - for standard input');
  }
  stderr.write(`${optionFlag(name)} (not shown): `);
  // echoes nothing
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: nowhere, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    stderr.write('\n');
  }
};

export const secretSources = (streams: Streams): SecretSources => {
  let lines: Promise<string[]> | undefined;
  return {
    async nextLine(name) {
      lines ??= text(streams.stdin).then((all) => all.split(/\r?\n/));
      const line = (await lines).shift()?.trim() ?? '';
      if (line === '') throw optionProblem(name, 'standard input has no line for it; give one line for each -');
      return line;
    },
    ask: (name) => askOnTerminal(streams, name),
  };
};

/** For scripts of tests, whose secrets are none. */
export const fromArgvOption = [
  '--from-argv-i-know',
  'take secrets from the command line, where every user of this machine can read them',
] as const;

const readKey = async (name: string, typed: unknown): Promise<unknown> => {
  if (typeof typed !== 'string' || !/^@./.test(typed)) {
    throw optionProblem(name, 'expected @ and the path of a key file, such as @key.json');
  }
  const path = typed.slice(1);
  const given = await readFileText(name, path);
  try {
    return JSON.parse(given);
  } catch {
    throw optionProblem(name, `${path} is not JSON; give the key file as the platform made it, of the type JSON`);
  }
};

const readSecret = async (name: string, typed: unknown, { ask, nextLine }: SecretSources): Promise<string> => {
  if (typed === true) return ask(name);
  if (typed === '-') return nextLine(name);
  if (typeof typed === 'string' && /^@./.test(typed)) return (await readFileText(name, typed.slice(1))).trim();
  throw optionProblem(
    name,
    'a secret on the command line is visible to every user of this machine and stays in the history of the shell; ' +
      'give no value to be asked for it, @ and the path of a file, or - for standard input (in scripts of tests: --from-argv-i-know)',
  );
};

type SecretField = Pick<ConnectionField, 'name' | 'isFile' | 'isSecret'>;

interface TypedOptions extends Readonly<Record<string, unknown>> {
  readonly fromArgvIKnow?: unknown;
}

/**
 * Replaces what stands for secrets and key files with their content: `@key.json`, `-` for a line of standard input, no
 * value to be asked on the terminal. Throws an OperatorError that shows nothing of the content, also for a secret that
 * was typed as it is.
 */
export const readSecrets = async (
  { fromArgvIKnow, ...typed }: TypedOptions,
  platforms: readonly { readonly fields: readonly SecretField[] }[],
  sources: SecretSources,
): Promise<Readonly<Record<string, unknown>>> => {
  const content: Record<string, unknown> = { ...typed };
  const read = async ({ name, isFile }: SecretField, value: unknown): Promise<unknown> => {
    if (isFile) return readKey(name, value);
    return fromArgvIKnow === true && typeof value === 'string' ? value : readSecret(name, value, sources);
  };
  const fields = new Map(platforms.flatMap((platform) => platform.fields).map((field) => [field.name, field]));
  for (const field of fields.values()) {
    const value = typed[field.name];
    // the empty text removes a value
    if ((!field.isSecret && !field.isFile) || value === undefined || value === '') continue;
    content[field.name] = await read(field, value);
  }
  return content;
};
