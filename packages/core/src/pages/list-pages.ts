import { type Queryable, statement } from '@leadback/db';
import type { landingPageModes, UnusableReason } from '@leadback/domain';
import type { AccountScope } from '../people/access.ts';

/** SQL: the slug of a `landing_page` in its account, wherever it is shown or asked for. */
export const shownSlug = (page = 'p'): string => `coalesce(${page}.own_slug, ${page}.slug)`;

export interface ListedPage {
  readonly id: number;
  readonly slug: string;
  readonly ownSlug: string | null;
  readonly mode: (typeof landingPageModes)[number];
  readonly isOn: boolean;
  /** Of the leads that the account's own server reports without naming a page. */
  readonly isOfServer: boolean;
  readonly title: string | null;
  readonly targetUrl: string;
  readonly changedAt: Date;
  /** The host of its target before it changed, in the last seven days; null if it did not. */
  readonly earlierHost: string | null;
  readonly hostChangedAt: Date | null;
  /** Of the last 30 days of the account. */
  readonly leads: number;
}

/** SQL: the live leads of each page of the account $1 in its last 30 days: `landing_page_id` and `leads`. */
export const leadsOfPages = `
     select landing_page_id, sum(value)::float8 as leads
     from (select day_of(now(), time_zone) as day, time_zone from account where id = $1) today
     cross join lateral (
       select landing_page_id, value from account_metric
       where account_id = $1 and day between today.day - 29 and today.day and measure = 'leads'
       union all
       select landing_page_id, change from metric_increment
       where account_id = $1 and day_of(at, today.time_zone) between today.day - 29 and today.day and measure = 'leads'
     ) m group by 1`;

const list = statement<ListedPage>(
  // summed up once, and not once for each page
  `with leads as (${leadsOfPages}
   )
   select p.id, p.slug, p.own_slug as "ownSlug", p.mode, p.is_on as "isOn", p.is_of_server as "isOfServer", p.title, p.target_url as "targetUrl", p.changed_at as "changedAt",
          case when p.host_changed_at > now() - interval '7 days' then p.earlier_host end as "earlierHost",
          case when p.host_changed_at > now() - interval '7 days' then p.host_changed_at end as "hostChangedAt",
          coalesce(l.leads, 0) as leads
   from landing_page p left join leads l on l.landing_page_id = p.id
   where p.account_id = $1 and p.deleted_at is null
   order by p.changed_at desc, p.id desc limit $2`,
);

/** The pages of an account, those changed last first, and whether there are more than `limit`. */
export const listPages = async (
  on: Queryable,
  { accountId }: AccountScope,
  limit: number,
): Promise<{ readonly items: ListedPage[]; readonly hasMore: boolean }> => {
  const found = await list(on, [accountId, limit + 1]);
  return { items: found.slice(0, limit), hasMore: found.length > limit };
};

/** Clicks of a page with something that was sent as a click id and is none. */
export interface UnusableCount {
  readonly parameter: string;
  readonly reason: UnusableReason;
  readonly clicks: number;
}

const unusableMax = 10_000;

const countUnusable = statement<UnusableCount>(
  `select sent.key as parameter, sent.value ->> 'reason' as reason, count(*)::float8 as clicks
   from (
     select unusable_clicks from lead
     where landing_page_id = $2 and account_id = $1 and unusable_clicks is not null and not is_test and created_at > now() - interval '30 days'
     order by created_at desc limit ${unusableMax}
   ) newest
   cross join lateral jsonb_each(newest.unusable_clicks) sent
   group by 1, 2 order by 3 desc, 1, 2`,
);

/** Of the last 30 days, at most of the newest 10,000 clicks, the most frequent first. */
export const countUnusableClicks = (
  on: Queryable,
  { accountId }: AccountScope,
  pageId: number,
): Promise<UnusableCount[]> => countUnusable(on, [accountId, pageId]);

const entriesMax = 1_000;

const findChanger = statement<{ actor: string }>(
  `select actor from (
     select at, id, actor, action, target from audit_entry where account_id = $1
     order by at desc, id desc limit ${entriesMax}
   ) newest
   where action = 'page.change' and target = $2
   order by at desc, id desc limit 1`,
);

/** Who changed the content of a page last; undefined if it is not among the newest 1,000 entries of its account. */
export const findLastChanger = async (
  on: Queryable,
  { accountId }: AccountScope,
  id: number,
): Promise<string | undefined> => (await findChanger(on, [accountId, `page ${id}`]))[0]?.actor;
