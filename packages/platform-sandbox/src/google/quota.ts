import type { ErrorAnswer } from '../play-behaviour.ts';
import { quotaExceeded } from './errors.ts';

const requestsMax = 300;
const windowMs = 60_000;

/**
 * Counts the requests of each project ("Limits and quotas" of the Data Manager API). Returns a function that counts one
 * more, or returns the error of a used-up quota.
 */
export const createQuota = (now: () => number): ((project: string) => ErrorAnswer | undefined) => {
  const taken = new Map<string, number[]>();
  return (project) => {
    const nowMs = now();
    const times = (taken.get(project) ?? []).filter((timeMs) => timeMs > nowMs - windowMs);
    taken.set(project, times);
    const [oldestMs = nowMs] = times;
    if (times.length >= requestsMax) return quotaExceeded(oldestMs + windowMs - nowMs);
    times.push(nowMs);
    return undefined;
  };
};
