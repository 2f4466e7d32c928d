// `node scripts/run.mjs <task> [argument…]` installs what a fresh clone lacks and runs scripts/<task>.ts under the Node of
// the workspace. Plain JavaScript without dependencies, because it must run under any installed Node (20 or newer).
// Standard output belongs to the task; messages of this script go to standard error.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inRoot = (...names) => join(root, ...names);
const read = (...names) => readFileSync(inRoot(...names), 'utf8');
const readJson = (...names) => JSON.parse(read(...names));

const [task, ...taskArguments] = process.argv.slice(2);
const script = inRoot('scripts', `${task}.ts`);
const node = inRoot('node_modules', 'node', 'bin', 'node');
const pnpmVersion = readJson('package.json').packageManager.slice('pnpm@'.length);
const pnpmFolderNote = inRoot('node_modules', `.pnpm-${pnpmVersion}-folder`);

// shuts a task down when the process that started it is killed
const endWithStarter = `data:text/javascript,
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();`;

const say = (text) => process.stderr.write(`${text}\n`);

let child;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (!child?.kill(signal)) process.exit(128 + constants.signals[signal]);
  });
}

/** Resolves with the exit status of a program. Exits if a signal ended the program. */
const run = (file, args, options) =>
  new Promise((resolve, reject) => {
    child = spawn(file, args, { cwd: root, ...options });
    child.once('error', reject);
    child.once('exit', (status, signal) => {
      if (signal) process.exit(128 + constants.signals[signal]);
      resolve(status);
    });
  });

const workspaceFolders = () => {
  const [, list] = /^packages:\n((?: +- .+\n)+)/m.exec(read('pnpm-workspace.yaml'));
  const patterns = Array.from(list.matchAll(/- '?([^'\n]+)/g), ([, pattern]) => pattern);
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -'/*'.length);
    return readdirSync(inRoot(parent)).map((name) => `${parent}/${name}`);
  });
};

const hasDependencies = (folder) => {
  if (!existsSync(inRoot(folder, 'package.json'))) return true;
  const { dependencies, devDependencies } = readJson(folder, 'package.json');
  const names = Object.keys({ ...dependencies, ...devDependencies });
  return names.every((name) => existsSync(inRoot(folder, 'node_modules', name)));
};

const isInstalled = () => {
  const installed = ['node_modules', '.pnpm', 'lock.yaml'];
  return (
    existsSync(node) &&
    existsSync(inRoot(...installed)) &&
    read(...installed) === read('pnpm-lock.yaml') &&
    ['.', ...workspaceFolders()].every(hasDependencies)
  );
};

const install = async (pnpm) => {
  say('Installing dependencies …');
  // no prompt about a node_modules of another tool: there may be no terminal
  const options = ['--frozen-lockfile', '--config.confirmModulesPurge=false'];
  const status = await run(pnpm, ['install', ...options], { stdio: ['inherit', 2, 2] });
  if (status !== 0) {
    throw new Error(
      'cannot install the dependencies; the output of pnpm is above. Check that this machine can reach the npm ' +
        'registry (npm ping) and that pnpm-lock.yaml matches the package.json files (pnpm install).',
    );
  }
  if (!isInstalled()) {
    throw new Error(
      'the dependencies are installed but incomplete. Node 24 needs its install script: check that install scripts are ' +
        'enabled (npm config get ignore-scripts).',
    );
  }
};

const holdsPinnedPnpm = (folder) => {
  const pnpm = join(folder, 'pnpm');
  if (!existsSync(pnpm)) return false;
  try {
    const stdio = ['ignore', 'pipe', 'ignore'];
    return execFileSync(pnpm, ['--version'], { cwd: root, encoding: 'utf8', stdio }).trim() === pnpmVersion;
  } catch {
    return false;
  }
};

const fetchPnpm = () => {
  say(`Fetching pnpm ${pnpmVersion} …`);
  const args = ['--yes', `--package=pnpm@${pnpmVersion}`, '-c', 'command -v pnpm'];
  try {
    const path = execFileSync('npx', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    return dirname(path.trim().split('\n').at(-1));
  } catch (error) {
    const reason =
      error.code === 'ENOENT'
        ? `cannot fetch pnpm ${pnpmVersion}: there is no npx on PATH. Install npm, which includes npx, or that pnpm.`
        : `cannot fetch pnpm ${pnpmVersion}; the output of npx is above. Check that this machine can reach the npm ` +
          'registry (npm ping), or install that pnpm.';
    throw new Error(reason, { cause: error });
  }
};

/** The folder of the pinned pnpm that an earlier run has stored, because the search takes longer than the rest of a start. */
const notedPnpmFolder = () => {
  const noted = existsSync(pnpmFolderNote) ? readFileSync(pnpmFolderNote, 'utf8') : '';
  return noted && existsSync(join(noted, 'pnpm')) ? noted : undefined;
};

// renamed, because another run may be reading it
const notePnpmFolder = (folder) => {
  const draft = `${pnpmFolderNote}-${process.pid}`;
  writeFileSync(draft, folder);
  renameSync(draft, pnpmFolderNote);
};

const main = async () => {
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Error(`Leadback needs Node 20 or newer to start; ${process.execPath} is ${process.versions.node}.`);
  }
  if (!existsSync(script))
    throw new Error('Usage: node scripts/run.mjs <task> [argument…]; a task is a scripts/<task>.ts.');

  const noted = notedPnpmFolder();
  const folder = noted ?? process.env.PATH.split(delimiter).find(holdsPinnedPnpm) ?? fetchPnpm();
  if (!isInstalled()) await install(join(folder, 'pnpm'));
  if (folder !== noted) notePnpmFolder(folder);

  const path = [inRoot('node_modules', '.bin'), dirname(node), folder, process.env.PATH].join(delimiter);
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
  const env = { ...process.env, PATH: path };
  return run(node, ['--import', endWithStarter, script, ...taskArguments], { stdio, env });
};

try {
  process.exitCode = await main();
} catch (error) {
  say(`\n${error.message}`);
  process.exitCode = 1;
}
