import { hasPersonalData, withoutPersonalData } from '@leadback/erasure';
import { type Pool, inTransaction, preparedStatement } from '@leadback/db';
import { expiredIdRanges, type TrimmedTable } from './expired-id-ranges.ts';

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
export const leadTrimming: Trimming = {
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

export const feedbackTrimming: Trimming = {
  table: 'feedback',
  acts: [
    {
      name: 'feedbackDeleted',
      concerns: `state <> 'pending' and coalesce(closed_at, created_at) < now() - $3 * interval '1 day'`,
      change: `with attempt as (delete from feedback_attempt where feedback_id = any($1))
               delete from feedback where id = any($1)`,
    },
  ],
};

/** An event goes with its deliveries, once none of them waits. */
export const webhookTrimming: Trimming = {
  table: 'webhook_event',
  acts: [
    {
      name: 'webhookEventsDeleted',
      concerns: `not exists (
         select from feedback where feedback.webhook_event_id = webhook_event.id and feedback.state = 'pending')`,
      change: `with gone as (delete from feedback where webhook_event_id = any($1) returning id),
               attempt as (delete from feedback_attempt where feedback_id = any(array(select id from gone)))
               delete from webhook_event where id = any($1)`,
    },
  ],
};

export const platformRequestTrimming: Trimming = {
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
export type TellProgress = (
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
export const trimOldRows = async (
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
