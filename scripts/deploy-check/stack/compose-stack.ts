import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { root } from '../../start/data-folder.ts';
import type { Engine } from '../engine/bring-engine.ts';
import { type Ended, runProgram, tryProgram } from '../engine/program.ts';

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
  /** The ids of a service's containers. Throws if there is none, as does `container`. */
  readonly ids: (service: string) => Promise<readonly string[]>;
  /** The first container of a service. */
  readonly container: (service: string) => Promise<Container>;
  /** What the containers of these services have logged, as they wrote it. */
  readonly logs: (...services: readonly string[]) => Promise<string>;
  /** Runs an operator command in its image and returns its JSON output. */
  readonly operate: (...args: readonly string[]) => Promise<unknown>;
  /** The generated secrets and settings. */
  readonly settings: Readonly<Record<string, string>>;
  readonly engine: Engine;
}

interface StackOptions {
  readonly project: string;
}

/** docker-compose.yml of the repository, unchanged, with new secrets. Disposing takes it down with its volumes. */
export const composeStack = async (
  engine: Engine,
  { project }: StackOptions,
): Promise<ComposeStack & AsyncDisposable> => {
  const folder = await mkdtemp(join(tmpdir(), 'leadback-deploy-check-'));
  const envFile = join(folder, 'env');
  const script = 'sh deploy/compose/new-env.sh; cat deploy/compose/sandbox.env';
  const generated = await runProgram(['sh', '-ec', script], { cwd: root });
  writeFileSync(envFile, generated, { mode: 0o600 });

  const command = ['docker', 'compose', '--ansi', 'never', '--project-name', project, '--env-file', envFile] as const;
  const options = { env: engine.env, cwd: root };
  const compose = (...args: readonly string[]) => runProgram([...command, ...args], options);
  const tryCompose = (...args: readonly string[]) => tryProgram([...command, ...args], options);
  const down = () => tryCompose('--profile', '*', 'down', '--volumes', '--remove-orphans');
  const ids = async (service: string): Promise<string[]> => {
    const found = (await compose('ps', '--all', '--quiet', service)).trim().split('\n').filter(Boolean);
    if (found.length === 0) throw new Error(`the service ${service} has no container`);
    return found;
  };
  await down(); // what a killed run left

  return {
    compose,
    tryCompose,
    ids,
    engine,
    settings: Object.fromEntries(
      Object.entries(parseEnv(generated)).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    logs: async (...services) => {
      const all = (await Promise.all(services.map(ids))).flat();
      const ended = await Promise.all(all.map((id) => engine.tryDocker('logs', id)));
      return ended.map(({ output }) => output).join('');
    },
    container: async (service) => {
      const [id = ''] = await ids(service);
      return z.tuple([containerSchema]).parse(JSON.parse(await engine.docker('inspect', id)))[0];
    },
    operate: async (...args) => JSON.parse(await compose('run', '--rm', '--no-TTY', 'operator', ...args, '--json')),
    [Symbol.asyncDispose]: async () => {
      await down();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
