import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `look` returns something other than undefined and false. Throws after the time, with what was awaited. */
export const until = async <Seen>(
  awaited: string,
  look: () => Promise<Seen | undefined | false>,
  { timeoutMs = 60_000, everyMs = 100 } = {},
): Promise<Seen> => {
  for (const end = Date.now() + timeoutMs; ; await pause(everyMs)) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > end) throw new Error(`not within ${timeoutMs / 1_000} s: ${awaited}`);
  }
};
