const shortestMs = 10_000;
const longestMs = 6 * 60 * 60 * 1000;

/**
 * Exponential back-off with full jitter, 10 s to 6 h; at least `askedMs`, which the platform requested, within the same
 * bounds. `attempts` includes the one that just failed.
 */
export const retryPauseMs = (attempts: number, askedMs = 0, random: () => number = Math.random): number => {
  const ceilingMs = Math.min(longestMs, shortestMs * 2 ** attempts);
  const drawnMs = shortestMs + random() * (ceilingMs - shortestMs);
  return Math.round(Math.min(longestMs, Math.max(drawnMs, askedMs)));
};
