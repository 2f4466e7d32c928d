import type { Child } from './child.ts';
import { lastLines } from './last-lines.ts';
import { until } from './until.ts';

/** Throws with the last log lines if the child ends before it is ready or takes too long. */
export const whenReady = async (
  child: Child,
  isReady: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<void> => {
  const settled = await until(async () => child.ending !== undefined || (await isReady()), timeoutMs);
  if (settled && child.ending === undefined) return;

  const what = child.ending
    ? `ended (${child.ending}) before it was ready`
    : `was not ready after ${timeoutMs / 1_000} s`;
  await child.end('SIGKILL');
  throw new Error(`${child.name} ${what}. It wrote to ${child.logFile}:\n${lastLines(child.logFile)}`);
};
