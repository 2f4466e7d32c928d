import type { Database } from '@leadback/db';

export interface OldFeedback {
  readonly id: number;
  readonly accountId: number;
  readonly clientId: number;
  readonly conversionId: number;
}

/** A delivery and its parents, with columns that every schema version has: entities only match the newest. */
export const givenOldFeedback = async (pool: Database['pool']): Promise<OldFeedback> => {
  const { rows } = await pool.query<Record<keyof OldFeedback, string>>(`
    with a as (insert into account (name) values ('old') returning id),
         p as (insert into landing_page (account_id, slug, target_url)
               select id, 'page-' || gen_random_uuid(), 'https://shop.example/offer' from a returning id),
         l as (insert into lead (account_id, landing_page_id, reference, click_marks)
               select a.id, p.id, gen_random_uuid(), '{}' from a, p returning id),
         c as (insert into client (account_id, lead_id, email_key, external_reference)
               select a.id, l.id, 'ana@x.example', 'C1' from a, l returning id),
         v as (insert into conversion (account_id, client_id, amount, currency)
               select a.id, c.id, 10, 'USD' from a, c returning id),
         n as (insert into platform_connection (account_id, platform, settings, credentials)
               select id, 'meta', '{}', '' from a returning id)
    insert into feedback (account_id, conversion_id, connection_id) select a.id, v.id, n.id from a, v, n
    returning id, account_id as "accountId", conversion_id as "conversionId", (select id from c) as "clientId"`);
  const [row] = rows;
  if (!row) throw new Error('nothing was inserted');
  const { id, accountId, clientId, conversionId } = row;
  return {
    id: Number(id),
    accountId: Number(accountId),
    clientId: Number(clientId),
    conversionId: Number(conversionId),
  };
};
