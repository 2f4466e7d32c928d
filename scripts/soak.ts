// `node scripts/run.mjs soak --for 2h --seed 7`: docker-compose.yml on a real container engine, with a random fault every half minute.
import { randomInt } from 'node:crypto';
import { readOptions, refuse } from './read-options.ts';
import { runChecks } from './deploy-check/run-checks.ts';
import { soak } from './deploy-check/soak.ts';

const values = readOptions(
  ['for', 'seed'],
  'node scripts/run.mjs soak [--for 90s | 30m | 2h] [--seed N]     default: ten minutes, and a seed that is printed',
);

const secondsOf = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
]);

const [, count = '', unit = ''] =
  /^(\d+)([smh])$/.exec(values.for ?? '10m') ?? refuse('--for takes a time: 90s, 30m or 2h');
const seconds = Number(count) * (secondsOf.get(unit) ?? 0);
const seed = Number(values.seed ?? randomInt(2 ** 31));
if (!Number.isSafeInteger(seed)) refuse('--seed takes an integer');

await runChecks((around) => soak(around, { seconds, seed }));
