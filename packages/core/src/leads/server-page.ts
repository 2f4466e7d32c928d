import { randomBytes } from 'node:crypto';
import { type Pool, type PoolClient, preparedStatement, type Queryable, statement, transaction } from '@leadback/db';
import { audit } from '../audit.ts';

interface WantedPage {
  readonly accountId: number;
  /** Undefined: the page of leads that name none. */
  readonly slug: string | undefined;
}

// Plan: each page by its index; see `preparedStatement`.
const find = preparedStatement<{ id: number | null }>(
  'find-pages-of-leads',
  `select case
     when slug is null then (select id from landing_page p where p.account_id = of_account and is_of_server limit 1)
     else (
       select p.id from landing_slug s join landing_page p on p.id = s.landing_page_id
       where s.scope in (of_account, 0) and s.slug = wanted.slug and p.account_id = of_account and p.deleted_at is null
       order by s.scope desc limit 1
     ) end as id
   from unnest($1::bigint[], $2::text[]) with ordinality wanted (of_account, slug, place) order by place`,
);

/** The ids of pages of accounts, on or off, by a slug that they have or had, in order; null: there is none. */
export const findPageIds = async (on: Queryable, wanted: readonly WantedPage[]): Promise<(number | null)[]> => {
  const found = await find(on, [wanted.map(({ accountId }) => accountId), wanted.map(({ slug }) => slug ?? null)]);
  return found.map(({ id }) => id);
};

// Off: landing has nothing to show there. Another process may have added it, or another page may have the slug, or had it.
const add = statement<{ id: number }>(
  `insert into landing_page (account_id, slug, mode, is_on, is_hidden, target_url, is_of_server)
   select id, $2, 'direct', false, hides_pages, $3, true from account where id = $1 and not exists (select from landing_slug where slug = $2)
   on conflict do nothing returning id`,
);

interface NewServerPage {
  readonly accountId: number;
  readonly actor: string;
  /** The URL of a page of the advertiser. */
  readonly url: string;
}

/** Adds the page of an account for leads that its own server reports without naming one, unless there is one. */
export const addServerPage = (pool: Pool | PoolClient, { accountId, actor, url }: NewServerPage): Promise<void> =>
  transaction(pool, async (on) => {
    for (const slug of [`server-${accountId}`, `server-${accountId}-${randomBytes(5).toString('hex')}`]) {
      const [page] = await add(on, [accountId, slug, `${new URL(url).origin}/`]);
      if (page) {
        const target = `page ${page.id}`;
        return audit(on, { actor, action: 'page.create', accountId, target, details: { slug, isOn: false } });
      }
      const [known] = await findPageIds(on, [{ accountId, slug: undefined }]);
      if (known !== null) return;
    }
  });
