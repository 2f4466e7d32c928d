import type { Account, Pool } from '@leadback/db';
import { accountMasterKeys, openAccountKey, type PersonMarks, personHashes } from '@leadback/secrets';
import { secretsKeys } from './secrets-key.ts';

/** Notes whom an erasure in this account erased, that a partner asked for, so many minutes from now. Its id: 22 times `E`. */
export const givenErased = async (
  { pool }: { readonly pool: Pool },
  { id, dataKey }: Account,
  marks: PersonMarks,
  minutes = 0,
): Promise<void> => {
  if (!dataKey) throw new Error('the account has no data key');
  await pool.query(
    `insert into erased_key (account_id, hash, erased_at, asked_by, erasure_id)
     select $1, hash, now() + $3 * interval '1 minute', 'partner', repeat('E', 22) from unnest($2::text[]) hash`,
    [id, personHashes(openAccountKey(accountMasterKeys(secretsKeys), id, dataKey), marks), minutes],
  );
};
