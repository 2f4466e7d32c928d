import { type Ended, runProgram, tryProgram } from './program.ts';

/** Docker with Compose and BuildKit. */
export interface Engine {
  /** Runs docker. Throws if it fails. */
  readonly docker: (...args: readonly string[]) => Promise<string>;
  readonly tryDocker: (...args: readonly string[]) => Promise<Ended>;
  readonly version: string;
}

const advice =
  'deploy-check needs Docker 25 or newer with Compose 2.24 or newer, and this user must be allowed to use it.';
const composeMin = [2, 24] as const;

const docker = (...args: readonly string[]) => runProgram(['docker', ...args]);

/** The Docker of this machine. Throws if there is none, or an old one. */
export const findEngine = async (): Promise<Engine> => {
  const versionOf = (...args: readonly string[]) =>
    docker(...args).catch((cause: unknown) => {
      throw new Error(advice, { cause });
    });
  const engine = await versionOf('version', '--format', '{{.Server.Version}}');
  const compose = (await versionOf('compose', 'version', '--short')).replace(/^v/, '');
  const [major = 0, minor = 0] = compose.split('.').map(Number);
  if (major < composeMin[0] || (major === composeMin[0] && minor < composeMin[1])) throw new Error(advice);
  return {
    docker,
    tryDocker: (...args) => tryProgram(['docker', ...args]),
    version: `Docker ${engine.trim()}, Compose ${compose.trim()}`,
  };
};
