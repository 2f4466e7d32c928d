// `node scripts/run.mjs stress`: `npm test` again and again, beside a process per core that does nothing but take its time, or while
// its own processes are paused at random.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, refuse } from './read-options.ts';
import { root } from './start/data-folder.ts';
import { pauseProcesses } from './test/processes.ts';

const { runs: wanted = '10', by = 'load' } = readOptions(
  ['runs', 'by'],
  'node scripts/run.mjs stress [--runs 10] [--by load | pauses]     ends at the first failure',
);
const runs = Number(wanted);
if (by !== 'load' && by !== 'pauses') refuse('--by takes load or pauses');
if (!Number.isSafeInteger(runs) || runs < 1) refuse('--runs takes a number from 1');

// it ends by itself soon after this process, however that ended
const spin = `const parent = process.ppid;
  const turn = () => {
    for (const end = Date.now() + 200; Date.now() < end; );
    if (process.ppid === parent) setImmediate(turn);
  };
  turn();`;
const hogs = Array.from({ length: by === 'load' ? availableParallelism() : 0 }, () =>
  spawn(process.execPath, ['-e', spin]),
);

const folder = mkdtempSync(join(tmpdir(), 'leadback-stress-'));

const runOnce = async (log: string): Promise<number> => {
  const file = openSync(log, 'w');
  const child = spawn(process.execPath, [join(root, 'scripts', 'run.mjs'), 'test'], { stdio: ['ignore', file, file] });
  await using _pausing = by === 'pauses' && child.pid !== undefined ? pauseProcesses(child.pid) : undefined;
  const [status]: unknown[] = await once(child, 'close');
  return Number(status ?? 1);
};

for (let run = 1; run <= runs && process.exitCode === undefined; run += 1) {
  const log = join(folder, `${run}.log`);
  process.stdout.write(`run ${run} of ${runs} … `);
  const start = performance.now();
  const status = await runOnce(log);
  const seconds = Math.round((performance.now() - start) / 1_000);
  process.stdout.write(`${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s: ${log}\n`);
  if (status !== 0) process.exitCode = 1;
}
for (const hog of hogs) hog.kill();
