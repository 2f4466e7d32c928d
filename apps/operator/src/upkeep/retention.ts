import { setTimeout as pause } from 'node:timers/promises';
import { type Pool, tryAdvisoryLock, withLockRetry } from '@leadback/db';
import {
  addCounts,
  changeAttemptPartitions,
  type Counts,
  type ExpiringSubject,
  expiringSubjects,
  type KeptPartitions,
  planOfAttemptPartitions,
  subjectAfter,
  trimExpired,
  withChange,
} from '@leadback/core/retention';

/** Reports how many rows have been processed so far. */
type TellProgress = (subject: ExpiringSubject, counts: Counts) => void;

interface Retention {
  /** After how many days leads and closed deliveries are deleted. Default: never. */
  readonly leadsDays?: number | undefined;
  /** After how many days attempts and request statuses are deleted. Default: never. */
  readonly attemptsDays?: number | undefined;
  /** After how many days imported files and reconciled lists are deleted. Default: never. */
  readonly importsDays?: number | undefined;
  /** After how many days webhook events are deleted, with their closed deliveries. Default: never. */
  readonly webhooksDays?: number | undefined;
  /** After how many days metrics no longer name campaigns. Default: never. */
  readonly campaignsDays?: number | undefined;
  /** Only counts. */
  readonly isDryRun: boolean;
  readonly tell: TellProgress;
}

type AppliedRetention =
  | { readonly kind: 'applied'; readonly partitions: KeptPartitions; readonly rows: Counts }
  | { readonly kind: 'running-elsewhere' }
  | { readonly kind: 'not-the-owner'; readonly owner: string; readonly user: string };

// any number that is used for no other lock on the server
const retentionLock = 7_236_118_402;

const ownership = async (pool: Pool) => {
  const { rows } = await pool.query<{ owner: string; user: string; isOwner: boolean }>(
    `select pg_get_userbyid(relowner) as owner, current_user as user, pg_has_role(relowner, 'usage') as "isOwner"
     from pg_class where oid = 'delivery_attempt'::regclass`,
  );
  const [row] = rows;
  if (!row) throw new Error('the table delivery_attempt does not exist; run the migrations');
  return row;
};

interface Trimming {
  readonly days: number;
  readonly isDryRun: boolean;
  readonly tell: TellProgress;
}

/** After each batch it pauses for as long as the batch took, which leaves half of the time to other work. */
const trimAll = async (pool: Pool, subject: ExpiringSubject, { days, isDryRun, tell }: Trimming): Promise<Counts> => {
  const none = subject === 'account_metric' && isDryRun ? ['campaignRows'] : expiringSubjects[subject].counts;
  let counts: Counts = Object.fromEntries(none.map((name) => [name, 0]));
  for (let cursor: string | null = null; ; ) {
    const startedAt = performance.now();
    const batch = await trimExpired(pool, subject, { days, cursor, onlyCounts: isDryRun });
    counts = addCounts(counts, batch.changed);
    if (batch.next_cursor === null) return counts;
    tell(subject, counts);
    cursor = batch.next_cursor;
    await pause(performance.now() - startedAt);
  }
};

const keepPartitions = async (pool: Pool, days: number | undefined): Promise<KeptPartitions> => {
  let kept: KeptPartitions = { made: [], dropped: [] };
  for (;;) {
    const change = await withLockRetry(() => changeAttemptPartitions(pool, days));
    if (change.act === null) return kept;
    kept = withChange(kept, change);
  }
};

/** Creates the partitions ahead and deletes expired data. Clients and conversions are kept. */
export const applyRetention = async (
  pool: Pool,
  { leadsDays, attemptsDays, importsDays, webhooksDays, campaignsDays, isDryRun, tell }: Retention,
): Promise<AppliedRetention> => {
  const { owner, user, isOwner } = await ownership(pool);
  if (!isOwner && !isDryRun) return { kind: 'not-the-owner', owner, user };
  await using lock = await tryAdvisoryLock(pool, retentionLock);
  if (!lock) return { kind: 'running-elsewhere' };

  const daysOf = {
    leads: leadsDays,
    attempts: attemptsDays,
    imports: importsDays,
    webhooks: webhooksDays,
    campaigns: campaignsDays,
  };
  let rows: Counts = {};
  for (let subject = subjectAfter(undefined); subject !== undefined; subject = subjectAfter(subject)) {
    const days = daysOf[expiringSubjects[subject].period];
    if (days !== undefined) rows = { ...rows, ...(await trimAll(pool, subject, { days, isDryRun, tell })) };
  }
  // last: a long read of attempts, such as a backup, can block this step but no other
  const partitions = isDryRun
    ? await planOfAttemptPartitions(pool, attemptsDays)
    : await keepPartitions(pool, attemptsDays);
  return { kind: 'applied', partitions, rows };
};
