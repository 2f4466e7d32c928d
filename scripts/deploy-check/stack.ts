import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { root } from '../start/data-folder.ts';
import { footprintIn, sumIn } from '../../tests/support/metrics.ts';

interface Ended {
  readonly status: number;
  readonly stdout: string;
  /** Standard output and standard error, in the order in which they came. */
  readonly output: string;
}

interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

const running = new Set<ChildProcess>();

/** Ends the programs that run now, with all that they have started. */
export const endPrograms = (): void => {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
};

/**
 * Runs a program to its end. In a session of its own: Ctrl-C ends this process first, which then takes down what runs.
 */
const tryProgram = async (
  [file, ...args]: readonly [file: string, ...args: string[]],
  options: ProgramOptions = {},
): Promise<Ended> => {
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let [stdout, output] = ['', ''];
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString();
    output += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    output += text.toString();
  });
  const [status]: unknown[] = await once(child, 'close').finally(() => running.delete(child));
  return { status: typeof status === 'number' ? status : 1, stdout, output };
};

/** The standard output of a program. Throws with the end of its output if it fails. */
const runProgram = async (
  command: readonly [file: string, ...args: string[]],
  options: ProgramOptions = {},
): Promise<string> => {
  const { status, stdout, output } = await tryProgram(command, options);
  if (status === 0) return stdout;
  throw new Error(`${command.slice(0, 4).join(' ')} … ended with status ${status}:\n${output.slice(-3_000)}`);
};

/** Docker with Compose and BuildKit. */
interface Engine {
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

const containerSchema = z.object({
  Id: z.string(),
  RestartCount: z.number(),
  State: z.object({
    Status: z.string(),
    Pid: z.number(),
    ExitCode: z.number(),
    OOMKilled: z.boolean(),
    StartedAt: z.string(),
    Health: z.object({ Status: z.string() }).optional(),
  }),
  Config: z.object({ User: z.string(), Image: z.string() }),
  HostConfig: z.object({ ReadonlyRootfs: z.boolean(), Memory: z.number(), NanoCpus: z.number() }),
  NetworkSettings: z.object({ Networks: z.record(z.string(), z.object({ IPAddress: z.string() })) }),
});
type Container = z.infer<typeof containerSchema>;

export interface ComposeStack {
  /** Runs docker compose on the file. Throws if it fails. */
  readonly compose: (...args: readonly string[]) => Promise<string>;
  readonly tryCompose: (...args: readonly string[]) => Promise<Ended>;
  /** The containers of a service. Throws if there is none, as does `container`. */
  readonly containers: (service: string) => Promise<readonly [Container, ...Container[]]>;
  /** The first container of a service. */
  readonly container: (service: string) => Promise<Container>;
  /** What the containers of these services have logged, as they wrote it. */
  readonly logs: (...services: readonly string[]) => Promise<string>;
  /** Runs an operator command in its image and returns its JSON output. */
  readonly operate: (...args: readonly string[]) => Promise<unknown>;
  /** The generated secrets and settings. */
  readonly settings: Readonly<Record<string, string>>;
  readonly engine: Engine;
  /** The same containers, changed by a file of `deploy/compose` once they are started again. */
  readonly changedBy: (overlay: Overlay) => ComposeStack;
}

/** What changes docker-compose.yml: the files of `deploy/compose`. */
export type Overlay = 'scale' | 'cluster' | 'cells';

interface StackOptions {
  readonly project: string;
  /** For the secrets. */
  readonly folder: string;
  readonly overlay?: Overlay | undefined;
}

/** New secrets, as docs/platform-team.md generates them. */
const newEnv = (): Promise<string> =>
  runProgram(['sh', '-ec', 'sh deploy/compose/new-env.sh; cat deploy/compose/sandbox.env'], { cwd: root });

/** docker-compose.yml of the repository, unchanged, with new secrets. Disposing takes it down with its volumes. */
export const composeStack = async (
  engine: Engine,
  { project, folder, overlay: first }: StackOptions,
): Promise<ComposeStack & AsyncDisposable> => {
  const envFile = join(folder, 'env');
  const generated = await newEnv();
  writeFileSync(envFile, generated, { mode: 0o600 });

  const settings = Object.fromEntries(
    Object.entries(parseEnv(generated)).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

  const stackOf = (overlay: Overlay | undefined): ComposeStack => {
    const files = ['docker-compose.yml', ...(overlay === undefined ? [] : [`deploy/compose/${overlay}.yml`])];
    const command = [
      ...(['docker', 'compose', '--ansi', 'never', '--project-name', project, '--env-file', envFile] as const),
      ...files.flatMap((file) => ['--file', file]),
    ] as const;
    const options = { cwd: root };
    const compose = (...args: readonly string[]) => runProgram([...command, ...args], options);
    const ids = async (service: string): Promise<string[]> => {
      const found = (await compose('ps', '--all', '--quiet', service)).trim().split('\n').filter(Boolean);
      if (found.length === 0) throw new Error(`the service ${service} has no container`);
      return found;
    };
    const containers = async (service: string) =>
      z
        .tuple([containerSchema], containerSchema)
        .parse(JSON.parse(await engine.docker('inspect', ...(await ids(service)))));
    return {
      compose,
      tryCompose: (...args) => tryProgram([...command, ...args], options),
      engine,
      settings,
      logs: async (...services) => {
        const all = (await Promise.all(services.map(ids))).flat();
        const ended = await Promise.all(all.map((id) => engine.tryDocker('logs', id)));
        return ended.map(({ output }) => output).join('');
      },
      containers,
      container: async (service) => (await containers(service))[0],
      operate: async (...args) => JSON.parse(await compose('run', '--rm', '--no-TTY', 'operator', ...args, '--json')),
      changedBy: stackOf,
    };
  };
  const stack = stackOf(first);
  const down = () => stack.tryCompose('--profile', '*', 'down', '--volumes', '--remove-orphans');
  await down(); // what a killed run left
  return { ...stack, [Symbol.asyncDispose]: async () => void (await down()) };
};

/** Kills what runs in a container, as a crash or the kernel would. Not docker kill, after which Docker would leave it stopped. */
export const killWithin = ({ State }: Container): void => void process.kill(State.Pid, 'SIGKILL');

/** Whether it runs and passes its health check, if it has one. */
export const isHealthy = ({ State }: Container): boolean =>
  State.Status === 'running' && (State.Health?.Status ?? 'healthy') === 'healthy';

/** The queues of RabbitMQ, with the columns of `rabbitmqctl list_queues`. */
export const listQueues = async ({ compose }: ComposeStack, ...columns: readonly string[]): Promise<unknown> => {
  const inContainer = ['exec', '--no-TTY', '--user', 'rabbitmq', 'rabbitmq'];
  const list = ['rabbitmqctl', '--silent', '--vhost', 'leadback', 'list_queues', '--formatter', 'json'];
  return JSON.parse(await compose(...inContainer, ...list, ...columns));
};

const operationsPorts = { landing: 9100, api: 9101, 'feedback-worker': 9102, console: 9103 } as const;
export type App = keyof typeof operationsPorts;

const metricsOf = async (app: App, { NetworkSettings }: Container): Promise<string> => {
  const [network] = Object.values(NetworkSettings.Networks);
  return await (await fetch(`http://${network?.IPAddress}:${operationsPorts[app]}/metrics`)).text();
};

/** What each of an app's containers has counted: requests, or deliveries of workers. */
export const workOf = async (app: App, containers: readonly Container[]): Promise<number[]> => {
  const name = app === 'feedback-worker' ? 'leadback_deliveries_settled_total' : 'leadback_http_request_seconds_count';
  return Promise.all(containers.map(async (container) => sumIn(await metricsOf(app, container), name)));
};

export interface Usage {
  readonly memoryMb: number;
  /** Without database connections: pools open as many as work at once needs, up to their limit. */
  readonly sockets: number;
  /** Work in progress has some. Without those of idle database connections. */
  readonly timers: number;
}

/** What an app uses now. Throws if it does not respond. */
export const usageOf = async (app: App, container: Container): Promise<Usage> => {
  const metrics = await metricsOf(app, container);
  const open = (type: string) => sumIn(metrics, 'nodejs_active_resources', { type });
  const connections = (state: 'busy' | 'idle') => sumIn(metrics, 'leadback_database_connections', { state });
  const { memoryMb } = footprintIn(metrics);
  return {
    memoryMb,
    sockets: open('TCPSocketWrap') - connections('busy') - connections('idle'),
    timers: open('Timeout') - connections('idle'),
  };
};

/** Waits until `look` returns something other than undefined and false. Throws after the time, with what was awaited. */
export const until = async <Seen>(
  awaited: string,
  look: () => Promise<Seen | undefined | false>,
  { timeoutMs = 60_000, everyMs = 100 } = {},
): Promise<Seen> => {
  for (const end = Date.now() + timeoutMs; ; await pause(everyMs)) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > end) throw new Error(`not within ${timeoutMs / 1_000} s: ${awaited}`);
  }
};
