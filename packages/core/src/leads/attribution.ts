import { clickIdNames, clickIdsByPlatform } from '@leadback/domain';

/** Clocks differ by some minutes: a click that is so much later than a sale came before it. */
const clockMargin = `interval '5 minutes'`;

const textArray = (names: readonly string[]): string => `array[${names.map((name) => `'${name}'`).join(', ')}]`;

const clickIdsOf = (platform: string): string =>
  `case ${platform}${Object.entries(clickIdsByPlatform)
    .map(([name, clickIds]) => ` when '${name}' then ${textArray(clickIds)}`)
    .join('')} end`;

/**
 * SQL: whether the visit of a lead l itself came from a campaign. Not one that only remembers click ids of earlier visits.
 */
const isOfCampaign = `exists (
         select from jsonb_object_keys(l.click_parameters) name
         where (starts_with(name, 'utm_') or starts_with(name, 'gad_') or name = any(${textArray(clickIdNames)}))
           and not coalesce(l.click_times ? name, false))`;

/**
 * SQL: a select of the leads of a client after the first one, `client.lead_id`, as lead_id. Both values are SQL expressions. The account
 * is no condition of an index: the client's few are read by their key.
 */
export const furtherLeads = (clientId: string, accountId: string): string =>
  `select lead_id from client_lead where client_id = ${clientId} and account_id + 0 = ${accountId}`;

/** Of several clients with one email, this many of the newest are one person. */
export const sameEmailMax = 20;

/** SQL: the ids of all leads of a client, a row of `client`. */
export const leadIdsOf = (client: string): string =>
  `${client}.lead_id || array(${furtherLeads(`${client}.id`, `${client}.account_id`)})`;

/** Where a sale comes from, all SQL expressions. */
interface Sale {
  readonly accountId: string;
  /** The ids of the leads among which one counts. */
  readonly leadIds: string;
  /** When it occurred. */
  readonly soldAt: string;
}

const ordered = (time: string, accountId: string) =>
  `case when (select attribution from account where id = ${accountId}) = 'first' then ${time} end, ${time} desc, l.id desc`;

/**
 * SQL: a select of the columns of the lead l that counts for a sale: of the visits from campaigns before it, the newest, or
 * the first if the account chose so. No row if no campaign brought the client before the sale. Any other visit takes nothing away
 * from a campaign.
 */
export const countedLead = (columns: string, { accountId, leadIds, soldAt }: Sale): string => `
       select ${columns} from lead l
       where l.id = any(${leadIds}) and l.account_id + 0 = ${accountId} and l.created_at <= ${soldAt} + ${clockMargin} and ${isOfCampaign}
       order by ${ordered('l.created_at', accountId)} limit 1`;

/**
 * SQL: the id of the lead with the click id that a platform is told of: of its clicks before the sale the newest, or the
 * first. Null if there is none. A click id that a later visit remembers is as old as its click.
 */
export const countedLeadOf = (platform: string, { accountId, leadIds, soldAt }: Sale): string => `(
       select l.id from lead l
       cross join lateral (
         select max(coalesce((l.click_times ->> name)::timestamptz, l.created_at)) as at
         from unnest(${clickIdsOf(platform)}) name where l.click_parameters ? name) click
       where l.id = any(${leadIds}) and l.account_id + 0 = ${accountId} and click.at <= ${soldAt} + ${clockMargin}
       order by ${ordered('click.at', accountId)} limit 1)`;
