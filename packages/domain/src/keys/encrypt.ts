import {
  createCipheriv,
  createDecipheriv,
  type KeyObject,
  randomFillSync,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { z } from 'zod';
import { webhookName, newLeadSchema, emailKey, phoneKey } from '../index.ts';
import { type Keys, keysFor, type SecretsKeys } from './keys.ts';

// format 1: version byte, 12 bytes of nonce, 16 bytes of tag, ciphertext (AES-256-GCM, NIST SP 800-38D)
const algorithm = 'aes-256-gcm';
const version = Buffer.of(1);
const nonceBytes = 12;
const tagBytes = 16;

// a call of the random generator costs as much as half an encryption: one call for many nonces
const nonces = Buffer.alloc(512 * nonceBytes);
let used = nonces.length;

/** Valid until the next call. */
const nextNonce = (): Buffer => {
  if (used === nonces.length) {
    randomFillSync(nonces);
    used = 0;
  }
  used += nonceBytes;
  return nonces.subarray(used - nonceBytes, used);
};

/**
 * Encrypts any JSON value. `belongsTo` (a row, a kind of message) is authenticated with it: it decrypts only for the
 * same.
 */
export const encrypt = ([key]: Keys, belongsTo: string, value: unknown): Buffer => {
  const nonce = nextNonce();
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(belongsTo));
  const encrypted = cipher.update(JSON.stringify(value));
  // in this mode it has no bytes left, but makes the tag
  cipher.final();
  return Buffer.concat([version, nonce, cipher.getAuthTag(), encrypted]);
};

const decryptWith = (key: KeyObject, belongsTo: string, encrypted: Buffer): unknown => {
  if (encrypted[0] !== version[0]) throw new Error('unknown version of the encryption format');
  const start = version.length + nonceBytes + tagBytes;
  const decipher = createDecipheriv(algorithm, key, encrypted.subarray(version.length, version.length + nonceBytes))
    .setAAD(Buffer.from(belongsTo))
    .setAuthTag(encrypted.subarray(version.length + nonceBytes, start));
  return JSON.parse(Buffer.concat([decipher.update(encrypted.subarray(start)), decipher.final()]).toString());
};

/**
 * Decrypts with any of the keys. Throws if none fits, `belongsTo` differs, or the data was changed. The key is found
 * by trying: there are seldom more than two.
 */
export const decrypt = (keys: Keys, belongsTo: string, encrypted: Buffer): unknown => {
  let failure: unknown;
  for (const key of keys) {
    try {
      return decryptWith(key, belongsTo, encrypted);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
};

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

const entered = z.string().optional();
const contactSchema = z.object({ name: entered, email: entered, phone: entered, ipAddress: entered });

/** What is encrypted of a person. */
export type ContactData = Readonly<z.infer<typeof contactSchema>>;

/** The row that contact data belongs to: it is authenticated with them, and known before the row is inserted. */
export type ContactOwner = `account ${number} ${string}`;

export const contactOfLead = (accountId: number, leadReference: string): ContactOwner =>
  `account ${accountId} lead ${leadReference}`;

export const contactOfClient = (accountId: number, leadReference: string): ContactOwner =>
  `account ${accountId} client of lead ${leadReference}`;

export const contactOfReconciliationRow = (accountId: number, reconciliationId: number, number: number): ContactOwner =>
  `account ${accountId} row ${number} of reconciliation ${reconciliationId}`;

type Entered = { readonly [Name in keyof ContactData]?: string | null | undefined };

/** Returns undefined if there is nothing to encrypt. */
export const encryptContact = (keys: AccountKeys, owner: ContactOwner, contact: Entered): Buffer | undefined => {
  const entries = Object.entries(contact).filter(([, value]) => value != null);
  return entries.length === 0 ? undefined : encrypt([keys.contact], owner, Object.fromEntries(entries));
};

/** Throws if the keys are those of another account, the row is a different one, or a bit was changed. */
export const decryptContact = (keys: AccountKeys, owner: ContactOwner, encrypted: Uint8Array): ContactData =>
  contactSchema.parse(decrypt([keys.contact], owner, Buffer.from(encrypted)));

const bytes = 32;

/** A new secret for the signatures of a webhook, as Standard Webhooks write it: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(bytes).toString('base64')}`;

/**
 * The row that the credentials belong to. It is authenticated with them, so that they cannot be decrypted for another
 * row.
 */
export interface CredentialsOwner {
  readonly accountId: number;
  readonly id: number;
}

const owner = ({ accountId, id }: CredentialsOwner) => `account ${accountId} connection ${id}`;

/** Keys for the credentials of a connection to a platform or webhook. */
export const connectionKeys = (secretsKeys: SecretsKeys, platform: string): Keys =>
  keysFor(secretsKeys, platform === webhookName ? 'webhook secret' : 'platform credentials');

/** `credentials`: any JSON value. */
export const encryptCredentials = (keys: Keys, connection: CredentialsOwner, credentials: unknown): Buffer =>
  encrypt(keys, owner(connection), credentials);

/** Throws if none of the keys fits, the connection is a different one, or a bit was changed. */
export const decryptCredentials = (keys: Keys, connection: CredentialsOwner, encrypted: Buffer): unknown =>
  decrypt(keys, owner(connection), encrypted);

const decrypts = (keys: Keys, connection: CredentialsOwner, encrypted: Buffer): boolean => {
  try {
    decryptCredentials(keys, connection, encrypted);
    return true;
  } catch {
    return false;
  }
};

/** Which of the keys decrypts the credentials. */
export const encryptingKey = (
  keys: Keys,
  connection: CredentialsOwner,
  encrypted: Buffer,
): 'first' | 'another' | 'none' => {
  if (decrypts([keys[0]], connection, encrypted)) return 'first';
  return decrypts(keys, connection, encrypted) ? 'another' : 'none';
};

const belongsTo = 'waiting lead 1';

/** A lead that PostgreSQL could not record, with the time of the visit. */
const bufferedLeadSchema = newLeadSchema.extend({ visitedAt: z.iso.datetime() });
export type BufferedLead = Readonly<z.infer<typeof bufferedLeadSchema>>;

export const bufferedLeadKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, belongsTo);

/** Encrypts a lead for RabbitMQ or the disk: it has personal data. */
export const encryptLead = (keys: Keys, lead: BufferedLead): Buffer => encrypt(keys, belongsTo, lead);

/** Returns undefined for anything but an encrypted lead. */
export const decryptLead = (keys: Keys, encrypted: Buffer): BufferedLead | undefined => {
  try {
    return bufferedLeadSchema.parse(decrypt(keys, belongsTo, encrypted));
  } catch {
    return undefined;
  }
};

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

/** What a person is recognised by, as written. */
export interface PersonMarks {
  readonly emails?: readonly string[];
  readonly phoneNumbers?: readonly string[];
  readonly leadReferences?: readonly string[];
}

/** The hashes by which an erased person is recognised (`erased_key`), without duplicates. */
export const personHashes = (
  keys: AccountKeys,
  { emails = [], phoneNumbers = [], leadReferences = [] }: PersonMarks,
): string[] => [
  ...new Set([
    ...emails.map((email) => lookupHash(keys, 'email', emailKey(email))),
    ...phoneNumbers.flatMap((written) => {
      const key = phoneKey(written);
      return key === undefined ? [] : lookupHash(keys, 'phone', key);
    }),
    ...leadReferences.map((reference) => lookupHash(keys, 'lead', reference)),
  ]),
];
