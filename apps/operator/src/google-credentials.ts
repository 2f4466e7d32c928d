import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { OperatorError } from './operator-error.ts';

/** Google's two kinds of credentials, by the options that give them. A connection has one of them, whole. */
const kinds = [['serviceAccount'], ['clientId', 'clientSecret', 'refreshToken']] as const;
const eitherKind = '--service-account @key.json, or --client-id, --client-secret and --refresh-token';

type Content = Readonly<Record<string, unknown>>;

const isGiven = (content: Content, names: readonly string[]) =>
  names.some((name) => content[name] !== undefined && content[name] !== '');

/** The options of one kind; undefined if there are none of either. Throws an OperatorError if there are some of both. */
const googleKindOf = (content: Content): readonly string[] | undefined => {
  const [given, other] = kinds.filter((names) => isGiven(content, names));
  if (other !== undefined) throw new OperatorError(`give one kind of credentials: ${eitherKind}`);
  return given;
};

/** One message instead of one per missing credential; undefined if some were given. */
export const noGoogleCredentials = (content: Content): z.core.$ZodIssue | undefined =>
  googleKindOf(content) === undefined
    ? {
        code: 'custom',
        path: ['serviceAccount'],
        message: `there are no credentials; give ${eitherKind}`,
        input: undefined,
      }
    : undefined;

/** Removes stored credentials of one kind if credentials of the other kind are typed. */
export const withoutOtherKind = (stored: Content, typed: Content): Content => {
  const kind = googleKindOf(typed);
  const replaced = kind === undefined ? [] : kinds.filter((names) => names !== kind).flat();
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !replaced.some((other) => other === name)));
};

const problem = (text: string) => new OperatorError(`--service-account: ${text}`);

const readText = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') {
      throw problem(
        `there is no file ${path}; give the path of the key that Google Cloud made. A container only sees mounted files`,
      );
    }
    throw problem(`cannot read ${path} (${String(code)}); give a file that this user may read`);
  }
};

/**
 * Replaces the file name in `--service-account @key.json` with the content of the file. Throws an OperatorError that
 * shows nothing of the content.
 */
export const readKeyFile = async (typed: Content): Promise<Content> => {
  const serviceAccount = typed['serviceAccount'];
  if (typeof serviceAccount !== 'string' || serviceAccount === '') return typed;
  if (!/^@./.test(serviceAccount)) {
    throw problem('expected @ and the path of a key file, such as @key.json');
  }
  const path = serviceAccount.slice(1);
  const text = await readText(path);
  try {
    const key: unknown = JSON.parse(text);
    return { ...typed, serviceAccount: key };
  } catch {
    throw problem(`${path} is not JSON; give the key file as Google Cloud made it, of the key type JSON`);
  }
};
