import { createSecretKey } from 'node:crypto';
import { z } from 'zod';
import type { Purpose } from './purposes.ts';
import {
  type AppKeys,
  type Keys,
  keySchema,
  keysFor,
  type MasterKeys,
  masterKeysSchema,
  type SecretsKeys,
} from './secrets-keys.ts';

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
