import { fileURLToPath } from 'node:url';
import type { Log } from '../log.ts';
import { runCommand } from '../processes/run-command.ts';
import { findExecutable } from './find-executable.ts';

export interface Installation {
  readonly announcement: string;
  /** What the reader can do if the installation is not possible. */
  readonly advice: string;
  readonly log: Log;
}

const script = fileURLToPath(new URL('install-with-apt.sh', import.meta.url));

const mayUseSudo = () =>
  runCommand(['sudo', '-n', 'true']).then(
    () => true,
    () => false,
  );

/** Installs a package on Debian and its derivatives, as root or with a passwordless sudo. Throws with the advice. */
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
