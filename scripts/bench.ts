// `node scripts/run.mjs bench`: what one instance of each app handles on this machine, what a request costs each process, and how that
// compares with bare servers in the same rounds. docs/evidence.md tells how to run and read it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { say } from './bench/figures.ts';
import { startLoadGenerator } from './bench/load.ts';
import { goalsTable, type MeasuredPart, measurePart, type Settings, tableOf } from './bench/measure.ts';
import { parts } from './bench/parts.ts';
import { benchStack, startBroker } from './bench/stack.ts';
import { root, runTurbo } from './start/data-folder.ts';

const number = z.coerce.number().int().min(1);
const optionsSchema = z.object({
  seconds: z.coerce.number().min(1).default(1.5),
  rounds: number.default(5),
  rows: number.default(100_000),
});

/** Words choose parts or `json`; options have values. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(Object.keys(optionsSchema.shape).map((name) => [name, { type: 'string' } as const])),
});
const settings: Settings = { ...optionsSchema.parse(values), callers: 64 };
const words = new Set(positionals);
const isJson = words.delete('json');
const chosen = [...(words.size > 0 ? words : parts.keys())].map((name) => {
  const part = parts.get(name);
  if (part === undefined)
    throw new Error(`there is no part ${name}. Choose from ${[...parts.keys()].join(', ')}; besides, json`);
  return { name, part };
});

/** Whether shared memory, and so PostgreSQL's buffers, gets transparent huge pages; never where Linux cannot tell. */
const hasHugePages = (): boolean => {
  try {
    // the chosen word is in brackets; the others give them to programs that ask, which PostgreSQL does not
    return /\[(always|force)\]/.test(readFileSync('/sys/kernel/mm/transparent_hugepage/shmem_enabled', 'utf8'));
  } catch {
    return false;
  }
};

const machine = {
  cores: cpus().length,
  processor: cpus()[0]?.model.trim() ?? '',
  memoryGb: Math.round(totalmem() / 1e9),
  system: `${process.platform} ${release()}`,
  node: process.version,
  hasHugePages: hasHugePages(),
};

/** The commit that is measured, with a mark if files were changed since; empty outside of git. */
const commitOf = (): string => {
  try {
    const args = ['describe', '--always', '--dirty'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
};

const print = (text: string): void => {
  if (!isJson) process.stdout.write(`${text}\n`);
};

const start = performance.now();
const [date, commit] = [new Date().toISOString().slice(0, 10), commitOf()];
const { cores, processor, memoryGb, system, node } = machine;
const pages = machine.hasHugePages ? 'buffers in huge pages' : 'no huge pages';
print(`${cores} cores (${processor}), ${memoryGb} GB, ${pages}, ${system}, Node ${node}`);
print(`${date}, ${commit}; medians of ${settings.rounds} rounds of ${settings.seconds} s`);

say('Bundling the apps …');
await runTurbo('build');
await using servers = new AsyncDisposableStack();
const broker = await startBroker(servers);
const generator = servers.use(startLoadGenerator());
const results: MeasuredPart[] = [];
for (const { name, part } of chosen) {
  say(`\n${part.does(settings)}`);
  const bench = { settings, generator, open: (ending: AsyncDisposableStack) => benchStack(broker, ending) };
  const measured = await measurePart(name, part, bench);
  results.push(measured);
  print(`\n${tableOf(measured)}`);
}
const goals = results.flatMap((result) => result.goals);
if (goals.length > 0) print(`\n${goalsTable(goals)}`);
const seconds = Math.round((performance.now() - start) / 1_000);
say(`\nThe benchmark took ${Math.floor(seconds / 60)} min ${seconds % 60} s.`);
const document = { date, commit, machine, seconds, settings, parts: results };
if (isJson) process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
