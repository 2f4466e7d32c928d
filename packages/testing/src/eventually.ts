import { vi } from 'vitest';
import { waitMaxMs } from './wait-max-ms.ts';

interface WaitOptions {
  /** Milliseconds between two checks. Default: 50. */
  readonly interval?: number;
  /** Milliseconds. Default: two minutes, which is for what hangs; more for what takes minutes by itself. */
  readonly timeout?: number;
}

/** Checks until the check throws nothing; returns what it returned then. Throws its last error after the limit. */
export const eventually = <T>(check: () => T | Promise<T>, options: WaitOptions = {}): Promise<T> =>
  vi.waitFor(check, { timeout: waitMaxMs, interval: 50, ...options });
