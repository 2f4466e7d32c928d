import { fileURLToPath } from 'node:url';
import { runCommand } from '../processes/run-command.ts';
import type { Log } from '../restartable-server.ts';
import { findExecutable } from './find-executable.ts';

interface Installation {
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

/** Installs packages on Debian and its derivatives, as root or with a passwordless sudo. Throws with the advice. */
const installWithApt = async (
  packageNames: readonly string[],
  { announcement, advice, log }: Installation,
): Promise<void> => {
  if (!findExecutable(['apt-get'])) throw new Error(advice);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && !(await mayUseSudo())) throw new Error(advice);

  log(announcement);
  try {
    await (isRoot
      ? runCommand(['sh', script, ...packageNames])
      : runCommand(['sudo', '-n', 'sh', script, ...packageNames]));
  } catch (error) {
    throw new Error(`${advice}. (${String(error)})`, { cause: error });
  }
};

interface Wanted extends Installation {
  readonly find: () => string | undefined;
  readonly packageNames: readonly string[];
}

/** The path of the program; installs it if missing. */
export const findOrInstall = async ({ find, packageNames, ...installation }: Wanted): Promise<string> => {
  const installed = find();
  if (installed) return installed;
  await installWithApt(packageNames, installation);
  const fresh = find();
  if (!fresh) throw new Error(installation.advice);
  return fresh;
};
