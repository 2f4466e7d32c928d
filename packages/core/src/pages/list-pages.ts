import { type Pool, preparedStatement } from '@leadback/db';
import type { landingPageModes } from '@leadback/domain';
import type { AccountScope } from '../people/access.ts';

export interface ListedPage {
  readonly id: number;
  readonly slug: string;
  readonly mode: (typeof landingPageModes)[number];
  readonly isOn: boolean;
  readonly title: string | null;
  readonly targetUrl: string;
  readonly changedAt: Date;
  /** The host of its target before it changed, in the last seven days; null if it did not. */
  readonly earlierHost: string | null;
  readonly hostChangedAt: Date | null;
  /** Of the last 30 days. */
  readonly leads: number;
}

const listPages = preparedStatement<ListedPage>(
  'list-pages-of-console',
  // summed up once, and not once for each page
  `with leads as materialized (
     select landing_page_id, sum(value)::float8 as leads from (
       select landing_page_id, value from account_metric
       where account_id = $1 and day between day_of(now()) - 29 and day_of(now()) and measure = 'leads'
       union all
       select landing_page_id, change from metric_change
       where account_id = $1 and day between day_of(now()) - 29 and day_of(now()) and measure = 'leads'
     ) m group by 1
   )
   select p.id, p.slug, p.mode, p.is_on as "isOn", p.title, p.target_url as "targetUrl", p.changed_at as "changedAt",
          case when p.host_changed_at > now() - interval '7 days' then p.earlier_host end as "earlierHost",
          case when p.host_changed_at > now() - interval '7 days' then p.host_changed_at end as "hostChangedAt",
          coalesce(l.leads, 0) as leads
   from (
     select * from (select * from landing_page where account_id = $1 offset 0) its
     order by changed_at desc, id desc limit $2
   ) p
   left join leads l on l.landing_page_id = p.id
   order by p.changed_at desc, p.id desc`,
);

/** Returns the pages of an account, those changed last first, and whether there are more than `limit`. */
export type PageLister = (
  scope: AccountScope,
  limit: number,
) => Promise<{ readonly items: ListedPage[]; readonly hasMore: boolean }>;

export const pageLister =
  (pool: Pool): PageLister =>
  async ({ accountId }, limit) => {
    const found = await listPages(pool, [accountId, limit + 1]);
    return { items: found.slice(0, limit), hasMore: found.length > limit };
  };

const entriesMax = 1_000;

// Rows are compared: an account with most of the entries would be read by the index of all entries in time.
const findChanger = preparedStatement<{ actor: string }>(
  'find-last-page-changer',
  `select actor from (
     select at, id, actor, action, target from audit_entry
     where (account_id, at, id) >= ($1, '-infinity'::timestamptz, 0) and (account_id, at, id) < ($1 + 1, '-infinity'::timestamptz, 0)
     order by account_id desc, at desc, id desc limit ${entriesMax}
   ) newest
   where action = 'page.change' and target = $2
   order by at desc, id desc limit 1`,
);

/** Returns who changed the content of a page last; undefined if it is not among the newest 1,000 entries of its account. */
type LastPageChanger = (scope: AccountScope, id: number) => Promise<string | undefined>;

export const lastPageChanger =
  (pool: Pool): LastPageChanger =>
  async ({ accountId }, id) =>
    (await findChanger(pool, [accountId, `page ${id}`]))[0]?.actor;
