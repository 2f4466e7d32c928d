import { setTimeout as pause } from 'node:timers/promises';
import { enough } from './long-run.ts';

// what a test does when it has waited for load, such as to kill a server, happens under full load
const fullMs = 1_000;
const fewPerSecond = enough(20, Number.POSITIVE_INFINITY);

interface Pace {
  /** Waits for the turn of one: turns are evenly spaced, however long the requests take that follow. */
  turn(): Promise<void>;
  /** Keeps up the full pace until `waiting` ends, and for a moment after. */
  during(waiting: Promise<unknown>): Promise<void>;
}

/**
 * The pace of a load: `perSecondMax`, but once a test has waited for some of it, only few while it waits for something
 * else, such as a server that starts, which can take a busy machine long.
 */
export const givenPace = (perSecondMax: number): Pace => {
  let waits = 0;
  let fullUntil = Number.POSITIVE_INFINITY;
  let nextAtMs = 0;
  const perSecond = (): number =>
    waits > 0 || performance.now() < fullUntil ? perSecondMax : Math.min(perSecondMax, fewPerSecond);
  return {
    turn: async () => {
      const nowMs = performance.now();
      const atMs = Math.max(nowMs, nextAtMs);
      nextAtMs = atMs + 1_000 / perSecond();
      await pause(atMs - nowMs);
    },
    during: async (waiting) => {
      waits += 1;
      try {
        await waiting;
      } finally {
        waits -= 1;
        fullUntil = performance.now() + fullMs;
      }
    },
  };
};
