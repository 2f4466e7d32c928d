import { z } from 'zod';
import type { EntityManager } from '@leadback/db';

export const metricDimensions = ['day', 'page', 'campaign'] as const;
export type MetricDimension = (typeof metricDimensions)[number];

export interface MetricsQuestion {
  readonly accountId: number;
  /** Both inclusive; `YYYY-MM-DD`, in UTC. */
  readonly from: string;
  readonly to: string;
  /** The dimensions to group by; all others are summed up. */
  readonly by: readonly MetricDimension[];
}

const rowsSchema = z.array(
  z.object({
    day: z.string().nullable(),
    page: z.string().nullable(),
    campaign: z.string().nullable(),
    values: z.record(z.string(), z.number()),
  }),
);

/** `page`: its slug. A dimension that was not requested is null, and so is the campaign of clicks without one. */
export type AccountMetricsRow = Readonly<z.infer<typeof rowsSchema>[number]>;

const columns = { day: 'm.day::text', page: 'p.slug', campaign: "nullif(m.campaign, '')" } as const;

/**
 * Returns the metrics of an account, sorted by the dimensions. `values` has a number for each measure with data:
 * `leads`, `clients`, `conversions`, `amount.<currency>` (after adjustments), `refunded.<currency>`, `feedback.<platform>.<state>`. Exact at once: changes that
 * are not rolled up yet are included.
 */
export const readAccountMetrics = async (
  em: EntityManager,
  { accountId, from, to, by }: MetricsQuestion,
): Promise<AccountMetricsRow[]> => {
  const asked = metricDimensions.map((name) => `${by.includes(name) ? columns[name] : 'null::text'} as ${name}`);
  const rows = await em.execute(
    `select day, page, campaign, json_object_agg(measure, value) as values
     from (
       select ${asked.join(', ')}, m.measure, sum(m.value) as value
       from (
         select account_id, day, landing_page_id, campaign, measure, value from account_metric
         union all
         select account_id, day, landing_page_id, campaign_counted_as(account_id, day, landing_page_id, campaign, measure), measure,
                sum(change)
         from metric_change group by account_id, day, landing_page_id, campaign, measure
       ) m join landing_page p on p.id = m.landing_page_id and p.account_id = m.account_id
       where m.account_id = ? and m.day between ? and ?
       group by 1, 2, 3, 4
     ) measured
     group by day, page, campaign order by day, page, campaign nulls first`,
    [accountId, from, to],
  );
  return rowsSchema.parse(rows);
};
