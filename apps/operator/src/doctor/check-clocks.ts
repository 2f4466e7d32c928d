import { readServerFacts } from '@leadback/db';
import type { Check } from './check.ts';
import { ok, warn, wrong } from './finding.ts';
import { formatDuration } from './format.ts';

const check = 'clocks';
const warnMs = 2_000;
const wrongMs = 60_000;

/** Whether this machine and PostgreSQL agree about the time. */
export const checkClocks: Check = async ({ em }) => {
  const before = Date.now();
  const { nowMs } = await readServerFacts(em);
  const after = Date.now();
  // by so much at least: the server looked at its clock somewhere in between
  const apartMs = Math.max(0, nowMs - after, before - nowMs);
  if (apartMs < warnMs) return [ok(check, `this machine and PostgreSQL are less than ${warnMs / 1_000} s apart`)];
  const found = `the clock of this machine is ${formatDuration(apartMs / 1_000)} ${nowMs > after ? 'behind' : 'ahead of'} PostgreSQL's`;
  const todo =
    'See that both are kept by NTP (`timedatectl`). What is due goes by PostgreSQL; when a lead that had to wait was there, by the machine of the landing app. Platforms refuse events of the future.';
  return [apartMs < wrongMs ? warn(check, found, todo) : wrong(check, found, todo)];
};
