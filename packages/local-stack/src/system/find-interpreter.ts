import type { Log } from '../log.ts';
import { findExecutable } from './find-executable.ts';
import { findOrInstall } from './find-or-install.ts';

const packages = {
  curl: { packageName: 'curl', size: '4 MB' },
  python3: { packageName: 'python3', size: '30 MB' },
  php: { packageName: 'php-cli', size: '16 MB' },
} as const;

/** Runs code samples of partners, besides Node. */
export type Interpreter = keyof typeof packages;

export const interpreters: readonly Interpreter[] = ['curl', 'python3', 'php'];

/** The path of the program; installs it if missing. */
export const findInterpreter = (name: Interpreter, log: Log = () => {}): Promise<string> => {
  const { packageName, size } = packages[name];
  return findOrInstall({
    find: () => findExecutable([name]),
    packageName,
    announcement: `Installing ${packageName} with apt-get (${size}) …`,
    advice: `The samples of docs/partner.md need ${name}: install it (Debian: apt-get install ${packageName})`,
    log,
  });
};
