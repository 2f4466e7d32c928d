import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileSync } from 'node:child_process';
import { runCommand } from '../processes/processes.ts';
import type { Log } from '../restartable-server.ts';

const isExecutable = (file: string) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export const pathFolders = (): string[] => (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);

/** The path of the first of the names that is an executable in one of the folders. */
export const findExecutable = (
  names: readonly string[],
  folders: readonly string[] = pathFolders(),
): string | undefined => names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);

interface Installation {
  readonly announcement: string;
  /** What the reader can do if the installation is not possible. */
  readonly advice: string;
  readonly log: Log;
}

const script = fileURLToPath(new URL('./install-with-apt.sh', import.meta.url));

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
type Interpreter = keyof typeof packages;

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
