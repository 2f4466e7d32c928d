import { type Queryable, statement } from '@leadback/db';
import { type ClickParameters, clickIdNames, clickIdsByPlatform } from '@leadback/domain';
import type { AccountScope } from '../people/access.ts';
import { leadsOfPages } from './list-pages.ts';

/** A click that has arrived. */
export interface ArrivedClick {
  readonly at: Date;
  /** By its click id; null: it has none. */
  readonly platform: string | null;
  readonly source: string | null;
  readonly campaign: string | null;
  readonly isTest: boolean;
}

/** Whether clicks arrive on a page. */
export interface Arrivals {
  /** Null: none that is among the newest of all accounts. */
  readonly last: ArrivedClick | null;
  /** Of the last 30 days of the account, without tests. */
  readonly leads: number;
}

// somebody looks at it while the first click is awaited, so it is among the newest of the installation
const newestMax = 20_000;

// Plan: leads have no index by their page, which each of them would pay for. It ends at the first that is found.
const readLast = statement<{ at: Date; clickParameters: ClickParameters; isTest: boolean }>(
  `select created_at as at, click_parameters as "clickParameters", is_test as "isTest"
   from (select * from lead order by id desc limit ${newestMax}) newest
   where account_id = $1 and landing_page_id = $2 order by id desc limit 1`,
);

const countLeads = statement<{ leads: number }>(
  `select leads from (${leadsOfPages}) counted where landing_page_id = $2`,
);

const platformOf = (click: ClickParameters): string | null => {
  const sent = clickIdNames.find((name) => click[name] !== undefined);
  const found = Object.entries(clickIdsByPlatform).find(([, names]) => names.some((name) => name === sent));
  return found?.[0] ?? null;
};

export const readArrivals = async (on: Queryable, { accountId }: AccountScope, pageId: number): Promise<Arrivals> => {
  const [last] = await readLast(on, [accountId, pageId]);
  const [{ leads } = { leads: 0 }] = await countLeads(on, [accountId, pageId]);
  if (!last) return { last: null, leads };
  const { at, clickParameters, isTest } = last;
  const [source, campaign] = [clickParameters.utm_source ?? null, clickParameters.utm_campaign ?? null];
  return { last: { at, platform: platformOf(clickParameters), source, campaign, isTest }, leads };
};

const findServerPage = statement<{ id: number }>('select id from landing_page where account_id = $1 and is_of_server');

/** Of the leads that the account's own server reports without naming a page. */
export const readServerArrivals = async (on: Queryable, scope: AccountScope): Promise<Arrivals> => {
  const [page] = await findServerPage(on, [scope.accountId]);
  return page ? readArrivals(on, scope, page.id) : { last: null, leads: 0 };
};
