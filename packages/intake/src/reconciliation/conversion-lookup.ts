/**
 * SQL: the conversion with a reference, as `v`, of the account $2 in the mode $3; no row if there is none. Each part
 * reads one entry of a unique index, whatever PostgreSQL knows of the tables.
 */
export const conversionByReference = (reference: string, columns: string): string => `
  (select ${columns} from conversion v
   where not $3 and v.account_id = $2 and v.external_reference between ${reference} and ${reference}
   order by v.external_reference limit 1)
  union all
  (select ${columns} from conversion v
   where $3 and v.account_id = $2 and v.test_reference between ${reference} and ${reference}
   order by v.test_reference limit 1)
  limit 1`;

/** SQL: one row if registering the row `r` would find a client of the account $2 in the mode $3. */
export const clientOfRow = `
  (select true as is_known from client c
   where not $3 and c.account_id = $2
     and c.external_reference between r.client_external_reference and r.client_external_reference
   order by c.external_reference limit 1)
  union all
  (select true from client c
   where $3 and c.account_id = $2
     and c.test_reference between r.client_external_reference and r.client_external_reference
   order by c.test_reference limit 1)
  union all
  (select true from client c
   where not $3 and c.account_id = $2 and c.email_key between r.email_key and r.email_key
   order by c.email_key desc, c.id desc limit 1)
  union all
  (select true from client c
   where $3 and c.account_id = $2 and c.test_email_key between r.email_key and r.email_key
   order by c.test_email_key desc, c.id desc limit 1)
  limit 1`;
