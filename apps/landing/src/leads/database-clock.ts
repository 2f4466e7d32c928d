/** PostgreSQL's clock, also while PostgreSQL is unavailable: the clock of this machine, corrected. */
export interface DatabaseClock {
  /** In milliseconds since 1970. Before the first correction, the time of this machine. */
  readonly nowMs: () => number;
  /** Makes a request that returns PostgreSQL's time, and corrects the clock by it. */
  readonly correctBy: (readTime: () => Promise<Date>) => Promise<Date>;
}

/**
 * PostgreSQL has read its clock between request and response, so this one is exact to the time that they take. It is
 * corrected no further than that: that of a machine with the right time, not at all.
 */
export const databaseClock = (): DatabaseClock => {
  let aheadMs = 0;
  return {
    nowMs: () => Date.now() + aheadMs,
    async correctBy(readTime) {
      const sentMs = Date.now();
      const time = await readTime();
      const receivedMs = Date.now();
      aheadMs = Math.min(Math.max(aheadMs, time.getTime() - receivedMs), time.getTime() - sentMs);
      return time;
    },
  };
};
