/** What metrics know of a click, as `click_part` names it. */
export const clickDimensions = ['platform', 'source', 'medium', 'campaign', 'term', 'content'] as const;
export type ClickDimension = (typeof clickDimensions)[number];

/** SQL: a part of a `click_key`; empty: the click does not say it. A campaign without a name has its id. */
export const saidBy = (key: string, part: ClickDimension): string =>
  part === 'campaign'
    ? `coalesce(nullif(click_part(${key}, 'campaign'), ''), click_part(${key}, 'id'))`
    : `click_part(${key}, '${part}')`;

/** SQL: as `saidBy`, in a statement that joins `itsName`: the campaign has the name that came with its id. */
export const namedBy = (key: string, part: ClickDimension): string =>
  part === 'campaign' ? `coalesce(itsname.name, ${saidBy(key, part)})` : saidBy(key, part);

// a campaign that runs is clicked every day
const namesDays = 90;

/**
 * SQL: a join of the name of the campaign that a `click_key` of an account has by its id alone: the one with which most clicks
 * came. Of the days of a range, and of the last 90.
 */
export const itsName = (
  key: string,
  { accountId, from, to }: { readonly accountId: string; readonly from: string; readonly to: string },
): string => `
       left join (
         select distinct on (id) id, name
         from (
           select click_part(campaign, 'id') as id, click_part(campaign, 'campaign') as name, sum(value) as leads
           from (
             select campaign, value from account_metric
             where account_id = ${accountId} and measure = 'leads'
               and day between least(${from}::date, current_date - ${namesDays}) and greatest(${to}::date, current_date + 1)
             union all
             select campaign, change from metric_increment where account_id = ${accountId} and measure = 'leads'
           ) clicks
           where click_part(campaign, 'id') <> '' and click_part(campaign, 'campaign') not in ('', '(other)')
           group by 1, 2
         ) names
         order by id, leads desc, name
       ) itsname on itsname.id = click_part(${key}, 'id') and click_part(${key}, 'campaign') = ''`;
