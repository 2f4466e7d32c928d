import { readFile } from 'node:fs/promises';
import type { PlatformDescriptor } from '@leadback/platforms';
import { OperatorError } from './operator-error.ts';
import { optionFlag } from './option-flag.ts';

const problem = (name: string, text: string) => new OperatorError(`${optionFlag(name)}: ${text}`);

const readText = async (name: string, path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') {
      throw problem(
        name,
        `there is no file ${path}; give the path of the key file. A container only sees mounted files`,
      );
    }
    throw problem(name, `cannot read ${path} (${String(code)}); give a file that this user may read`);
  }
};

const readKey = async (name: string, typed: string): Promise<unknown> => {
  if (!/^@./.test(typed)) throw problem(name, 'expected @ and the path of a key file, such as @key.json');
  const path = typed.slice(1);
  const text = await readText(name, path);
  try {
    return JSON.parse(text);
  } catch {
    throw problem(name, `${path} is not JSON; give the key file as the platform made it, of the type JSON`);
  }
};

/**
 * Replaces file names such as `--service-account @key.json` with the content of the files. Throws an OperatorError that
 * shows nothing of the content.
 */
export const readKeyFiles = async (
  typed: Readonly<Record<string, unknown>>,
  platforms: readonly Pick<PlatformDescriptor, 'fields'>[],
): Promise<Readonly<Record<string, unknown>>> => {
  const content = { ...typed };
  for (const { name, isFile } of platforms.flatMap(({ fields }) => fields)) {
    const value = content[name];
    if (isFile && typeof value === 'string' && value !== '') content[name] = await readKey(name, value);
  }
  return content;
};
