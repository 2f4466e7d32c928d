import type { Failure } from '@leadback/domain';

/** The meaning of an HTTP status if the platform's error is unknown. */
export const verdictOfStatus = (status: number): Failure => {
  if (status === 401 || status === 403) return 'refused';
  if (status === 429) return 'throttled';
  const isTemporary = status === 408 || status === 425;
  return status >= 400 && status < 500 && !isTemporary ? 'rejected' : 'unavailable';
};
