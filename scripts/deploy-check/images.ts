import { root } from '../start/data-folder.ts';
import type { ComposeStack } from './stack.ts';
import type { Report } from './report.ts';
import { type RunningStack, walkThrough } from './one-machine.ts';

/** The services whose images compose builds. */
const builtServices = ['landing', 'api', 'feedback-worker', 'console', 'operator', 'sandbox'] as const;

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

const imageOf = (service: string): string => `leadback-${service}:local`;

const sizeOf = async ({ engine }: ComposeStack, image: string): Promise<number> =>
  Number(await engine.docker('image', 'inspect', '--format', '{{.Size}}', image));

/** Builds all images as `docker compose up` does. */
export const checkImages = async (stack: ComposeStack, { check, begin }: Report): Promise<void> => {
  begin('images');
  await check('all images build from the one Dockerfile', async () => {
    await stack.compose('--profile', '*', 'build', ...builtServices);
    const sizes = builtServices.map(
      async (service) => `${service} ${megabytes(await sizeOf(stack, imageOf(service)))}`,
    );
    return (await Promise.all(sizes)).join(', ');
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
