import { readServerFacts } from './server-facts.ts';
import type { Check } from './check.ts';
import { fail, ok, warn } from './finding.ts';
import { formatDuration } from './format.ts';

const check = 'clocks';
const warnMs = 2_000;
const errorMs = 60_000;

export const checkClocks: Check = async ({ em }) => {
  const before = Date.now();
  const { nowMs } = await readServerFacts(em);
  const after = Date.now();
  // a lower bound: the server read its clock somewhere in between
  const apartMs = Math.max(0, nowMs - after, before - nowMs);
  if (apartMs < warnMs)
    return [ok(check, `the clocks of this machine and PostgreSQL differ by less than ${warnMs / 1_000} s`)];
  const found = `the clock of this machine is ${formatDuration(apartMs / 1_000)} ${nowMs > after ? 'behind' : 'ahead of'} PostgreSQL's`;
  const todo =
    'Synchronise both with NTP (`timedatectl`). Due times use the clock of PostgreSQL; buffered leads keep the time of the landing app. Platforms reject events in the future.';
  return [apartMs < errorMs ? warn(check, found, todo) : fail(check, found, todo)];
};
