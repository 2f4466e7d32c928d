import type { Child } from './child.ts';
import { lastLines } from './last-lines.ts';
import { until } from './until.ts';

/** Waits until the child is ready. One that ends before, or takes too long, is an error that shows its last lines. */
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
