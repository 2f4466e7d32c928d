import type { Failure } from './platform.ts';

/** What an HTTP status means where the platform's own words are not known to us: the last resort. */
export const verdictOfStatus = (status: number): Failure => {
  if (status === 401 || status === 403) return 'refused';
  if (status === 429) return 'throttled';
  const isTemporary = status === 408 || status === 425;
  return status >= 400 && status < 500 && !isTemporary ? 'rejected' : 'unavailable';
};
