import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../start/data-folder.ts';
import { benchStack, startBroker } from '../bench-stack.ts';
import { openCheckout } from '../checkout.ts';
import { startLoadGenerator } from '../load/load-generator.ts';
import type { Bench, Part, PartSettings } from '../part.ts';
import { say } from '../say.ts';
import { flameGraph } from './flame-graph.ts';
import { callTree } from './stacks.ts';

const pictures = join(root, 'docs', 'pictures');
const profiler = new URL('profiler.ts', import.meta.url).href;
const pollMs = 100;

/** Measures once under a profiler. Returns the profile. */
const profileOf = async (pid: number, folder: string, measure: () => Promise<unknown>): Promise<unknown> => {
  const file = join(folder, `${pid}.cpuprofile`);
  await measure(); // compiled code is what production runs
  process.kill(pid, 'SIGUSR2');
  await measure();
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file)) await pause(pollMs);
  return JSON.parse(readFileSync(file, 'utf8'));
};

/** Draws flame graphs of the parts that have one. The apps run from their sources, so that frames have file names. */
export const drawProfiles = async (
  parts: readonly (readonly [name: string, part: Part])[],
  settings: PartSettings,
): Promise<void> => {
  const checkout = await openCheckout(root);
  await using servers = new AsyncDisposableStack();
  const broker = await startBroker(checkout, servers);
  await using generator = startLoadGenerator();
  mkdirSync(pictures, { recursive: true });
  for (const [name, part] of parts) {
    const folder = mkdtempSync(join(tmpdir(), 'leadback-bench-profile-'));
    await using ending = new AsyncDisposableStack();
    ending.defer(() => rmSync(folder, { recursive: true, force: true }));
    const options = { apps: root, broker, imports: [profiler], settings: { PROFILE_FOLDER: folder } };
    const bench: Bench = { settings, generator, open: (until = ending) => benchStack(checkout, options, until) };
    say(`\n${part.does(settings)}`);
    const { measurements, profiledPid } = await part.prepare(bench);
    const [measure] = [...measurements.values()].flat();
    if (profiledPid === undefined || measure === undefined) continue;
    const picture = join(pictures, `profile-${name}.svg`);
    const profile = await profileOf(profiledPid, folder, measure);
    writeFileSync(picture, flameGraph(part.does(settings), callTree(profile)));
    process.stdout.write(`${picture}\n`);
  }
};
