import { type Pool, preparedStatement } from '@leadback/db';
import type { AccountScope } from '@leadback/people';

const entriesMax = 1_000;

// Rows are compared: an account with most of the entries would be read by the index of all entries in time.
const findChanger = preparedStatement<{ actor: string }>(
  'find-last-page-changer',
  `select actor from (
     select at, id, actor, action, target from audit_entry
     where (account_id, at, id) >= ($1, '-infinity'::timestamptz, 0) and (account_id, at, id) < ($1 + 1, '-infinity'::timestamptz, 0)
     order by account_id desc, at desc, id desc limit ${entriesMax}
   ) newest
   where action = 'page.change' and target = $2
   order by at desc, id desc limit 1`,
);

/** Returns who changed the content of a page last; undefined if it is not among the newest 1,000 entries of its account. */
export type LastPageChanger = (scope: AccountScope, id: number) => Promise<string | undefined>;

export const lastPageChanger =
  (pool: Pool): LastPageChanger =>
  async ({ accountId }, id) =>
    (await findChanger(pool, [accountId, `page ${id}`]))[0]?.actor;
