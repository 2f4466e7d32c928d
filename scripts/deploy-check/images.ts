import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/data-folder.ts';
import type { ComposeStack } from './stack.ts';
import type { Report } from './run-checks.ts';
import { type RunningStack, walkThrough } from './one-machine.ts';

/** The services whose images compose builds. */
const builtServices = ['landing', 'api', 'feedback-worker', 'console', 'operator', 'sandbox'] as const;

const rebuildMaxSeconds = 20;
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

const imageOf = (service: string): string => `leadback-${service}:local`;

const sizeOf = async ({ engine }: ComposeStack, image: string): Promise<number> =>
  Number(await engine.docker('image', 'inspect', '--format', '{{.Size}}', image));

/** A change of one source of the api, undone afterwards. The comment changes the file and so the layer, not the bundle. */
const withChangedSource = async (run: () => Promise<void>): Promise<void> => {
  const file = join(root, 'apps', 'api', 'src', 'main.ts');
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, `${source}// changed at ${new Date().toISOString()}\n`);
  try {
    await run();
  } finally {
    writeFileSync(file, source);
  }
};

/** Builds all images as `docker compose up` does. `isMeasured`: also measures how long a change takes. */
export const checkImages = async (
  stack: ComposeStack,
  { check, begin }: Report,
  { isMeasured }: { readonly isMeasured: boolean },
): Promise<void> => {
  begin('images');
  const build = (...services: readonly string[]) => stack.compose('--profile', '*', 'build', ...services);
  await check('all images build from the one Dockerfile', async () => {
    await build(...builtServices);
    const sizes = builtServices.map(
      async (service) => `${service} ${megabytes(await sizeOf(stack, imageOf(service)))}`,
    );
    return (await Promise.all(sizes)).join(', ');
  });
  if (!isMeasured) return;
  await check(`a change of sources builds in less than ${rebuildMaxSeconds} s`, async () => {
    let seconds = 0;
    await withChangedSource(async () => {
      const start = performance.now();
      await build('api');
      seconds = (performance.now() - start) / 1_000;
    });
    await build('api');
    if (seconds > rebuildMaxSeconds) throw new Error(`${seconds.toFixed(1)} s`);
    return `${seconds.toFixed(1)} s`;
  });
};

const sizeMax = 170e6;
const minimalOf = (service: string) => `leadback-${service}:minimal`;
const standard = (service: string) => `leadback-${service}:standard`;
const appOf = (service: string) => (service === 'sandbox' ? 'platform-sandbox' : service);
// the operator's image has no container that is always there; the sandbox would forget what it has received
const replaced = ['landing', 'api', 'feedback-worker', 'console'] as const;

/** Builds the images without Debian's tools, runs the stack with them. */
export const checkMinimalImages = async (
  stack: ComposeStack,
  running: RunningStack,
  { check, begin, say }: Report,
): Promise<void> => {
  begin('minimal images');
  const { docker } = stack.engine;
  await check(`with BASE=minimal, all images build and have at most ${megabytes(sizeMax)}`, async () => {
    const seen: string[] = [];
    for (const service of builtServices) {
      const args = ['--build-arg', `APP=${appOf(service)}`, '--build-arg', 'BASE=minimal'];
      await docker('build', '--quiet', ...args, '--tag', minimalOf(service), root);
      const size = await sizeOf(stack, minimalOf(service));
      seen.push(`${service} ${megabytes(size)}`);
      if (size > sizeMax) throw new Error(seen.at(-1));
    }
    return seen.join(', ');
  });
  const exchange = async (from: (service: string) => string) => {
    for (const service of replaced) await docker('tag', from(service), imageOf(service));
    await stack.compose('up', '--detach', '--wait', '--no-build', ...replaced);
  };
  for (const service of replaced) await docker('tag', imageOf(service), standard(service));
  await check('the stack runs with them, with passing health checks, and serves a visitor', async () => {
    await exchange(minimalOf);
    const shell = await stack.tryCompose('exec', '--no-TTY', 'api', 'sh', '-c', 'true');
    if (shell.status === 0) throw new Error('the image has a shell');
    return walkThrough(running, say);
  });
  await exchange(standard);
};
