import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type KeyedApp,
  keyedApps,
  secretsKeysSchema,
  warningOfAllKeys,
  writeAppKeys,
  type Purpose,
  keysFor,
  type MasterKeys,
  type SecretsKeys,
} from './keys.ts';
import { connectionKeys, decryptCredentials, encryptCredentials } from './encrypt.ts';

const master: MasterKeys = [randomBytes(32), randomBytes(32)];
const read = (app: KeyedApp, text: unknown): SecretsKeys => secretsKeysSchema(app).parse(text);
const own = (app: KeyedApp) => read(app, writeAppKeys(master, app));
const bytes = (secretsKeys: SecretsKeys, purpose: Purpose) =>
  keysFor(secretsKeys, purpose).map((key) => key.export().toString('hex'));

const purposes: readonly (readonly [Purpose, readonly KeyedApp[]])[] = [
  ['account key', ['landing', 'api', 'feedback-worker', 'console']],
  ['consent request', ['landing']],
  ['erasure', ['landing', 'api', 'console']],
  ['erasure receipt', ['api']],
  ['lead reference', ['landing', 'api']],
  ['page preview', ['landing', 'console']],
  ['platform credentials', ['feedback-worker', 'console']],
  ['second factor', ['console']],
  ['visitor page', ['landing']],
  ['waiting lead 1', ['landing']],
  ['webhook secret', ['api', 'feedback-worker', 'console']],
];

describe('the keys of one app', () => {
  it.each(purposes)('those for %j are in SECRETS_KEY of %j alone, in the same order', (purpose, holders) => {
    for (const app of holders) expect(bytes(own(app), purpose)).toEqual(bytes(master, purpose));
    for (const app of keyedApps.filter((one) => !holders.includes(one))) {
      expect(() => keysFor(own(app), purpose)).toThrow(`the keys of ${app} in SECRETS_KEY have none for '${purpose}'`);
    }
  });

  it('neither contain nor derive the keys of the operator', () => {
    for (const app of keyedApps) {
      const text = writeAppKeys(master, app);
      const json = Buffer.from(text.slice(text.indexOf('.') + 1), 'base64url').toString();
      for (const key of master) expect(json).not.toContain(key.toString('base64'));
    }
  });

  it('an app accepts the keys of the operator as well', () => {
    const text = master.map((key) => key.toString('base64')).join(', ');
    for (const app of keyedApps) expect(bytes(read(app, `${text}\n`), 'erasure receipt')).toHaveLength(2);
  });

  it('an app with the keys of the operator is told how to get its own, and one with its own is told nothing', () => {
    for (const app of keyedApps) {
      expect(warningOfAllKeys(app, master)).toBe(
        `SECRETS_KEY is that of the operator, which decrypts everything. Give ${app} its own keys (docs/secrets.md, Keys of one app): print them with \`operator secrets keys --app ${app}\``,
      );
      expect(warningOfAllKeys(app, own(app))).toBeUndefined();
    }
  });

  it.each([
    ['the keys of another app', writeAppKeys(master, 'api'), 'these are the keys of another app'],
    ['damaged keys', writeAppKeys(master, 'landing').slice(0, -9), 'these keys of landing are damaged'],
    ['keys of an earlier version', 'landing.e30', `these keys of landing lack 'account key', which this version needs`],
  ])('landing refuses %s, and says what to run', (_, text, problem) => {
    const { error } = secretsKeysSchema('landing').safeParse(text);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      `${problem}; print them with \`operator secrets keys --app landing\``,
    ]);
  });

  it.each([['short'], [''], [undefined]])('an app refuses %j', (text) => {
    expect(secretsKeysSchema('landing').safeParse(text).success).toBe(false);
  });
});

const owner = { accountId: 1, id: 2 };

describe('credentials of a connection to a platform', () => {
  const encrypted = encryptCredentials(connectionKeys(master, 'meta'), owner, { token: 'x' });

  it.each(['landing', 'api'] as const)('are decrypted by no key that %s has', (app) => {
    const keys = purposes.flatMap(([purpose, holders]) => (holders.includes(app) ? [keysFor(own(app), purpose)] : []));
    expect(keys).not.toEqual([]);
    for (const each of keys)
      expect(() => decryptCredentials(each, owner, encrypted)).toThrow('unable to authenticate data');
    expect(decryptCredentials(connectionKeys(own('feedback-worker'), 'meta'), owner, encrypted)).toEqual({
      token: 'x',
    });
  });
});

describe('secrets of webhooks', () => {
  it('what the api encrypts is decrypted by the worker', () => {
    const encrypted = encryptCredentials(connectionKeys(own('api'), 'webhook'), owner, { secret: 'x' });
    expect(decryptCredentials(connectionKeys(own('feedback-worker'), 'webhook'), owner, encrypted)).toEqual({
      secret: 'x',
    });
  });
});
