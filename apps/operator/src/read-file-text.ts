import { readFile } from 'node:fs/promises';
import { OperatorError } from './operator-error.ts';
import { optionFlag } from './option-flag.ts';

/** An error about an option, which shows nothing of its value. */
export const optionProblem = (name: string, text: string): OperatorError =>
  new OperatorError(`${optionFlag(name)}: ${text}`);

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
