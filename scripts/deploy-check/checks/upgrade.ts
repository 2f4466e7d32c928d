import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../start/data-folder.ts';
import { tryProgram, runProgram } from '../engine/program.ts';
import { imageOf } from '../images/build-images.ts';
import { assertNothingLost } from '../load/end-oracle.ts';
import { givenLoadedPartner } from '../load/partner.ts';
import { steadyLoad } from '../load/steady-load.ts';
import type { Report } from '../report.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';
import { useStandIns } from '../stand-ins/use-stand-ins.ts';
import { useStack } from './up.ts';

/** In the order of docs/kubernetes.md: workers understand what newer apps write. */
const order = ['feedback-worker', 'api', 'landing', 'console'] as const;
const sandbox = 'sandbox';
const loadMs = 3_000;
// a stopping worker sends nothing twice, but a stopped sandbox connection may hide a response
const duplicatesMax = 50;

// earlier versions took secrets from the command line without it
const isKnownEarlier = (option: string) => option !== '--from-argv-i-know';

const appOf = (service: string) => (service === sandbox ? 'platform-sandbox' : service);
const taggedAs = (service: string, version: string) => imageOf(service).replace(':local', `:${version}`);

/** The last tag; without tags, the version of twenty commits ago. */
const earlierVersion = async (): Promise<string> => {
  const { status, stdout } = await tryProgram(['git', 'describe', '--tags', '--abbrev=0'], { cwd: root });
  if (status === 0) return stdout.trim();
  return (await runProgram(['git', 'rev-parse', '--short', 'HEAD~20'], { cwd: root })).trim();
};

/** Builds the images of another version from its files in git. */
const buildEarlier = async ({ engine }: ComposeStack, version: string, services: readonly string[]): Promise<void> => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'leadback-earlier-'));
  await runProgram(['sh', '-ec', 'git archive "$1" | tar -x -C "$2"', 'sh', version, folder.path], { cwd: root });
  await useStandIns(engine, folder.path);
  for (const service of services) {
    const args = ['--build-arg', `APP=${appOf(service)}`, '--tag', taggedAs(service, 'earlier')];
    await engine.docker('build', '--quiet', ...args, folder.path);
  }
};

/** Deploys the version before this one, then this one under load, then the earlier one again. */
export const checkUpgrade = async (
  stack: ComposeStack,
  { check, begin }: Report,
  from: string | undefined,
): Promise<void> => {
  begin('upgrade');
  const { docker } = stack.engine;
  const version = from ?? (await earlierVersion());
  const all = [...order, 'operator'];
  for (const service of all) await docker('tag', imageOf(service), taggedAs(service, 'current'));
  const choose = async (service: string, tag: 'earlier' | 'current') =>
    void (await docker('tag', taggedAs(service, tag), imageOf(service)));
  const deploy = async (service: string, tag: 'earlier' | 'current') => {
    await choose(service, tag);
    await stack.compose('up', '--detach', '--wait', '--no-build', '--no-deps', service);
  };

  const isEarlierUp = await check(`the version ${version} is deployed to an empty database`, async () => {
    await buildEarlier(stack, version, all);
    await stack.compose('--profile', '*', 'down', '--volumes');
    for (const service of all) await choose(service, 'earlier');
    await stack.compose('up', '--detach', '--wait', '--no-build');
  });
  if (isEarlierUp) {
    const { demo, connections } = await useStack(stack, (...args) =>
      stack.operate(...args).catch((error: unknown) => {
        if (args.every(isKnownEarlier)) throw error;
        return stack.operate(...args.filter(isKnownEarlier));
      }),
    );
    const partner = await givenLoadedPartner(demo);
    const load = steadyLoad(partner, connections);
    await pause(loadMs);
    await check('the migration runs as a job, and then app after app is upgraded under load', async () => {
      await choose('operator', 'current');
      await stack.compose('run', '--rm', '--no-TTY', 'migrate');
      const before = load.soFar().accepted;
      for (const service of order) await deploy(service, 'current');
      await pause(loadMs);
      return `${load.soFar().accepted - before} conversions accepted meanwhile`;
    });
    await check('app after app is rolled back under load, in the opposite order', async () => {
      const before = load.soFar().accepted;
      for (const service of order.toReversed()) await deploy(service, 'earlier');
      await pause(loadMs);
      return `${load.soFar().accepted - before} conversions accepted meanwhile`;
    });
    const sent = await load.stop();
    await check('nothing was lost and nothing leaked', () =>
      assertNothingLost(stack, partner, sent, { duplicatesMax }),
    );
  }
  for (const service of all) await choose(service, 'current');
};
