import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findExecutable, findOrInstall } from '@leadback/local-stack';
import { cacheFolder, inCache } from './cache-folder.ts';
import { debianMirror } from './debian-mirror.ts';
import { type Ended, runProgram, tryProgram } from './program.ts';
import { startDaemon } from './start-daemon.ts';

/** Docker with Compose and BuildKit. */
export interface Engine extends AsyncDisposable {
  /** Runs docker. Throws if it fails. */
  readonly docker: (...args: readonly string[]) => Promise<string>;
  readonly tryDocker: (...args: readonly string[]) => Promise<Ended>;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
}

type Say = (text: string) => void;

const advice =
  'deploy:check needs Docker 25 or newer with Compose 2.24 or newer, and this user must be allowed to use it. Install them, or run ' +
  'it as root on Debian, where it unpacks its own';
const composeMin = [2, 24] as const;

const engineIn = (env: NodeJS.ProcessEnv, version: string, daemon?: AsyncDisposable): Engine => ({
  docker: (...args) => runProgram(['docker', ...args], { env }),
  tryDocker: (...args) => tryProgram(['docker', ...args], { env }),
  env,
  version,
  [Symbol.asyncDispose]: async () => daemon?.[Symbol.asyncDispose](),
});

/** The versions of an engine that runs, or undefined. */
const versionOf = async (env: NodeJS.ProcessEnv): Promise<string | undefined> => {
  if (findExecutable(['docker'], env['PATH']?.split(delimiter) ?? []) === undefined) return undefined;
  const engine = await tryProgram(['docker', 'version', '--format', '{{.Server.Version}}'], { env });
  const compose = await tryProgram(['docker', 'compose', 'version', '--short'], { env });
  const [major = 0, minor = 0] = compose.stdout.replace(/^v/, '').split('.').map(Number);
  const isRecent = major > composeMin[0] || (major === composeMin[0] && minor >= composeMin[1]);
  if (engine.status !== 0 || compose.status !== 0 || !isRecent) return undefined;
  return `Docker ${engine.stdout.trim()}, Compose ${compose.stdout.trim()}`;
};

const packages = { runc: 'runc', iptables: 'iptables' } as const;

/** Unpacks Docker of Debian 13 beside the cache, and starts its daemon. */
const ownEngine = async (say: Say): Promise<Engine> => {
  if (findExecutable(['apt-get']) === undefined || process.getuid?.() !== 0) throw new Error(advice);
  const log = say;
  for (const [program, name] of Object.entries(packages)) {
    const find = () => findExecutable([program]);
    const announcement = `Installing ${name} with apt-get …`;
    await findOrInstall({ find, packageNames: [name], announcement, advice, log });
  }
  const folder = inCache('engine');
  const root = join(folder, 'root');
  if (!existsSync(root)) {
    say(`Unpacking Docker and Compose of Debian 13 into ${root} (93 MB to download; nothing is installed) …`);
    rmSync(join(folder, 'root.new'), { recursive: true, force: true });
    await runProgram(['sh', join(import.meta.dirname, 'unpack-docker.sh'), folder, await debianMirror()]);
  }
  const config = inCache('engine', 'config');
  const plugins = join(root, 'usr', 'libexec', 'docker', 'cli-plugins');
  writeFileSync(join(config, 'config.json'), JSON.stringify({ cliPluginsExtraDirs: [plugins] }));
  const path = [join(root, 'usr', 'bin'), join(root, 'usr', 'sbin'), process.env['PATH']].join(delimiter);
  const socket = join(inCache('docker'), 'docker.sock');
  const env = { ...process.env, PATH: path, DOCKER_CONFIG: config, DOCKER_HOST: `unix://${socket}` };
  const daemon = await startDaemon(env);
  const version = await versionOf(env);
  if (version === undefined)
    throw new Error(`the Docker in ${cacheFolder} does not run. Delete that folder and try again`);
  return engineIn(env, version, daemon);
};

/** The Docker of this machine, or one of its own that is unpacked into the cache. */
export const bringEngine = async (say: Say): Promise<Engine> => {
  const version = await versionOf(process.env);
  return version === undefined ? ownEngine(say) : engineIn(process.env, version);
};
