import { type Pool, tryAdvisoryLock } from '@leadback/db';
import { type KeptPartitions, keepAttemptPartitions } from './keep-attempt-partitions.ts';
import { trimCampaigns } from './trim-campaigns.ts';
import { trimImports } from './trim-imports.ts';
import { trimReconciliations } from './trim-reconciliations.ts';
import { trimWithdrawals } from './trim-withdrawals.ts';
import {
  feedbackTrimming,
  leadTrimming,
  platformRequestTrimming,
  type TellProgress,
  trimOldRows,
  webhookTrimming,
} from './trim-old-rows.ts';

export interface Retention {
  /** After how many days leads and closed feedback are deleted. Default: never. */
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

export type AppliedRetention =
  | { readonly kind: 'applied'; readonly partitions: KeptPartitions; readonly rows: Readonly<Record<string, number>> }
  | { readonly kind: 'running-elsewhere' }
  | { readonly kind: 'not-the-owner'; readonly owner: string; readonly user: string };

// any number that is used for no other lock on the server
const retentionLock = 7_236_118_402;

const ownership = async (pool: Pool) => {
  const { rows } = await pool.query<{ owner: string; user: string; isOwner: boolean }>(
    `select pg_get_userbyid(relowner) as owner, current_user as user, pg_has_role(relowner, 'usage') as "isOwner"
     from pg_class where oid = 'feedback_attempt'::regclass`,
  );
  const [row] = rows;
  if (!row) throw new Error('the table feedback_attempt does not exist; run the migrations');
  return row;
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

  const rows: Record<string, number> = {};
  for (const [trimming, days] of [
    [platformRequestTrimming, attemptsDays],
    [feedbackTrimming, leadsDays],
    [leadTrimming, leadsDays],
    [webhookTrimming, webhooksDays],
  ] as const) {
    if (days !== undefined) Object.assign(rows, await trimOldRows(pool, trimming, { days, isDryRun, tell }));
  }
  if (leadsDays !== undefined) rows['withdrawalsDeleted'] = await trimWithdrawals(pool, { days: leadsDays, isDryRun });
  if (importsDays !== undefined) {
    const tellImports = (importsDeleted: number) => tell('import', { importsDeleted });
    rows['importsDeleted'] = await trimImports(pool, { days: importsDays, isDryRun, tell: tellImports });
    const tellLists = (reconciliationsDeleted: number) => tell('reconciliation', { reconciliationsDeleted });
    rows['reconciliationsDeleted'] = await trimReconciliations(pool, { days: importsDays, isDryRun, tell: tellLists });
  }
  if (campaignsDays !== undefined) {
    const tellCampaigns = (daysTrimmed: number) => tell('account_metric', { daysTrimmed });
    const trimmed = await trimCampaigns(pool, { days: campaignsDays, isDryRun, tell: tellCampaigns });
    rows[isDryRun ? 'campaignRows' : 'campaignDaysTrimmed'] = trimmed;
  }
  // last: a long read of attempts, such as a backup, can block this step but no other
  const partitions = await keepAttemptPartitions(pool, { days: attemptsDays, isDryRun });
  return { kind: 'applied', partitions, rows };
};
