const firstPauseMs = 500;
const pauseMaxMs = 8_000;
/** A longer `Retry-After` is not waited for: the error arrives at once, and a later job can retry. */
const retryAfterMaxMs = 60_000;

const retryAfterMs = (header: string | null, now: number): number => {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
};

/**
 * The pause before a retry, in milliseconds: random between 0 and a limit that doubles, and later than `Retry-After` says.
 * Undefined if the caller should not wait that long.
 */
export const retryPauseMs = (retriesDone: number, retryAfter: string | null, now = Date.now()): number | undefined => {
  const demandedMs = retryAfterMs(retryAfter, now);
  if (demandedMs > retryAfterMaxMs) return undefined;
  const spreadMs = demandedMs > 0 ? firstPauseMs : Math.min(pauseMaxMs, firstPauseMs * 2 ** retriesDone);
  return demandedMs + Math.random() * spreadMs;
};

/** Waits; rejects as `signal` says if it is aborted. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
