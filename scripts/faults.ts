// `node scripts/run.mjs faults`: the fault tests and some others, each longer than in `npm test`.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ensureRabbitmq } from '@leadback/testing/stack';
import { helpWith, refuse } from './read-options.ts';
import { root } from './start/data-folder.ts';
import { cleanUp, isInterrupted, runTool } from './test/rounds.ts';

const suffix = '.test.ts';
// the second folder: what `npm test` leaves out
const files = ['tests/faults', 'tests/faults/on-demand'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(suffix))
    .map((name) => `${folder}/${name}`),
);

/** What makes a test longer, besides `FAULTS=all`, which is for all of them: the variants that `npm test` leaves out. */
const longer: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'adjustments-killed': { ADJUSTMENT_KILLS: '50' },
  'api-killed': { API_KILLS: '100' },
  'batch-killed': { BATCH_KILLS: '50' },
  'broker-lost': { BROKER_LOST_CONVERSIONS: '30000' },
  'fuzz-api': { FUZZ_REQUESTS: '100000' },
  'fuzz-landing': { FUZZ_REQUESTS: '100000' },
  idempotency: { CONCURRENT_REQUESTS: '8000' },
  'import-killed': { IMPORT_KILLS: '50' },
  'key-timing': { KEY_TRIES: '10000' },
  'long-snapshot': { SNAPSHOT_CONVERSIONS: '360000' },
  model: { MODEL_SEQUENCES: '10000' },
  plans: { PLAN_ROWS: '2000000' },
  'reconciliation-killed': { RECONCILIATION_KILLS: '50' },
  'webhooks-killed': { WEBHOOK_KILLS: '50' },
  'worker-failover': { DOWN_SECONDS: '180' },
  'worker-killed': { WORKER_KILLS: '50' },
};

const others: Readonly<Record<string, string>> = {
  'fuzz-api': 'apps/api/test/fuzz',
  'fuzz-landing': 'apps/landing/test/fuzz',
  idempotency: 'apps/api/test/idempotency',
  'key-timing': 'apps/api/test/key-timing',
  model: 'tests/model/delivery-core',
  plans: 'packages/core/src/plans',
};

const fileOf = new Map([
  ...files.map((file) => [basename(file, suffix), file] as const),
  ...Object.entries(others).map(([name, file]) => [name, file + suffix] as const),
]);

const names = process.argv.slice(2);
const usage = `node scripts/run.mjs faults [NAME…]     without a name: all, which takes hours
${[...fileOf.keys()].map((name) => `  ${[name, ...Object.entries(longer[name] ?? {}).map((pair) => pair.join('='))].join('  ')}`).join('\n')}`;

helpWith(usage);
const unknown = names.filter((name) => !fileOf.has(name));
if (unknown.length > 0) refuse(`there is no ${unknown.join(', ')}\n${usage}`);

interface Ran {
  readonly name: string;
  readonly seconds: number;
  readonly passed: boolean;
}

const run = async (name: string): Promise<Ran> => {
  const folder = join(tmpdir(), `leadback-faults-${process.pid}`);
  const start = performance.now();
  const status = await runTool(['vitest', 'run', fileOf.get(name) ?? ''], folder, { FAULTS: 'all', ...longer[name] });
  await cleanUp(folder);
  return { name, seconds: Math.round((performance.now() - start) / 1_000), passed: status === 0 };
};

await ensureRabbitmq((text) => process.stdout.write(`${text}\n`));
const chosen = names.length > 0 ? names : [...fileOf.keys()];
const ran: Ran[] = [];
for (const [index, name] of chosen.entries()) {
  if (isInterrupted()) break;
  process.stdout.write(`\n${index + 1} of ${chosen.length}: ${name}\n`);
  ran.push(await run(name));
}

process.stdout.write('\n');
for (const { name, seconds, passed } of ran) {
  process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${String(seconds).padStart(6)} s  ${name}\n`);
}
process.exitCode = ran.length === chosen.length && ran.every(({ passed }) => passed) ? 0 : 1;
