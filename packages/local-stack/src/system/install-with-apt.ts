import { fileURLToPath } from 'node:url';
import type { Log } from '../log.ts';
import { runCommand } from '../processes/run-command.ts';
import { findExecutable } from './find-executable.ts';

export interface Installation {
  readonly announcement: string;
  /** What the reader can do where we cannot. */
  readonly advice: string;
  readonly log: Log;
}

const script = fileURLToPath(new URL('install-with-apt.sh', import.meta.url));

const mayUseSudo = () =>
  runCommand(['sudo', '-n', 'true']).then(
    () => true,
    () => false,
  );

/** Installs a package of Debian, or of a relative of it, as root or by a sudo that asks for no password. */
export const installWithApt = async (
  packageName: string,
  { announcement, advice, log }: Installation,
): Promise<void> => {
  if (!findExecutable(['apt-get'])) throw new Error(advice);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && !(await mayUseSudo())) throw new Error(advice);

  log(announcement);
  try {
    await (isRoot ? runCommand(['sh', script, packageName]) : runCommand(['sudo', '-n', 'sh', script, packageName]));
  } catch (error) {
    throw new Error(`${advice}. (${String(error)})`, { cause: error });
  }
};
