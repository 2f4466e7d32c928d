// `npm run deploy:check`: builds the images, and runs docker-compose.yml and the Kubernetes manifests on a real container
// engine. Takes everything down at the end, also after Ctrl-C. Not part of `npm test`.
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBadInput } from './deploy-check/checks/bad-input.ts';
import { checkCells } from './deploy-check/checks/cells.ts';
import { checkCluster, killedInCluster } from './deploy-check/checks/cluster.ts';
import { checkHardening } from './deploy-check/checks/hardening.ts';
import { checkKills } from './deploy-check/checks/kills.ts';
import { checkManifests } from './deploy-check/checks/manifests.ts';
import { checkMinimalImages } from './deploy-check/checks/minimal-images.ts';
import { checkMonitoring } from './deploy-check/checks/monitoring.ts';
import { checkNetworks } from './deploy-check/checks/networks.ts';
import { checkScale } from './deploy-check/checks/scale.ts';
import { checkStops } from './deploy-check/checks/stops.ts';
import { checkStart, type RunningStack } from './deploy-check/checks/up.ts';
import { checkUpgrade } from './deploy-check/checks/upgrade.ts';
import { bringEngine } from './deploy-check/engine/bring-engine.ts';
import { endPrograms } from './deploy-check/engine/program.ts';
import { checkImages } from './deploy-check/images/build-images.ts';
import { openReport } from './deploy-check/report.ts';
import { type ComposeStack, composeStack, type Overlay } from './deploy-check/stack/compose-stack.ts';
import { bringBaseImages } from './deploy-check/stand-ins/base-images.ts';

const report = openReport((text) => process.stdout.write(`${text}\n`));
const { say, check, begin } = report;
const started = new AsyncDisposableStack();

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { only: text, from: text, profile: text } });

type Part = (stack: ComposeStack, running: RunningStack) => Promise<void>;

interface Profile {
  readonly overlay?: Overlay;
  readonly parts: readonly string[];
  /** Starts the stack and runs the chosen parts. */
  readonly run: (stack: ComposeStack) => Promise<void>;
}

/** Parts that use one running stack, in this order. */
const inOrder = (parts: Readonly<Record<string, Part>>): Profile => ({
  parts: Object.keys(parts),
  run: async (stack) => {
    const running = await checkStart(stack, report);
    for (const [name, part] of Object.entries(parts)) if (chosen.includes(name)) await part(stack, running);
  },
});

const standard: Profile = inOrder({
  hardening: (stack) => checkHardening(stack, report),
  networks: (stack) => checkNetworks(stack, report),
  stops: (stack) => checkStops(stack, report),
  'bad-input': (stack) => checkBadInput(stack, report),
  kills: (stack, running) => checkKills(stack, running, report),
  scale: (stack, running) => checkScale(stack, running, report),
  monitoring: (stack) => checkMonitoring(stack, report),
  kubernetes: (stack, running) => checkManifests(stack, running, report, started),
  'minimal-images': (stack, running) => checkMinimalImages(stack, running, report),
  upgrade: (stack) => checkUpgrade(stack, report, values.from),
});

const profiles: Readonly<Record<string, Profile>> = {
  cluster: {
    overlay: 'cluster',
    ...inOrder({
      cluster: (stack) => checkCluster(stack, report),
      kills: (stack, running) => checkKills(stack, running, report, killedInCluster),
    }),
  },
  cells: { overlay: 'cells', parts: ['cells'], run: (stack) => checkCells(stack, report) },
};

const refuse = (reason: string): never => {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
};

const profile =
  values.profile === undefined
    ? standard
    : (profiles[values.profile] ??
      refuse(`no profile ${values.profile}: --profile takes ${Object.keys(profiles).join(' or ')}`));
const possible = ['images', ...profile.parts];
const chosen = values.only?.split(',') ?? possible;
const unknown = chosen.filter((name) => !possible.includes(name));
if (unknown.length > 0) refuse(`no part ${unknown.join()}: --only takes ${possible.join(', ')}`);

const run = async (): Promise<void> => {
  begin('engine');
  const engine = started.use(await bringEngine(say));
  await check('a container engine runs', async () => engine.version);
  await check('images of others are there', async () =>
    Array.from(await bringBaseImages(engine, say), ([image, origin]) => `${image} ${origin}`).join(', '),
  );
  const { path: folder } = started.use(await mkdtempDisposable(join(tmpdir(), 'leadback-deploy-check-')));
  const stack = started.use(
    await composeStack(engine, { project: 'leadback-deploy-check', folder, overlay: profile.overlay }),
  );
  await checkImages(stack, report, { isMeasured: values.profile === undefined && chosen.includes('images') });
  await profile.run(stack);
};

const interrupted = new Promise<void>((resolve) => {
  const interrupt = () => {
    say('Interrupted');
    report.end();
    endPrograms();
    process.exitCode = 1;
    resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
});
try {
  await Promise.race([run(), interrupted]);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
say('Taking everything down …');
await started.disposeAsync();
process.stdout.write(`\n${report.table()}\n`);
process.exit(report.hasFailed() ? 1 : process.exitCode);
