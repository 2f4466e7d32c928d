import { type AccountKeys, openAccountKey } from './account-keys.ts';
import type { Keys } from './secrets-keys.ts';

/** Decrypts the data key of an account. Throws as `openAccountKey` does. */
export type AccountKeysOpener = (accountId: number, encrypted: Uint8Array) => AccountKeys;

/** Decrypts each data key once per process: it takes about as long as encrypting ten rows. */
export const accountKeysOpener = (masterKeys: Keys): AccountKeysOpener => {
  const known = new Map<number, { readonly encrypted: Uint8Array; readonly keys: AccountKeys }>();
  return (accountId, encrypted) => {
    const found = known.get(accountId);
    if (found && (found.encrypted === encrypted || Buffer.compare(found.encrypted, encrypted) === 0)) return found.keys;
    const keys = openAccountKey(masterKeys, accountId, encrypted);
    known.set(accountId, { encrypted, keys });
    return keys;
  };
};
