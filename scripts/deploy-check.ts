// `node scripts/run.mjs deploy-check`: builds the images, and runs docker-compose.yml on a real container engine. Not part of
// `npm test`.
import {
  checkBadInput,
  checkHardening,
  checkNetworks,
  checkStops,
  checkStart,
  type RunningStack,
} from './deploy-check/one-machine.ts';
import { checkCells, checkCluster, killedInCluster, checkKills, checkScale } from './deploy-check/instances.ts';
import { checkMinimalImages } from './deploy-check/images.ts';
import { checkMonitoring } from './deploy-check/monitoring.ts';
import { readOptions, refuse } from './read-options.ts';
import { runChecks, type Surroundings } from './deploy-check/run-checks.ts';
import type { Overlay } from './deploy-check/stack.ts';

const values = readOptions(
  ['only', 'profile'],
  `node scripts/run.mjs deploy-check [--only PART,PART] [--profile cluster | cells]
  --only       default: all parts; a part that does not exist lists those that do`,
);

type Part = (around: Surroundings, running: RunningStack) => Promise<void>;

interface Profile {
  readonly overlay?: Overlay;
  readonly parts: readonly string[];
  /** Starts the stack and runs the chosen parts. */
  readonly run: (around: Surroundings) => Promise<void>;
}

/** Parts that use one running stack, in this order. */
const inOrder = (parts: Readonly<Record<string, Part>>): Profile => ({
  parts: Object.keys(parts),
  run: async (around) => {
    const running = await checkStart(around.stack, around.report);
    for (const [name, part] of Object.entries(parts)) if (chosen.includes(name)) await part(around, running);
  },
});

const standard: Profile = inOrder({
  hardening: ({ stack, report }) => checkHardening(stack, report),
  networks: ({ stack, report }) => checkNetworks(stack, report),
  stops: ({ stack, report }) => checkStops(stack, report),
  'bad-input': ({ stack, report }) => checkBadInput(stack, report),
  kills: ({ stack, report }, running) => checkKills(stack, running, report),
  monitoring: ({ stack, report }) => checkMonitoring(stack, report),
  'minimal-images': ({ stack, report }, running) => checkMinimalImages(stack, running, report),
  scale: ({ stack, report }, running) => checkScale(stack, running, report),
});

const profiles: Readonly<Record<string, Profile>> = {
  cluster: {
    overlay: 'cluster',
    ...inOrder({
      cluster: ({ stack, report }) => checkCluster(stack, report),
      kills: ({ stack, report }, running) => checkKills(stack, running, report, killedInCluster),
    }),
  },
  cells: { overlay: 'cells', parts: ['cells'], run: ({ stack, report }) => checkCells(stack, report) },
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

await runChecks(profile.run, profile.overlay);
