import { type AccountId, type AccountStatus, type Role, seesAllAccounts } from '@leadback/domain';
import { type Queryable, statement } from '@leadback/db';

interface ScopedAccount {
  readonly id: AccountId;
  readonly status: AccountStatus;
}

/**
 * An account that a person may see. Queries of the console take this in place of an account id: only `accountScope` makes
 * one, because this package exports no more of the class than its type.
 */
export class AccountScope {
  readonly #account: ScopedAccount;

  constructor(account: ScopedAccount) {
    this.#account = account;
  }

  get accountId(): AccountId {
    return this.#account.id;
  }

  get status(): AccountStatus {
    return this.#account.status;
  }
}

const ofAll = statement<{ id: number; status: AccountStatus }>('select id, status from account where id = $1');

const ofMember = statement<{ id: number; status: AccountStatus }>(
  `select a.id, a.status from membership m join account a on a.id = m.account_id
   where m.person_id = $2 and m.account_id = $1`,
);

/** Undefined if there is no such account, or if the person may not see it: callers cannot tell which. */
export const accountScope = async (
  on: Queryable,
  { id: personId, role }: { readonly id: number; readonly role: Role },
  accountId: AccountId,
): Promise<AccountScope | undefined> => {
  const [account] = seesAllAccounts(role) ? await ofAll(on, [accountId]) : await ofMember(on, [accountId, personId]);
  return account && new AccountScope(account);
};

export interface VisibleAccount {
  readonly id: AccountId;
  readonly name: string;
  readonly status: AccountStatus;
  /** In which its days begin. */
  readonly timeZone: string;
}

const accountsMax = 500;

const visibleOfAll = statement<VisibleAccount>(
  `select id, name, status, time_zone as "timeZone" from account order by lower(name), id limit ${accountsMax}`,
);

const visibleOfMember = statement<VisibleAccount>(
  `select a.id, a.name, a.status, a.time_zone as "timeZone" from membership m join account a on a.id = m.account_id
   where m.person_id = $1 order by lower(a.name), a.id limit ${accountsMax}`,
);

/** The accounts that a person may see, by name; the first 500. */
export const visibleAccounts = (
  on: Queryable,
  { id, role }: { readonly id: number; readonly role: Role },
): Promise<VisibleAccount[]> => (seesAllAccounts(role) ? visibleOfAll(on, []) : visibleOfMember(on, [id]));

export type RefusedBecause = 'invalid' | 'guessable' | 'not-found' | 'conflict' | 'destination-exists';

/** An action of a person that cannot be done. The message names the input and the fix. */
export class ActionRefused extends Error {
  override readonly name = 'ActionRefused';
  readonly because: RefusedBecause;

  constructor(because: RefusedBecause, message: string) {
    super(message);
    this.because = because;
  }
}
