import { setTimeout as pause } from 'node:timers/promises';
import { repeat } from './app.ts';
import type { Logger } from './logger.ts';
import { instruments, type Metrics } from './metrics.ts';

/**
 * What is done again and again, by each instance of which app, and how long it pauses after a run that has found nothing
 * more to do. Loops that belong to a process, and not to the data, are no jobs: what landing and the worker hold in memory.
 */
export const jobs = {
  api: {
    /** Looks for what this process accepted before PostgreSQL was promoted. */
    accepted: 5_000,
    'attempt-partitions': 60_000,
    backlog: 5_000,
    'cut-off-lists': 60_000,
    erasures: 1_000,
    'idempotency-records': 60_000,
    imports: 1_000,
    'lapsed-erasures': 60_000,
    reconciliations: 500,
    'refused-imports': 10_000,
    retention: 60_000,
    /** Asks the APIs of shops for what they have not told: each shop once an hour. */
    'source-catch-up': 30_000,
    /** Asks them what their messages are about. */
    'source-fetches': 500,
    sources: 250,
    /** Saves how many requests had a wrong signature. */
    'source-refusals': 5_000,
    'source-retention': 60_000,
    /** Reads include changes that are not rolled up yet; this only keeps their number low. */
    'roll-up': 5_000,
  },
  'feedback-worker': {
    /** Ends what waits for connections that were deleted. */
    'deleted-connections': 5_000,
    'request-status': 30_000,
    /** Ends what became too old while its connection was paused or held. */
    'too-old-deliveries': 60_000,
  },
  console: {
    /** Asks DNS where the domains of accounts lead. */
    domains: 5_000,
    retries: 500,
    sessions: 600_000,
  },
} as const;

/** Does a part of a job. Returns whether to go on at once. */
type Run = () => Promise<boolean>;

interface Surroundings {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** How long disposing waits; default: until all runs in progress have ended. */
  readonly stopMaxMs?: number;
}

/**
 * Runs jobs until disposed, each by itself. One that fails pauses as usual; it is counted, and the time at which each last
 * ended without a failure is exported. Disposing waits for the runs in progress.
 */
export const startJobs = <Name extends string>(
  pauses: Readonly<Record<Name, number>>,
  runs: Readonly<Record<Name, Run>>,
  { log, metrics, stopMaxMs }: Surroundings,
): AsyncDisposable => {
  const names = Object.keys(pauses).filter((name): name is Name => Object.hasOwn(runs, name));
  const { counter, gauge } = instruments(metrics);
  // the label is no `job`: Prometheus names its targets so
  const failures = counter({
    name: 'leadback_job_failures_total',
    help: 'Runs of periodic work that failed; it is tried again',
    labels: { name: names },
  });
  const finished = gauge({
    name: 'leadback_job_finished_timestamp_seconds',
    help: 'Time of the last success of periodic work, in seconds since 1970; 0: not yet',
    labels: { name: names },
  });
  const running = names.map((name) =>
    repeat({
      everyMs: pauses[name],
      async round() {
        const isMore = await runs[name]();
        finished.setToCurrentTime({ name });
        return isMore;
      },
      onFailure(error) {
        failures.inc({ name });
        log.warn({ job: name, err: error }, 'job failed; it is tried again');
      },
    }),
  );
  return {
    async [Symbol.asyncDispose]() {
      const ended = Promise.all(running.map((one) => one[Symbol.asyncDispose]()));
      await (stopMaxMs === undefined ? ended : Promise.race([ended, pause(stopMaxMs, undefined, { ref: false })]));
    },
  };
};
