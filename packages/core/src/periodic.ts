import { isLockTimeout, type PeriodicJob, type Pool, statement } from '@leadback/db';
import {
  addCounts,
  type Counts,
  type ExpiringSubject,
  keepAttemptPartitions,
  subjectAfter,
  trimByPeriods,
} from './retention.ts';

/** Nobody else takes a job for so long after its last step: an instance that has died is replaced then. */
const heldFor = `interval '2 minutes'`;
const retriedAfter = `interval '10 minutes'`;
// the day of daily jobs begins when Argentina and Europe are at their quietest
const beganToday = `began_at >= date_trunc('day', now() - interval '6 hours', 'UTC') + interval '6 hours'`;

const take = statement(
  `insert into periodic_run as run (name, holder, held_until) values ($1, $2, now() + ${heldFor})
   on conflict (name) do update set holder = excluded.holder, began_at = now(), held_until = excluded.held_until
   where run.held_until < now() and not (coalesce(run.finished_at >= run.began_at, false) and run.${beganToday})
   returning 1`,
);

const renew = statement(
  `update periodic_run set held_until = now() + ${heldFor} where name = $1 and holder = $2 returning 1`,
);

const finish = statement(
  `update periodic_run set finished_at = now(), failed_at = null, held_until = now(), outcome = $3
   where name = $1 and holder = $2`,
);

const giveUp = statement(
  `update periodic_run set failed_at = now(), held_until = now() + ${retriedAfter} where name = $1 and holder = $2`,
);

/** Does one step; resolves with what it did, and with the rest of the work, if there is more. */
type Step = () => Promise<{ readonly did: Counts; readonly rest: Step | undefined }>;

const trimming =
  (pool: Pool, subject: ExpiringSubject, cursor: string | null): Step =>
  async () => {
    const { next_cursor, changed } = await trimByPeriods(pool, subject, cursor);
    if (next_cursor !== null) return { did: changed, rest: trimming(pool, subject, next_cursor) };
    const next = subjectAfter(subject);
    return { did: changed, rest: next === undefined ? undefined : trimming(pool, next, null) };
  };

// a long read of attempts, such as a backup, makes it fail for today's next try
const lockTriesMax = 60;

const partitioning =
  (pool: Pool, tries: number): Step =>
  async () => {
    try {
      const { act } = await keepAttemptPartitions(pool);
      if (act === null) return { did: {}, rest: undefined };
      const did = act === 'drop' ? { partitionsDropped: 1 } : act === 'prepare' ? {} : { partitionsMade: 1 };
      return { did, rest: partitioning(pool, 0) };
    } catch (error) {
      if (!isLockTimeout(error) || tries >= lockTriesMax) throw error;
      return { did: {}, rest: partitioning(pool, tries + 1) };
    }
  };

export interface PeriodicPools {
  readonly jobs: Pool;
  /** Whose statements take as long as they need. */
  readonly unhurried: Pool;
}

export interface FinishedJob {
  readonly name: PeriodicJob;
  readonly outcome: Counts;
}

/**
 * Works on one daily job, step by step, if it is due and nobody else works on it: PostgreSQL's clock and the row of the job
 * decide. Each call does one step, and resolves with whether there is more to do now, and with the job if that was its last.
 * Of a step that fails, the job is tried again after ten minutes, by anybody.
 */
export const periodicWorker = (name: PeriodicJob, { jobs, unhurried }: PeriodicPools, holder: string) => {
  let rest: Step | undefined;
  let outcome: Counts = {};
  const start = (): Step =>
    name === 'retention' ? trimming(jobs, 'platform_request', null) : partitioning(unhurried, 0);

  return async (): Promise<{ readonly isMore: boolean; readonly finished?: FinishedJob }> => {
    if (rest === undefined) {
      if ((await take(jobs, [name, holder])).length === 0) return { isMore: false };
      rest = start();
      outcome = {};
    } else if ((await renew(jobs, [name, holder])).length === 0) {
      // it took so long that another instance has taken it over
      rest = undefined;
      return { isMore: false };
    }
    const step = rest;
    rest = undefined;
    try {
      const done = await step();
      outcome = addCounts(outcome, done.did);
      rest = done.rest;
    } catch (error) {
      await giveUp(jobs, [name, holder]);
      throw error;
    }
    if (rest !== undefined) return { isMore: true };
    await finish(jobs, [name, holder, JSON.stringify(outcome)]);
    return { isMore: false, finished: { name, outcome } };
  };
};

export interface PeriodicRunRecord {
  readonly name: string;
  readonly finishedAt: Date | null;
  readonly failedAt: Date | null;
  /** Whether it last ended, or, if it never did, began, more than two days ago. */
  readonly isLate: boolean;
  readonly outcome: Counts | null;
}

const runs = statement<PeriodicRunRecord>(
  `select name, finished_at as "finishedAt", failed_at as "failedAt", outcome,
          coalesce(finished_at, began_at) < now() - interval '2 days' as "isLate"
   from periodic_run order by name`,
);

/** The last run of each job that has ever run. */
export const readPeriodicRuns = (pool: Pool): Promise<PeriodicRunRecord[]> => runs(pool, []);
