import { type AccountId, type AccountStatus, type Role, seesAllAccounts } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';

export interface VisibleAccount {
  readonly id: AccountId;
  readonly name: string;
  readonly status: AccountStatus;
}

const accountsMax = 500;

const ofAll = preparedStatement<VisibleAccount>(
  'list-accounts',
  `select id, name, status from account order by lower(name), id limit ${accountsMax}`,
);

const ofMember = preparedStatement<VisibleAccount>(
  'list-accounts-of-member',
  `select a.id, a.name, a.status
   from (select account_id from membership where person_id = $1) m
   cross join lateral (select id, name, status from account where id = m.account_id limit 1) a
   order by lower(a.name), a.id limit ${accountsMax}`,
);

/** The accounts that a person may see, by name; the first 500. */
export const visibleAccounts = (
  pool: Pool,
  { id, role }: { readonly id: number; readonly role: Role },
): Promise<VisibleAccount[]> => (seesAllAccounts(role) ? ofAll(pool, []) : ofMember(pool, [id]));
