const shortestMs = 10_000;
const longestMs = 6 * 60 * 60 * 1000;

/**
 * How long to wait after the given number of attempts: exponential back-off with full jitter between 10 s and 6 h. What
 * the platform itself asks for is the least, within the same bounds.
 */
export const retryPauseMs = (attempts: number, askedMs = 0, random: () => number = Math.random): number => {
  const ceilingMs = Math.min(longestMs, shortestMs * 2 ** attempts);
  const drawnMs = shortestMs + random() * (ceilingMs - shortestMs);
  return Math.round(Math.min(longestMs, Math.max(drawnMs, askedMs)));
};
