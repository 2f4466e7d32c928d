import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { runCommand } from '../processes/run-command.ts';
import type { Log } from '../restartable-server.ts';
import { findExecutable, pathFolders } from './find-executable.ts';
import { findOrInstall } from './find-or-install.ts';

// the headless shell is the same browser without what is around its pages, and needs less of a processor
const chromiumNames = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'Google Chrome',
];
const folderOnMac = '/Applications/Google Chrome.app/Contents/MacOS';

const chromium = () => process.env['CHROMIUM'] || findExecutable(chromiumNames, [...pathFolders(), folderOnMac]);

/** The path in CHROMIUM, of an installed Chromium, or of one that it installs now. */
export const findChromium = (log: Log = () => {}): Promise<string> =>
  findOrInstall({
    find: chromium,
    packageNames: ['chromium-headless-shell'],
    announcement: 'Installing headless Chromium with apt-get (90 MB) …',
    advice:
      'The browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM to its path',
    log,
  });

const hasCurl = (php: string): boolean => {
  try {
    execFileSync(php, ['-r', 'curl_version();'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const packages = {
  curl: { packageNames: ['curl'], size: '4 MB', isComplete: () => true },
  python3: { packageNames: ['python3'], size: '30 MB', isComplete: () => true },
  php: { packageNames: ['php-cli', 'php-curl'], size: '18 MB', isComplete: hasCurl },
} as const;

/** Runs code samples of partners, besides Node. */
export type Interpreter = keyof typeof packages;

export const interpreters: readonly Interpreter[] = ['curl', 'python3', 'php'];

/** The path of the program; installs it if missing. */
export const findInterpreter = (name: Interpreter, log: Log = () => {}): Promise<string> => {
  const { packageNames, size, isComplete } = packages[name];
  const install = `apt-get install ${packageNames.join(' ')}`;
  return findOrInstall({
    find: () => {
      const program = findExecutable([name]);
      return program !== undefined && isComplete(program) ? program : undefined;
    },
    packageNames,
    announcement: `Installing ${packageNames.join(' and ')} with apt-get (${size}) …`,
    advice: `The samples and SDKs of partners need ${packageNames.join(' and ')}: install them (Debian: ${install})`,
    log,
  });
};

const promtoolAdvice =
  'The tests of the alerts need promtool: put promtool of Prometheus on the PATH or set PROMTOOL to its path';

// unpacked and not installed: an installed Prometheus would start with the machine
const unpack = `exec 9< /var/lib/apt # as install-with-apt.sh
flock 9
mkdir -p "$1"
cd "$1"
[ ! -e promtool ] || exit 0
apt-get download prometheus || { apt-get update && apt-get download prometheus; }
dpkg-deb --extract prometheus_*.deb .
ln usr/bin/promtool .`;

/** The path in PROMTOOL, on the PATH, or of one in the folder, unpacked from Debian's package once. */
export const findPromtool = async (folder: string): Promise<string> => {
  const present = process.env['PROMTOOL'] || findExecutable(['promtool']);
  if (present) return present;
  try {
    await runCommand(['sh', '-ec', unpack, 'sh', folder]);
    return join(folder, 'promtool');
  } catch (error) {
    throw new Error(`${promtoolAdvice}. (${String(error)})`, { cause: error });
  }
};
