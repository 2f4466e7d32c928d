import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../start/data-folder.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';
import type { Report } from '../report.ts';

/** The services whose images compose builds. */
export const builtServices = ['landing', 'api', 'feedback-worker', 'console', 'operator', 'sandbox'] as const;

const rebuildMaxSeconds = 20;
export const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

export const imageOf = (service: string): string => `leadback-${service}:local`;

export const sizeOf = async ({ engine }: ComposeStack, image: string): Promise<number> =>
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
