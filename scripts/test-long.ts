// `npm run test:long`: what takes two to three hours. The fault tests and some others, each longer than in `npm test`; docker-compose.yml on a
// container engine; and `npm test` beside a process per core that does nothing but take its time.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ensureRabbitmq } from '@leadback/testing/stack';
import { readWords, refuse } from './read-options.ts';
import { readReleases } from './release/releases.ts';
import { root } from './start/data-folder.ts';
import { cleanUp, isInterrupted, runTool } from './test/rounds.ts';

const suffix = '.test.ts';
// the second folder: what `npm test` leaves out
const faults = ['tests/faults', 'tests/faults/on-demand'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(suffix))
    .map((name) => [basename(name, suffix), `${folder}/${name}`] as const),
);
const fileOf = new Map([
  ...faults,
  ['fuzz-api', 'apps/api/test/fuzz.test.ts'],
  ['fuzz-landing', 'apps/landing/test/fuzz.test.ts'],
  ['idempotency', 'apps/api/test/idempotency.test.ts'],
  ['key-timing', 'apps/api/test/key-timing.test.ts'],
  ['looks', 'tests/console/looks.test.ts'],
  ['looks-of-landing', 'tests/journey/landing.test.ts'],
  ['looks-of-visitor-data', 'tests/journey/visitor-data.test.ts'],
  ['local-rabbitmq', 'packages/testing/test/rabbitmq.test.ts'],
  ['model', 'tests/model/delivery-core.test.ts'],
  ['plans', 'packages/core/src/plans.test.ts'],
]);

/**
 * What makes a part longer, besides `FAULTS=all`, which is for all of them: the variants that `npm test` leaves out. The same
 * variables of the environment win.
 */
const longer: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'adjustments-killed': { ADJUSTMENT_KILLS: '50' },
  'api-killed': { API_KILLS: '100' },
  'batch-killed': { BATCH_KILLS: '50' },
  'broker-lost': { BROKER_LOST_CONVERSIONS: '6000' },
  'fuzz-api': { FUZZ_REQUESTS: '100000' },
  'fuzz-landing': { FUZZ_REQUESTS: '100000' },
  idempotency: { CONCURRENT_REQUESTS: '8000' },
  'import-killed': { IMPORT_KILLS: '50' },
  'key-timing': { KEY_TRIES: '10000' },
  'long-snapshot': { SNAPSHOT_CONVERSIONS: '60000' },
  model: { MODEL_SEQUENCES: '2000' },
  plans: { PLAN_ROWS: '1000000' },
  'reconciliation-killed': { RECONCILIATION_KILLS: '50' },
  soak: { SOAK_SECONDS: '600' },
  stress: { STRESS_RUNS: '3' },
  'webhooks-killed': { WEBHOOK_KILLS: '50' },
  'worker-failover': { DOWN_SECONDS: '180' },
  'worker-killed': { WORKER_KILLS: '50' },
};

const onEngine = new Set(['containers', 'containers-cluster', 'server', 'soak']);
const parts = [...fileOf.keys(), 'stress'];

const usage = `npm run test:long                 everything, which takes two to three hours
npm run test:long -- PART…        some of these, with variables of the environment in place of the values here:
${parts.map((name) => `  ${[name, ...Object.entries(longer[name] ?? {}).map((pair) => pair.join('='))].join('  ')}`).join('\n')}`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const versionOf = (...args: readonly string[]): readonly number[] => {
  const { status, stdout } = spawnSync('docker', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim().replace(/^v/, '').split('.').map(Number) : [];
};

/** Docker 25 or newer with Compose 2.24 or newer, that this user may use. */
const hasEngine = (): boolean => {
  const [engine = 0] = versionOf('version', '--format', '{{.Server.Version}}');
  const [major = 0, minor = 0] = versionOf('compose', 'version', '--short');
  return engine >= 25 && (major > 2 || (major === 2 && minor >= 24));
};

const runFile = async (name: string): Promise<boolean> => {
  const folder = join(tmpdir(), `leadback-test-long-${process.pid}`);
  const settings = { FAULTS: 'all', ...longer[name] };
  const given = Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, process.env[key] ?? value]));
  const status = await runTool(['vitest', 'run', fileOf.get(name) ?? ''], folder, given);
  await cleanUp(folder);
  // what an interrupted test has left: the project of tests/support/containers.ts
  const down = ['compose', '--project-name', 'leadback-containers', 'down', '--volumes', '--remove-orphans'];
  if (onEngine.has(name)) spawnSync('docker', down);
  return status === 0;
};

// it ends by itself soon after this process, however that ended
const spin = `const parent = process.ppid;
  const turn = () => {
    for (const end = Date.now() + 200; Date.now() < end; );
    if (process.ppid === parent) setImmediate(turn);
  };
  turn();`;

/** `npm test` again and again, until a run fails: a test that fails only here depends on the machine. */
const stress = async (): Promise<boolean> => {
  let child: ChildProcess | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => child?.kill(signal));
  const runs = Number(process.env['STRESS_RUNS'] ?? longer['stress']?.['STRESS_RUNS']);
  const hogs = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', spin]));
  try {
    for (let run = 1; run <= runs; run += 1) {
      const log = join(tmpdir(), `leadback-stress-${process.pid}-${run}.log`);
      say(`run ${run} of ${runs}: ${log}`);
      const file = openSync(log, 'w');
      child = spawn(process.execPath, [join(root, 'scripts', 'run.mjs'), 'test'], {
        stdio: ['ignore', file, file],
      });
      const [status]: unknown[] = await once(child, 'close');
      if (status !== 0) return false;
    }
    return true;
  } finally {
    for (const hog of hogs) hog.kill();
  }
};

const { positionals } = readWords({ allowPositionals: true }, usage);
const unknown = positionals.filter((name) => !parts.includes(name));
if (unknown.length > 0) refuse(`there is no ${unknown.join(', ')}\n${usage}`);
const chosen = positionals.length > 0 ? positionals : parts;

await ensureRabbitmq(say);
const canUseEngine = hasEngine();
const lines: string[] = [];
for (const [index, name] of chosen.entries()) {
  if (isInterrupted()) break;
  if (onEngine.has(name) && !canUseEngine) {
    lines.push(`NOT RUN            ${name}: no Docker 25 or newer with Compose 2.24 or newer that this user may use`);
    continue;
  }
  if (name === 'upgrade' && process.env['UPGRADE_FROM'] === undefined && readReleases(root).length === 0) {
    lines.push(`NOT RUN            ${name}: there is no release yet, and no UPGRADE_FROM`);
    continue;
  }
  say(`\n${index + 1} of ${chosen.length}: ${name}`);
  const start = performance.now();
  const hasPassed = await (name === 'stress' ? stress() : runFile(name));
  const seconds = String(Math.round((performance.now() - start) / 1_000));
  lines.push(`${hasPassed ? 'passed' : 'FAILED'}  ${seconds.padStart(6)} s  ${name}`);
  if (!hasPassed) process.exitCode = 1;
}
say(`\n${lines.join('\n')}`);
if (isInterrupted()) process.exitCode = 1;
