import { byReference } from '../by-reference.ts';

const ofReconciliation = { accountId: '$2', isTest: '$3' } as const;

/** SQL: the conversion with a reference, as `v`, of the account $2 in the mode $3; no row if there is none. */
export const conversionByReference = (reference: string, columns: string): string => `
  ${byReference({ table: 'conversion', as: 'v', columns, ...ofReconciliation, reference })}
  limit 1`;

const clientByReference = byReference({
  table: 'client',
  as: 'c',
  columns: 'true as is_known',
  ...ofReconciliation,
  reference: 'r.client_external_reference',
});

// `between`, because several indexes begin with the account
const clientsByEmail = [
  `(select true from client c
   where not $3 and c.account_id = $2 and c.email_hash between r.email_hash and r.email_hash
   order by c.email_hash desc, c.id desc limit 1)`,
  `(select true from client c
   where $3 and c.account_id = $2 and c.test_email_hash between r.email_hash and r.email_hash
   order by c.test_email_hash desc, c.id desc limit 1)`,
];

/** SQL: one row if registering the row `r` would find a client of the account $2 in the mode $3. */
export const clientOfRow = `
  ${[clientByReference, ...clientsByEmail].join(`
  union all
  `)}
  limit 1`;
