import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { decrypt, encrypt } from './encrypt.ts';
import { keysFor, type Keys, type SecretsKeys } from './secrets-keys.ts';

const keyBytes = 32;
const hashLength = 22;

/** Derived from the data key of one account. Without the data key, what they encrypted cannot be decrypted. */
export interface AccountKeys {
  /** Encrypts contact data. */
  readonly contact: KeyObject;
  /** Hashes what contact data are found by. */
  readonly lookup: KeyObject;
}

/** What a person can be recognised by. */
export type LookupKind = 'email' | 'phone' | 'lead';

/** The keys that encrypt the data keys of accounts. */
export const accountMasterKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'account key');

const ofAccount = (accountId: number) => `account ${accountId}`;

const stored = z.base64().transform((text) => Buffer.from(text, 'base64'));

const dataKeyOf = (masterKeys: Keys, accountId: number, encrypted: Uint8Array): Buffer =>
  stored.parse(decrypt(masterKeys, ofAccount(accountId), Buffer.from(encrypted)));

const encryptDataKey = (masterKeys: Keys, accountId: number, dataKey: Buffer): Buffer =>
  encrypt(masterKeys, ofAccount(accountId), dataKey.toString('base64'));

/** A new data key, encrypted for `account.data_key`. Only for this account can it be decrypted. */
export const sealNewAccountKey = (masterKeys: Keys, accountId: number): Buffer =>
  encryptDataKey(masterKeys, accountId, randomBytes(keyBytes));

const derived = (dataKey: Buffer, purpose: 'contact' | 'lookup'): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', dataKey, '', `leadback account ${purpose}`, keyBytes)));

/** Throws if none of the keys decrypts it, the account is a different one, or a bit was changed. */
export const openAccountKey = (masterKeys: Keys, accountId: number, encrypted: Uint8Array): AccountKeys => {
  const dataKey = dataKeyOf(masterKeys, accountId, encrypted);
  return { contact: derived(dataKey, 'contact'), lookup: derived(dataKey, 'lookup') };
};

/** Encrypted with the first key: the same bytes if it was before. Undefined if no key decrypts it. */
export const reEncryptAccountKey = (
  masterKeys: Keys,
  accountId: number,
  encrypted: Uint8Array,
): Uint8Array | undefined => {
  for (const key of masterKeys) {
    try {
      const dataKey = dataKeyOf([key], accountId, encrypted);
      return key === masterKeys[0] ? encrypted : encryptDataKey(masterKeys, accountId, dataKey);
    } catch {
      // another key, perhaps
    }
  }
  return undefined;
};

/**
 * 22 characters by which the same value of the same account is found, and from which it cannot be guessed without the
 * account's key (HMAC-SHA-256, 132 bits). `normalised`: an email as `emailKey` returns it, other values as stored.
 */
export const lookupHash = ({ lookup }: AccountKeys, kind: LookupKind, normalised: string): string =>
  createHmac('sha256', lookup).update(`${kind} ${normalised}`).digest('base64url').slice(0, hashLength);
