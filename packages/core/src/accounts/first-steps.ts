import { type Queryable, statement } from '@leadback/db';
import type { ConnectionState } from '@leadback/domain';
import { isOfPlatform } from '../delivery/undelivered.ts';
import type { AccountScope } from '../people/access.ts';

/** How far an account has come on its way to its first live sale. */
export interface FirstSteps {
  /** One that visitors find, if there is one; the oldest. Null: there is none. */
  readonly page: {
    readonly id: number;
    readonly slug: string;
    readonly ownSlug: string | null;
    readonly isOn: boolean;
  } | null;
  /** To a platform: an active one, if there is one. */
  readonly connection: { readonly id: number; readonly state: ConnectionState } | null;
  readonly hasClick: boolean;
  readonly hasTestKey: boolean;
  readonly hasTestSale: boolean;
  readonly hasLiveKey: boolean;
  readonly hasLiveSale: boolean;
}

const hasSale = (isTest: boolean) => `exists (
  select from conversion where account_id = $1 and is_test = ${isTest} order by coalesce(occurred_at, created_at), id limit 1)`;

const hasKey = (isTest: boolean) => `exists (
  select from api_key
  where account_id = $1 and is_test = ${isTest} and revoked_at is null and (expires_at is null or expires_at > now()))`;

// Plan: one row of an index for each step, however much the account has: that of sales by their time, and that of the leads by
// their day. The changes that are not rolled up yet are few.
const read = statement<FirstSteps>(
  `select (select json_build_object('id', id, 'slug', slug, 'ownSlug', own_slug, 'isOn', is_on)
           from landing_page where account_id = $1 and not is_of_server and deleted_at is null order by is_on desc, id limit 1) as page,
          (select json_build_object('id', id, 'state', state)
           from platform_connection where account_id = $1 and ${isOfPlatform} and deleted_at is null
           order by state <> 'active', id limit 1) as connection,
          exists (select from account_metric where account_id = $1 and measure = 'leads' order by day limit 1)
            or exists (select from metric_increment where account_id = $1 and measure = 'leads') as "hasClick",
          ${hasKey(true)} as "hasTestKey", ${hasSale(true)} as "hasTestSale",
          ${hasKey(false)} as "hasLiveKey", ${hasSale(false)} as "hasLiveSale"`,
);

export const readFirstSteps = async (on: Queryable, { accountId }: AccountScope): Promise<FirstSteps> => {
  const [steps] = await read(on, [accountId]);
  if (!steps) throw new Error('the first steps are no row');
  return steps;
};
