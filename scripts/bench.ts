// `node scripts/run.mjs bench`: what one instance of each app handles on this machine, what a request costs each process, and how that
// compares with bare servers in the same rounds. docs/performance.md tells how to run and read it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBroker } from './bench/bench-stack.ts';
import { openCheckout } from './bench/checkout.ts';
import { buildApps } from './bench/image.ts';
import { startLoadGenerator } from './bench/load/load-generator.ts';
import { commitOf, machine, machineText } from './bench/machine.ts';
import { goalsTable, tableOf } from './bench/markdown.ts';
import { type Measured, type MeasuredPart, measurePart } from './bench/measure-part.ts';
import { readOptions } from './bench/options.ts';
import { parts } from './bench/parts/index.ts';
import { drawProfiles } from './bench/profile/draw-profiles.ts';
import { say } from './bench/say.ts';
import { root } from './start/data-folder.ts';

const { parts: names, isJson, isProfile, against, settings } = readOptions(process.argv.slice(2));
const chosen = names.flatMap((name) => {
  const part = parts.get(name);
  return part === undefined ? [] : [[name, part] as const];
});
const print = (text: string): void => {
  if (!isJson) process.stdout.write(`${text}\n`);
};

const measureAll = async (folder: string): Promise<MeasuredPart[]> => {
  await using generator = startLoadGenerator();
  await using servers = new AsyncDisposableStack();
  const checkouts: Measured[] = [];
  for (const [index, one] of [root, ...(against === undefined ? [] : [against])].entries()) {
    const checkout = await openCheckout(one);
    say(`Bundling the apps of ${checkout.root} …`);
    const apps = join(folder, String(index));
    const [broker] = await Promise.all([startBroker(checkout, servers), buildApps(checkout.root, apps)]);
    checkouts.push({ checkout, options: { apps, broker } });
  }
  const results: MeasuredPart[] = [];
  for (const [name, part] of chosen) {
    say(`\n${part.does(settings)}`);
    const measured = await measurePart(name, part, { settings, generator, checkouts });
    results.push(measured);
    print(`\n${tableOf(measured)}`);
  }
  return results;
};

if (isProfile) await drawProfiles(chosen, settings);
else {
  const start = performance.now();
  const [date, commit, on] = [new Date().toISOString().slice(0, 10), commitOf(root), machine()];
  print(`${machineText(on)}\n${date}, ${commit}; medians of ${settings.rounds} rounds of ${settings.seconds} s`);
  const folder = mkdtempSync(join(tmpdir(), 'leadback-bench-apps-'));
  try {
    const results = await measureAll(folder);
    const goals = results.flatMap((result) => result.goals);
    if (goals.length > 0) print(`\n${goalsTable(goals)}`);
    const seconds = Math.round((performance.now() - start) / 1_000);
    say(`\nThe benchmark took ${Math.floor(seconds / 60)} min ${seconds % 60} s.`);
    const document = { date, commit, machine: on, seconds, settings, parts: results };
    if (isJson) process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
