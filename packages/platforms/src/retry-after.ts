import { dayMs, secondMs } from './span.ts';

const seconds = /^\d+$/;
// the only one of the three forms of RFC 9110 that may still be sent; Date.parse would read "-5" as a year
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A pause requested by a platform, at most a day; `undefined` if it is not plausible. */
export const sanePauseMs = (pauseMs: number): number | undefined =>
  pauseMs >= 0 ? Math.min(pauseMs, dayMs) : undefined;

/** `Retry-After` (RFC 9110, section 10.2.3), in seconds or as a date. */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? '';
  if (seconds.test(text)) return sanePauseMs(Number(text) * secondMs);
  if (httpDate.test(text)) return sanePauseMs(Date.parse(text) - nowMs);
  return undefined;
};
