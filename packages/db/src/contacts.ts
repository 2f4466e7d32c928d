import {
  type AccountKeys,
  type AccountKeysOpener,
  accountKeysOpener,
  accountMasterKeys,
  type ContactData,
  type ContactOwner,
  decryptContact,
  type SecretsKeys,
} from '@leadback/domain/keys';
import type { ErasedPersons } from '@leadback/domain';
import { preparedStatement, type Queryable } from './transaction.ts';

/** How contact data of an account is written and found. */
export interface AccountContacts {
  /** Undefined: the account was forgotten. Then no contact data is written or found. */
  readonly keys: AccountKeys | undefined;
  /** Whether the account does not register erased persons again. */
  readonly suppressesErased: boolean;
}

export interface EncryptedContact {
  readonly accountId: number;
  readonly owner: ContactOwner;
  /** `account.data_key` */
  readonly dataKey: Uint8Array | null;
  /** Null: nothing is known of the person. */
  readonly contact: Uint8Array | null;
}

/** Encrypted contact data of people, in the columns `contact`. */
export interface ContactCipher {
  /**
   * What is known of these accounts, or was in the last ten seconds. Throws if SECRETS_KEY does not decrypt the key of one
   * of them.
   */
  readonly ofAccounts: (
    on: Queryable,
    accountIds: readonly number[],
  ) => Promise<(accountId: number) => AccountContacts>;
  /** The keys of an account, from `account.data_key`. Throws if SECRETS_KEY does not decrypt it. */
  readonly openKey: AccountKeysOpener;
  /**
   * Empty if nothing is known, or the account was forgotten. Throws if SECRETS_KEY does
   * not decrypt the account's key: what it says would be wrong.
   */
  readonly decrypt: (contact: EncryptedContact) => ContactData;
}

/** How long an app may know something else of an account than the database. */
const accountContactsAgeMaxMs = 10_000;

interface Row {
  readonly id: number;
  readonly data_key: Buffer | null;
  readonly erased_persons: ErasedPersons;
}

const read = preparedStatement<Row>(
  'read-contact-keys-of-accounts',
  'select id, data_key, erased_persons from account where id = any($1)',
);

const unknown: AccountContacts = { keys: undefined, suppressesErased: false };

/** Returns what reads and writes encrypted contact data. A process needs one; it remembers the keys of accounts. */
export const contactCipher = (secretsKeys: SecretsKeys): ContactCipher => {
  const open = accountKeysOpener(accountMasterKeys(secretsKeys));
  const known = new Map<number, AccountContacts & { readonly readAtMs: number }>();

  const openKey: AccountKeysOpener = (accountId, dataKey) => {
    try {
      return open(accountId, dataKey);
    } catch (cause) {
      throw new Error(`cannot decrypt the key of account ${accountId}: its key is not in SECRETS_KEY`, { cause });
    }
  };

  const isFresh = (accountId: number): boolean => {
    const found = known.get(accountId);
    return found !== undefined && performance.now() - found.readAtMs < accountContactsAgeMaxMs;
  };

  return {
    async ofAccounts(on, accountIds) {
      const missing = accountIds.filter((id, index) => !isFresh(id) && accountIds.indexOf(id) === index);
      if (missing.length > 0) {
        const readAtMs = performance.now();
        for (const row of await read(on, [missing])) {
          const { id, data_key: dataKey, erased_persons: erased } = row;
          const keys = dataKey === null ? undefined : openKey(id, dataKey);
          known.set(id, { keys, suppressesErased: erased === 'suppress', readAtMs });
        }
      }
      return (accountId) => known.get(accountId) ?? unknown;
    },
    openKey,
    decrypt({ accountId, owner, dataKey, contact }) {
      if (dataKey === null || contact === null) return {};
      const keys = openKey(accountId, dataKey);
      try {
        return decryptContact(keys, owner, contact);
      } catch {
        return {};
      }
    },
  };
};
