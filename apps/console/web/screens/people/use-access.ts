import { useState } from 'react';
import type { ChangeAccessInput } from '../../../src/contract/people.ts';
import type { Role } from '../../../src/contract/session.ts';

interface AccessForm {
  readonly role: Role;
  readonly accounts: readonly number[];
  readonly needsAccounts: boolean;
  /** None is chosen, and the form was sent. */
  readonly isMissing: boolean;
  readonly setRole: (role: Role) => void;
  readonly setAccounts: (accounts: readonly number[]) => void;
  /** What the server takes; undefined: an account is missing, which the form says from now on. */
  readonly submit: () => ChangeAccessInput | undefined;
}

/** A role, and the accounts that all but admins and operators need. */
export const useAccess = (initial: { readonly role: Role; readonly accounts: readonly number[] }): AccessForm => {
  const [role, setRole] = useState(initial.role);
  const [accounts, setAccounts] = useState(initial.accounts);
  const [isSent, setSent] = useState(false);
  const needsAccounts = role !== 'admin' && role !== 'operator';
  const isIncomplete = needsAccounts && accounts.length === 0;
  return {
    role,
    accounts,
    needsAccounts,
    isMissing: isSent && isIncomplete,
    setRole,
    setAccounts,
    submit: () => {
      setSent(true);
      return isIncomplete ? undefined : { role, accounts: needsAccounts ? [...accounts] : [] };
    },
  };
};
