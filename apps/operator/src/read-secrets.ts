import type { ConnectionField, PlatformDescriptor } from '@leadback/platforms';
import { optionProblem, readFileText } from './read-file-text.ts';
import type { SecretSources } from './secret-sources.ts';

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
  const text = await readFileText(name, path);
  try {
    return JSON.parse(text);
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
  platforms: readonly Pick<PlatformDescriptor, 'fields'>[],
  sources: SecretSources,
): Promise<Readonly<Record<string, unknown>>> => {
  const content: Record<string, unknown> = { ...typed };
  const read = async ({ name, isFile }: ConnectionField, value: unknown): Promise<unknown> => {
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
