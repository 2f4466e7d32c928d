import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { rendered } from '../../../tests/deploy/kubernetes/rendered.ts';
import { bringPodman, type Podman } from '../engine/bring-podman.ts';
import { inCache } from '../engine/cache-folder.ts';
import { imageOf } from '../images/build-images.ts';
import { playableApps, playableJob, type Secret, secret } from '../kubernetes/playable.ts';
import type { Report } from '../report.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';
import { until } from '../until.ts';
import { type RunningStack, walkThrough } from './up.ts';

const apps = ['landing', 'api', 'feedback-worker', 'console'] as const;
const operationsPorts = { landing: 9100, api: 9101, 'feedback-worker': 9102, console: 9103 } as const;
const images = z.object({
  spec: z.object({
    template: z.object({ spec: z.object({ containers: z.tuple([z.object({ image: z.string() })]) }) }),
  }),
});

/** As `.env` writes the names of apps and users. */
const inUpperCase = (name: string) => name.toUpperCase().replace('-', '_');

/** What docs/kubernetes.md creates by hand, with the servers of the stack. */
const secretsOf = ({ settings }: ComposeStack): Secret[] => {
  const database = (role: string) =>
    `postgres://leadback_${role}:${settings[`LEADBACK_${role.toUpperCase()}_PASSWORD`]}@127.0.0.1:5432/leadback`;
  const broker = (user: string) =>
    `amqp://${user}:${settings[`RABBITMQ_${inUpperCase(user)}_PASSWORD`]}@127.0.0.1:5672/leadback`;
  return [
    secret('leadback-database', {
      landing: database('landing'),
      api: database('api'),
      'feedback-worker': database('feedback_worker'),
      console: database('console'),
      owner: database('owner'),
    }),
    secret(
      'leadback-rabbitmq',
      Object.fromEntries(['landing', 'api', 'feedback-worker', 'operator'].map((user) => [user, broker(user)])),
    ),
    secret('leadback-secrets-key', {
      SECRETS_KEY: settings['SECRETS_KEY'] ?? '',
      ...Object.fromEntries(apps.map((app) => [app, settings[`${inUpperCase(app)}_SECRETS_KEY`] ?? ''])),
    }),
  ];
};

/** Gives the images of the stack the names of the manifests, and podman a copy. */
const copyImages = async ({ engine }: ComposeStack, { podman }: Podman, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    const service = /leadback-([a-z-]+):/.exec(name)?.[1] ?? '';
    await engine.docker('tag', imageOf(service), name);
  }
  const archive = join(inCache('systems'), 'images.tar');
  await engine.docker('save', '--output', archive, ...names);
  await podman(['load', '--quiet', '--input', archive]);
  rmSync(archive);
};

/** Podman before 4.4 does not read the secrets that it plays. */
const createSecrets = async ({ podman }: Podman, secrets: readonly Secret[]): Promise<void> => {
  for (const { metadata, data } of secrets) {
    const file = join(inCache('podman'), 'secret.json');
    writeFileSync(file, JSON.stringify(data), { mode: 0o600 });
    await podman(['secret', 'create', metadata.name, file]);
    rmSync(file);
  }
};

const isReady = async (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Plays what `kubectl kustomize` renders, in place of the apps of compose; `started` ends the pods. Services and policies need a cluster. */
export const checkManifests = async (
  stack: ComposeStack,
  running: RunningStack,
  { check, begin, say }: Report,
  started: AsyncDisposableStack,
): Promise<void> => {
  begin('kubernetes');
  const engine = started.use(await bringPodman(say));
  const { podman, tryPodman } = engine;
  const objects = await rendered('overlays/example');
  const named = objects.flatMap(
    (object) => images.safeParse(object).data?.spec.template.spec.containers[0].image ?? [],
  );
  await copyImages(stack, engine, [...new Set(named)]);
  await stack.compose('stop', ...apps);
  const play = async (documents: readonly object[]) => {
    const file = join(inCache('podman'), 'play.yaml');
    writeFileSync(file, documents.map((document) => JSON.stringify(document)).join('\n---\n'), { mode: 0o600 });
    await podman(['kube', 'play', '--quiet', file]);
  };
  const [, major = '0', minor = '0'] = / (\d+)\.(\d+)/.exec(await podman(['--version'])) ?? [];
  const isOld = Number(major) < 4 || (Number(major) === 4 && Number(minor) < 4);
  if (isOld) await createSecrets(engine, secretsOf(stack));
  else await play(secretsOf(stack));
  await check('the job of the example overlay migrates the database', async () => {
    await play(playableJob(objects, 'migrate'));
    const status = await podman(['wait', 'migrate-migrate']);
    const { output } = await tryPodman(['logs', 'migrate-migrate']);
    if (status.trim() !== '0') throw new Error(output);
  });
  await check('podman plays the deployments of the example overlay, and all become ready', async () => {
    await play(playableApps(objects, { PLATFORM_SANDBOX_URL: 'http://127.0.0.1:3003' }));
    for (const [app, port] of Object.entries(operationsPorts)) {
      await until(`${app} is ready`, () => isReady(port)).catch(async (error: unknown) => {
        const { output } = await tryPodman(['logs', '--tail', '5', `${app}-pod-0-${app}`]);
        throw new Error(`${String(error)}\n${output}`);
      });
    }
  });
  await check('one visitor goes through the pods to the sandbox', () => walkThrough(running, say));
  await check('all pods stop within 10 s with status 0', async () => {
    const start = performance.now();
    const names = apps.map((app) => `${app}-pod-0-${app}`);
    await podman(['stop', '--time', '60', ...names]);
    const seconds = (performance.now() - start) / 1_000;
    const statuses = (await podman(['inspect', '--format', '{{.State.ExitCode}}', ...names])).trim().split('\n');
    if (statuses.some((status) => status !== '0') || seconds > 40)
      throw new Error(`${statuses.join()} after ${seconds} s`);
    return `${seconds.toFixed(1)} s`;
  });
  await stack.compose('up', '--detach', '--wait', '--no-recreate', '--no-build');
};
