import {
  type CipherGCM,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
} from 'node:crypto';
import { z } from 'zod';
import { webhookName, newLeadSchema, emailAddressesIn, emailKey, phoneKey } from '../index.ts';

/**
 * Every purpose for which keys are derived from `SECRETS_KEY`; `purposesOf` says which app has which. The text is part of
 * the derivation: changing one makes everything encrypted, signed or issued for that purpose unreadable.
 */
export type Purpose =
  /** The data keys of accounts. */
  | 'account key'
  | 'consent request'
  /** The person that an erasure is about, until it has ended. */
  | 'erasure'
  /** Signs what an erasure erased and kept (Ed25519). */
  | 'erasure receipt'
  /** Marks browsers in which somebody has signed in to the console. */
  | 'known browser'
  /** Signs which leads a browser has left. */
  | 'lead proof'
  | 'lead reference'
  | 'page preview'
  | 'platform credentials'
  /** The clicks that a browser keeps for the pages of an account. */
  | 'remembered clicks'
  /** Of people who sign in to the console. */
  | 'second factor'
  /** The secrets of sources, with which shops sign what they send. */
  | 'source secret'
  /** What forms of the visitor's page name leads by. */
  | 'visitor page'
  /** Secrets of webhooks, with which what is sent to partners is signed. */
  | 'webhook secret'
  /** Leads that are buffered until PostgreSQL can record them. */
  | 'waiting lead 1';

const keyBytes = 32;
const expected = 'expected 32 bytes in base64, or several such keys with commas between them';

/** Several during a rotation. Only keys derived from them encrypt, issue or sign. */
export type MasterKeys = readonly [Buffer, ...Buffer[]];

/** Keys of one app. The keys from which they were derived cannot be computed from them. */
interface AppKeys {
  readonly app: string;
  readonly keys: ReadonlyMap<Purpose, Keys>;
}

/** The value of `SECRETS_KEY`: the keys from which all are derived, or those of one app. */
export type SecretsKeys = MasterKeys | AppKeys;

/**
 * Keys for one purpose: the first encrypts and issues, each of them decrypts and recognises. As key objects, because
 * Node.js imports the bytes of a key again at each use, which takes longer than the use.
 */
export type Keys = readonly [KeyObject, ...KeyObject[]];

const keySchema = z
  .base64(expected)
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === keyBytes, expected);

/** `SECRETS_KEY` of the operator: one or more comma-separated keys of 32 bytes in base64. */
export const masterKeysSchema = z
  .string(expected)
  .transform((text) => text.split(',').map((key) => key.trim()))
  .pipe(z.tuple([keySchema], keySchema));

const derived = (masterKey: Buffer, purpose: Purpose): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', `leadback ${purpose}`, keyBytes)));

/**
 * The keys of 32 bytes for one purpose (HKDF-SHA-256, RFC 5869), so that no two uses of `SECRETS_KEY` share a key. Throws
 * if they are keys of an app that has no such purpose.
 */
export const keysFor = (secretsKeys: SecretsKeys, purpose: Purpose): Keys => {
  if ('app' in secretsKeys) {
    const keys = secretsKeys.keys.get(purpose);
    if (!keys) throw new Error(`the keys of ${secretsKeys.app} in SECRETS_KEY have none for '${purpose}'`);
    return keys;
  }
  const [first, ...others] = secretsKeys;
  return [derived(first, purpose), ...others.map((other) => derived(other, purpose))];
};

/** The apps that can have their own keys; the operator has all. */
export const keyedApps = ['landing', 'api', 'feedback-worker', 'console'] as const;
export type KeyedApp = (typeof keyedApps)[number];

/** What each app does with secrets. An attacker who takes over an app has the keys for this, and no others. */
export const purposesOf: Readonly<Record<KeyedApp, readonly Purpose[]>> = {
  landing: [
    'account key',
    'consent request',
    'erasure',
    'lead proof',
    'lead reference',
    'page preview',
    'remembered clicks',
    'visitor page',
    'waiting lead 1',
  ],
  // it creates webhooks, takes what sources send, and performs erasures
  api: ['account key', 'erasure', 'erasure receipt', 'lead reference', 'source secret', 'webhook secret'],
  'feedback-worker': ['account key', 'platform credentials', 'webhook secret'],
  // it creates accounts, connections and previews, and shows what would be sent
  console: [
    'account key',
    'erasure',
    'known browser',
    'page preview',
    'platform credentials',
    'second factor',
    'source secret',
    'webhook secret',
  ],
};

// base64 has no dot
const separator = '.';

/** `SECRETS_KEY` for one app, in one line: its name, a dot, and its keys by purpose, as base64url of JSON. */
export const writeAppKeys = (masterKeys: MasterKeys, app: KeyedApp): string => {
  const written = purposesOf[app].map((purpose) => [
    purpose,
    keysFor(masterKeys, purpose).map((key) => key.export().toString('base64')),
  ]);
  return app + separator + Buffer.from(JSON.stringify(Object.fromEntries(written))).toString('base64url');
};

const printed = (app: KeyedApp) => `print them with \`operator secrets keys --app ${app}\``;

const keysSchema = z
  .tuple([keySchema], keySchema)
  .transform(([first, ...others]): Keys => [createSecretKey(first), ...others.map((other) => createSecretKey(other))]);

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
};

/** Returns what is wrong with them as a text. */
const readAppKeys = (app: KeyedApp, written: string): AppKeys | string => {
  const [name = '', text = ''] = written.split(separator);
  if (name !== app) return `these are the keys of another app; ${printed(app)}`;
  const read = z.record(z.string(), z.unknown()).safeParse(readJson(text));
  if (!read.success) return `these keys of ${app} are damaged; ${printed(app)}`;
  const keys = new Map<Purpose, Keys>();
  for (const purpose of purposesOf[app]) {
    const found = keysSchema.safeParse(read.data[purpose]);
    if (!found.success) return `these keys of ${app} lack '${purpose}', which this version needs; ${printed(app)}`;
    keys.set(purpose, found.data);
  }
  return { app, keys };
};

/** What to tell an app that was given the keys of the operator. Undefined if it has its own. */
export const warningOfAllKeys = (app: KeyedApp, secretsKeys: SecretsKeys): string | undefined =>
  'app' in secretsKeys
    ? undefined
    : `SECRETS_KEY is that of the operator, which decrypts everything. Give ${app} its own keys (docs/security.md, "SECRETS_KEY"): ${printed(app)}`;

/** `SECRETS_KEY` of an app: its own keys, as `operator secrets keys` prints them, or those of the operator. */
export const secretsKeysSchema = (app: KeyedApp) =>
  z.string(`expected the keys of ${app}; ${printed(app)}`).transform((text, context): SecretsKeys => {
    const written = text.trim();
    if (written.includes(separator)) {
      const read = readAppKeys(app, written);
      if (typeof read !== 'string') return read;
      context.addIssue({ code: 'custom', message: read });
    } else {
      const { data, error } = masterKeysSchema.safeParse(written);
      if (data) return data;
      for (const { message } of error.issues) context.addIssue({ code: 'custom', message });
    }
    return z.NEVER;
  });

// format 1: version byte, 12 bytes of nonce, 16 bytes of tag, ciphertext (AES-256-GCM, NIST SP 800-38D)
const algorithm = 'aes-256-gcm';
const version = Buffer.of(1);
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Makes values many at once and hands them out one by one: twice as many each time, `countMax` at most. For values that nothing in
 * a request decides: between requests, the processor's caches forget the code of OpenSSL, and a value made alone takes three
 * times as long.
 */
export const inAdvance = <Value extends object | string>(countMax: number, make: () => Value): (() => Value) => {
  const made: Value[] = [];
  let count = 1;
  return () => {
    const next = made.pop();
    if (next !== undefined) return next;
    for (let index = 1; index < count; index += 1) made.push(make());
    count = Math.min(count * 2, countMax);
    return make();
  };
};

// a call of the random generator costs as much as half an encryption: one call for many nonces
const noncesAtOnce = 512;
let nonces = Buffer.alloc(0);

const nextNonce = (): Buffer => {
  if (nonces.length === 0) nonces = randomBytes(noncesAtOnce * nonceBytes);
  const nonce = nonces.subarray(0, nonceBytes);
  nonces = nonces.subarray(nonceBytes);
  return nonce;
};

interface NewCipher {
  readonly nonce: Buffer;
  readonly cipher: CipherGCM;
}

// 2 KB each, and accounts have keys of their own
const ciphersAtOnce = 16;
const ciphers = new WeakMap<KeyObject, () => NewCipher>();

/** For one encryption: its nonce is used once. */
const nextCipher = (key: KeyObject): NewCipher => {
  let next = ciphers.get(key);
  if (!next) {
    next = inAdvance(ciphersAtOnce, () => {
      const nonce = nextNonce();
      return { nonce, cipher: createCipheriv(algorithm, key, nonce) };
    });
    ciphers.set(key, next);
  }
  return next();
};

/**
 * Encrypts any JSON value. `belongsTo` (a row, a kind of message) is authenticated with it: it decrypts only for the
 * same.
 */
export const encrypt = ([key]: Keys, belongsTo: string, value: unknown): Buffer => {
  const { nonce, cipher } = nextCipher(key);
  cipher.setAAD(Buffer.from(belongsTo));
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

const keyOfAccount = (dataKey: Buffer, purpose: 'contact' | 'lookup'): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', dataKey, '', `leadback account ${purpose}`, keyBytes)));

/** Throws if none of the keys decrypts it, the account is a different one, or a bit was changed. */
export const openAccountKey = (masterKeys: Keys, accountId: number, encrypted: Uint8Array): AccountKeys => {
  const dataKey = dataKeyOf(masterKeys, accountId, encrypted);
  return { contact: keyOfAccount(dataKey, 'contact'), lookup: keyOfAccount(dataKey, 'lookup') };
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

export const sourceKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'source secret');

const ofSource = ({ accountId, id }: CredentialsOwner) => `account ${accountId} source ${id}`;

/** `secrets`: any JSON value. Only for this source can it be decrypted. */
export const encryptSourceSecrets = (keys: Keys, source: CredentialsOwner, secrets: unknown): Buffer =>
  encrypt(keys, ofSource(source), secrets);

/** Throws if none of the keys fits, the source is a different one, or a bit was changed. */
export const decryptSourceSecrets = (keys: Keys, source: CredentialsOwner, encrypted: Buffer): unknown =>
  decrypt(keys, ofSource(source), encrypted);

/** The event of a source that a content belongs to: it is authenticated with it, and known before the row is inserted. */
export interface SourceContentOwner {
  readonly accountId: number;
  readonly sourceId: number;
  readonly key: string;
}

const ofEvent = ({ accountId, sourceId, key }: SourceContentOwner) =>
  `account ${accountId} source ${sourceId} event ${key}`;

/** Encrypts what a source was sent, which has personal data: with the key of the account, as contact data. */
export const encryptSourceContent = (keys: AccountKeys, event: SourceContentOwner, content: unknown): Buffer =>
  encrypt([keys.contact], ofEvent(event), content);

/** Throws if the keys are those of another account, the event is a different one, or a bit was changed. */
export const decryptSourceContent = (keys: AccountKeys, event: SourceContentOwner, encrypted: Uint8Array): unknown =>
  decrypt([keys.contact], ofEvent(event), Buffer.from(encrypted));

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
    ...emails.flatMap(emailAddressesIn).map((email) => lookupHash(keys, 'email', emailKey(email))),
    ...phoneNumbers.flatMap((written) => {
      const key = phoneKey(written);
      return key === undefined ? [] : lookupHash(keys, 'phone', key);
    }),
    ...leadReferences.map((reference) => lookupHash(keys, 'lead', reference)),
  ]),
];
