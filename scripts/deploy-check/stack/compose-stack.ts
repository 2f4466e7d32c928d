import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { root } from '../../start/data-folder.ts';
import type { Engine } from '../engine.ts';
import { type Ended, runProgram, tryProgram } from '../program.ts';

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
export type Container = z.infer<typeof containerSchema>;

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
