import { setTimeout as pause } from 'node:timers/promises';
import { type Pool, preparedStatement } from '@leadback/db';

const named = `campaign not in ('', '(other)')`;
const old = `day < current_date - $2::int`;

const accounts = preparedStatement<{ id: number }>('accounts-with-metrics', 'select id from account order by id');

const count = preparedStatement<{ rows: number }>(
  'count-old-campaigns',
  `select count(*) as rows from account_metric where account_id = $1 and ${old} and ${named}`,
);

const nextDay = preparedStatement<{ day: string }>(
  'next-day-with-old-campaigns',
  `select day::text as day from account_metric
   where account_id = $1 and ${old} and day > $3::date and ${named} order by account_id, day limit 1`,
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
export const trimCampaigns = async (pool: Pool, { days, isDryRun, tell }: TrimmedCampaigns): Promise<number> => {
  let trimmed = 0;
  for (const { id } of await accounts(pool, [])) {
    if (isDryRun) {
      trimmed += (await count(pool, [id, days]))[0]?.rows ?? 0;
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
