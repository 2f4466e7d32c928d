import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/**
 * Every purpose for which keys are derived from `SECRETS_KEY`; `keys.ts` says which app has which. The text is part of
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
  /** Of people who sign in to the console. */
  | 'second factor'
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
const purposesOf: Readonly<Record<KeyedApp, readonly Purpose[]>> = {
  landing: [
    'account key',
    'consent request',
    'erasure',
    'lead proof',
    'lead reference',
    'page preview',
    'visitor page',
    'waiting lead 1',
  ],
  // it creates webhooks, and performs erasures
  api: ['account key', 'erasure', 'erasure receipt', 'lead reference', 'webhook secret'],
  'feedback-worker': ['account key', 'platform credentials', 'webhook secret'],
  // it creates accounts, connections and previews, and shows what would be sent
  console: [
    'account key',
    'erasure',
    'known browser',
    'page preview',
    'platform credentials',
    'second factor',
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
    : `SECRETS_KEY is that of the operator, which decrypts everything. Give ${app} its own keys (docs/secrets.md, Keys of one app): ${printed(app)}`;

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
