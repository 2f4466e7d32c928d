import { setTimeout as pause, setTimeout } from 'node:timers/promises';
import { type Pool, preparedStatement, inTransaction, tryAdvisoryLock } from '@leadback/db';
import { deleteImportRows } from '@leadback/core/imports/store';
import { deleteReconciliation } from '@leadback/core/reconciliation/create';
import { hasPersonalData, withoutPersonalData } from '@leadback/core/erasure/erase-person';
import { type KeptPartitions, keepAttemptPartitions } from './partitions.ts';

const named = `campaign not in ('', '(other)')`;
const oldCampaigns = `day < current_date - $2::int`;

const accounts = preparedStatement<{ id: number }>('accounts-with-metrics', 'select id from account order by id');

const countCampaigns = preparedStatement<{ rows: number }>(
  'count-old-campaigns',
  `select count(*) as rows from account_metric where account_id = $1 and ${oldCampaigns} and ${named}`,
);

const nextDay = preparedStatement<{ day: string }>(
  'next-day-with-old-campaigns',
  `select day::text as day from account_metric
   where account_id = $1 and ${oldCampaigns} and day > $3::date and ${named} order by account_id, day limit 1`,
);

// What arrives late for such a day counts as (other) too: its row is there. Sorted as the rollup sorts.
const fold = preparedStatement(
  'fold-old-campaigns',
  `with gone as (
     delete from account_metric where account_id = $1 and day = $2::date and ${named}
     returning landing_page_id, measure, value
   )
   insert into account_metric (account_id, day, landing_page_id, campaign, measure, value)
   select $1, $2::date, landing_page_id, '(other)', measure, sum(value) from gone
   group by landing_page_id, measure order by landing_page_id, measure
   on conflict (account_id, day, landing_page_id, campaign, measure)
     do update set value = account_metric.value + excluded.value`,
);

interface TrimmedCampaigns {
  readonly days: number;
  readonly isDryRun: boolean;
  readonly tell: (days: number) => void;
}

/**
 * Counts the campaigns of metrics older than so many days as `(other)`: a campaign's text comes from a URL, and may name
 * a person. Totals of pages and days stay. One day of an account per statement; after each it pauses for as long.
 * Returns how many days it changed; a dry run returns how many rows name such a campaign.
 */
const trimCampaigns = async (pool: Pool, { days, isDryRun, tell }: TrimmedCampaigns): Promise<number> => {
  let trimmed = 0;
  for (const { id } of await accounts(pool, [])) {
    if (isDryRun) {
      trimmed += (await countCampaigns(pool, [id, days]))[0]?.rows ?? 0;
      continue;
    }
    for (let after = '-infinity'; ; ) {
      const startedAt = performance.now();
      const [found] = await nextDay(pool, [id, days, after]);
      if (!found) break;
      await fold(pool, [id, found.day]);
      trimmed += 1;
      tell(trimmed);
      after = found.day;
      await pause(performance.now() - startedAt);
    }
  }
  return trimmed;
};

const countImports = preparedStatement<{ imports: number }>(
  'count-expired-imports',
  `select count(*) as imports from import where created_at < now() - $1 * interval '1 day' and finished_at is not null`,
);

const next = preparedStatement<{ id: number }>(
  'next-expired-import',
  `select id from import
   where id > $2 and created_at < now() - $1 * interval '1 day' and finished_at is not null
   order by id limit 1`,
);

const deleteImport = preparedStatement('delete-expired-import', 'delete from import where id = $1');

interface TrimmedImports {
  readonly days: number;
  readonly isDryRun: boolean;
  readonly tell: (imports: number) => void;
}

/**
 * Deletes imports that were uploaded more than so many days ago, with their rows, 5,000 per statement; after each it
 * pauses for as long. Open imports are kept. Returns how many it deleted; a dry run only counts them.
 */
const trimImports = async (pool: Pool, { days, isDryRun, tell }: TrimmedImports): Promise<number> => {
  if (isDryRun) return (await countImports(pool, [days]))[0]?.imports ?? 0;
  let deleted = 0;
  for (let after = 0; ; ) {
    const [found] = await next(pool, [days, after]);
    if (!found) return deleted;
    for (let isMore = true; isMore; ) {
      const startedAt = performance.now();
      isMore = await deleteImportRows(pool, found.id);
      await pause(performance.now() - startedAt);
    }
    await deleteImport(pool, [found.id]);
    deleted += 1;
    tell(deleted);
    after = found.id;
  }
};

interface ReconciliationTrimming {
  readonly days: number;
  readonly isDryRun: boolean;
  /** Called with the number of those deleted so far. */
  readonly tell: (reconciliations: number) => void;
}

const findOld = preparedStatement<{ id: number }>(
  'find-old-reconciliations',
  `select id from reconciliation where created_at < now() - $1 * interval '1 day' order by id`,
);

/** Deletes reconciliations, with the partners' lists, that are older than so many days. Returns how many. */
const trimReconciliations = async (pool: Pool, { days, isDryRun, tell }: ReconciliationTrimming): Promise<number> => {
  const old = await findOld(pool, [days]);
  if (isDryRun) return old.length;
  for (const [index, { id }] of old.entries()) {
    await deleteReconciliation(pool, id);
    tell(index + 1);
  }
  return old.length;
};

const oldWithdrawals = `asked_at < now() - $1 * interval '1 day'`;

const countWithdrawals = preparedStatement<{ rows: number }>(
  'count-old-withdrawals',
  `select count(*) as rows from consent_withdrawal where ${oldWithdrawals}`,
);

const remove = preparedStatement(
  'delete-old-withdrawals',
  `delete from consent_withdrawal where ${oldWithdrawals} returning 1`,
);

/**
 * Deletes wishes of visitors whose buffered leads were never recorded: there are few. Returns how many; a dry run only
 * counts them.
 */
const trimWithdrawals = async (
  pool: Pool,
  { days, isDryRun }: { readonly days: number; readonly isDryRun: boolean },
): Promise<number> =>
  isDryRun ? ((await countWithdrawals(pool, [days]))[0]?.rows ?? 0) : (await remove(pool, [days])).length;

/** Rows with an id greater than `after` and at most `last`. */
interface IdRange {
  readonly after: number;
  readonly last: number;
}

type TrimmedTable = 'lead' | 'delivery' | 'platform_request' | 'webhook_event';

const rowsMax = 500;

const nextStretchOf = (table: TrimmedTable) =>
  preparedStatement<{ last: number | null; is_old: boolean | null }>(
    `next-stretch-of-${table}`,
    `select max(id) as last, bool_or(created_at < now() - $2 * interval '1 day') as is_old
     from (select id, created_at from ${table} where id > $1 order by id limit $3) stretch`,
  );

/**
 * Yields ranges of 500 rows, from the oldest on, up to the first range without a row older than so many days: ids grow
 * with time. A row that was written late, between newer ones, waits until they have expired as well. After each range
 * it pauses for as long as the range took, which leaves half of the time to other work.
 */
const expiredIdRanges = async function* (pool: Pool, table: TrimmedTable, days: number): AsyncGenerator<IdRange> {
  const nextStretch = nextStretchOf(table);
  for (let after = 0; ; ) {
    const startedAt = performance.now();
    const [row] = await nextStretch(pool, [after, days, rowsMax]);
    if (!row || row.last === null || row.is_old !== true) return;
    yield { after, last: row.last };
    after = row.last;
    await setTimeout(performance.now() - startedAt);
  }
};

interface Trimming {
  readonly table: TrimmedTable;
  /** What is done to rows, each under the name by which it is counted. */
  readonly acts: readonly {
    readonly name: string;
    /** A condition on the table, for rows that are older than $3 days. */
    readonly concerns: string;
    /** Changes the rows with the ids $1, which are locked. */
    readonly change: string;
  }[];
}

const hasClient = 'exists (select from client where client.lead_id = lead.id)';

/** A lead that became a client is kept without personal data, because the client's conversions are counted under it. */
const leadTrimming: Trimming = {
  table: 'lead',
  acts: [
    {
      name: 'leadsDeleted',
      concerns: `not ${hasClient}`,
      change: `delete from lead where id = any($1) and not ${hasClient}`,
    },
    {
      name: 'leadsStripped',
      concerns: `${hasClient} and ${hasPersonalData}`,
      change: `update lead set ${withoutPersonalData} where id = any($1)`,
    },
  ],
};

const deliveryTrimming: Trimming = {
  table: 'delivery',
  acts: [
    {
      name: 'deliveriesDeleted',
      concerns: `state <> 'pending' and coalesce(closed_at, created_at) < now() - $3 * interval '1 day'`,
      change: `with attempt as (delete from delivery_attempt where delivery_id = any($1))
               delete from delivery where id = any($1)`,
    },
  ],
};

/** An event goes with its deliveries, once none of them waits. */
const webhookTrimming: Trimming = {
  table: 'webhook_event',
  acts: [
    {
      name: 'webhookEventsDeleted',
      concerns: `not exists (
         select from delivery where delivery.webhook_event_id = webhook_event.id and delivery.state = 'pending')`,
      change: `with gone as (delete from delivery where webhook_event_id = any($1) returning id),
               attempt as (delete from delivery_attempt where delivery_id = any(array(select id from gone)))
               delete from webhook_event where id = any($1)`,
    },
  ],
};

const platformRequestTrimming: Trimming = {
  table: 'platform_request',
  acts: [
    {
      name: 'platformRequestsDeleted',
      concerns: 'look_at is null',
      change: 'delete from platform_request where id = any($1)',
    },
  ],
};

/** Reports how many rows have been processed so far. */
type TellProgress = (
  table: TrimmedTable | 'import' | 'reconciliation' | 'account_metric',
  counts: Readonly<Record<string, number>>,
) => void;

/**
 * Deletes or erases rows that are older than so many days, 500 per transaction. Locked rows are left to the next run.
 * Returns how many rows each act concerned; a dry run only counts them.
 *
 * Rows are locked by one statement and changed by the next, whose snapshot includes what was committed before the rows
 * were locked, such as the client of a lead.
 */
const trimOldRows = async (
  pool: Pool,
  { table, acts }: Trimming,
  { days, isDryRun, tell }: { readonly days: number; readonly isDryRun: boolean; readonly tell: TellProgress },
): Promise<Record<string, number>> => {
  const counts: Record<string, number> = Object.fromEntries(acts.map(({ name }) => [name, 0]));
  const statements = acts.map(({ name, concerns, change }) => ({
    name,
    find: preparedStatement<{ id: number }>(
      `find-${name}${isDryRun ? '' : '-to-change'}`,
      `select id from ${table}
       where id > $1 and id <= $2 and created_at < now() - $3 * interval '1 day' and ${concerns}
       ${isDryRun ? '' : `for update of ${table} skip locked`}`,
    ),
    change: preparedStatement(`change-${name}`, `${change} returning 1`),
  }));
  for await (const { after, last } of expiredIdRanges(pool, table, days)) {
    for (const { name, find, change } of statements) {
      counts[name] =
        (counts[name] ?? 0) +
        (await inTransaction(pool, async (client) => {
          const ids = (await find(client, [after, last, days])).map(({ id }) => id);
          return isDryRun || ids.length === 0 ? ids.length : (await change(client, [ids])).length;
        }));
    }
    tell(table, counts);
  }
  return counts;
};

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
  | { readonly kind: 'applied'; readonly partitions: KeptPartitions; readonly rows: Readonly<Record<string, number>> }
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
    [deliveryTrimming, leadsDays],
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
