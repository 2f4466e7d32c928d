import { randomBytes, createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type AccountKeys,
  accountMasterKeys,
  lookupHash,
  openAccountKey,
  reEncryptAccountKey,
  sealNewAccountKey,
  accountKeysOpener,
  connectionKeys,
  decryptCredentials,
  encryptCredentials,
  encrypt,
  inAdvance,
  decrypt,
  encryptLead,
  decryptLead,
  type BufferedLead,
  bufferedLeadKeys,
  type KeyedApp,
  keyedApps,
  secretsKeysSchema,
  warningOfAllKeys,
  writeAppKeys,
  type Purpose,
  keysFor,
  type MasterKeys,
  type SecretsKeys,
  masterKeysSchema,
} from './keys.ts';
import { isGenuineLeadReference, issueLeadReference, pageOfPreviewCode, pagePreviewCode } from './tokens.ts';

const [old, fresh] = [randomBytes(32), randomBytes(32)];
const masterKeys = accountMasterKeys([old]);
const storedKey = sealNewAccountKey(masterKeys, 7);
const bytesOf = ({ contact, lookup }: AccountKeys) => [contact, lookup].map((key) => key.export().toString('hex'));
const ownKeys = openAccountKey(masterKeys, 7, storedKey);

describe('the key of an account', () => {
  it('gives the same keys each time, for contact data and for searches, and others for another account', () => {
    expect(bytesOf(openAccountKey(masterKeys, 7, storedKey))).toEqual(bytesOf(ownKeys));
    expect(
      new Set([...bytesOf(ownKeys), ...bytesOf(openAccountKey(masterKeys, 8, sealNewAccountKey(masterKeys, 8)))]).size,
    ).toBe(4);
  });

  it('cannot be decrypted for another account or with another SECRETS_KEY', () => {
    expect(() => openAccountKey(masterKeys, 8, storedKey)).toThrow('unable to authenticate data');
    expect(() => openAccountKey(accountMasterKeys([fresh]), 7, storedKey)).toThrow('unable to authenticate data');
  });

  it('is the same after a rotation of SECRETS_KEY', () => {
    const both = accountMasterKeys([fresh, old]);
    const rotated = reEncryptAccountKey(both, 7, storedKey) ?? Buffer.alloc(0);
    expect(bytesOf(openAccountKey(accountMasterKeys([fresh]), 7, rotated))).toEqual(bytesOf(ownKeys));
    expect(reEncryptAccountKey(both, 7, rotated)).toBe(rotated);
    expect(reEncryptAccountKey(accountMasterKeys([fresh]), 7, storedKey)).toBeUndefined();
  });

  it('is decrypted again if the account has another one', () => {
    const open = accountKeysOpener(masterKeys);
    expect(open(7, Buffer.from(storedKey))).toBe(open(7, storedKey));
    const other = sealNewAccountKey(masterKeys, 7);
    expect(bytesOf(open(7, other))).toEqual(bytesOf(openAccountKey(masterKeys, 7, other)));
    expect(() => open(8, storedKey)).toThrow('unable to authenticate data');
  });
});

describe('the hash that a value is found by', () => {
  it('is the same for the same value, and another for each kind, value and account', () => {
    const hash = lookupHash(ownKeys, 'email', 'ana@example.com');
    expect(hash).toMatch(/^[\w-]{22}$/);
    expect(lookupHash(openAccountKey(masterKeys, 7, storedKey), 'email', 'ana@example.com')).toBe(hash);
    const other = openAccountKey(masterKeys, 7, sealNewAccountKey(masterKeys, 7));
    const hashes = [
      hash,
      lookupHash(ownKeys, 'lead', 'ana@example.com'),
      lookupHash(ownKeys, 'email', 'ana@example.co'),
      lookupHash(other, 'email', 'ana@example.com'),
    ];
    expect(new Set(hashes).size).toBe(4);
  });
});

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
  ['remembered clicks', ['landing']],
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
        `SECRETS_KEY is that of the operator, which decrypts everything. Give ${app} its own keys (docs/security.md, "SECRETS_KEY"): print them with \`operator secrets keys --app ${app}\``,
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

const [oldSecret, freshSecret] = [randomBytes(32), randomBytes(32)];
const text = (key: Buffer) => key.toString('base64');
const [oldKey, freshKey] = [createSecretKey(oldSecret), createSecretKey(freshSecret)];
const both = [freshKey, oldKey] as const;
const derived = (secretsKeys: SecretsKeys, purpose: Purpose) =>
  keysFor(secretsKeys, purpose).map((key) => text(key.export()));

describe('SECRETS_KEY', () => {
  it.each([
    ['one key', text(oldSecret), [oldSecret]],
    ['two keys', `${text(freshSecret)},${text(oldSecret)}`, [freshSecret, oldSecret]],
    [
      'two keys with blanks and a line end around them',
      ` ${text(freshSecret)}, ${text(oldSecret)}\n`,
      [freshSecret, oldSecret],
    ],
  ])('parses SECRETS_KEY with %s', (_, written, keys) => {
    expect(masterKeysSchema.parse(written)).toEqual(keys);
  });

  it.each(['', 'short', `${text(oldSecret)},`, `${text(oldSecret)},c2hvcnQ=`, text(Buffer.alloc(31)), undefined])(
    'rejects %j as SECRETS_KEY',
    (written) => {
      expect(masterKeysSchema.safeParse(written).error?.message).toContain('expected 32 bytes in base64');
    },
  );

  it('derives different keys for each purpose, in the same order', () => {
    const keys = derived([freshSecret, oldSecret], 'lead reference');
    expect(keys).toEqual([...derived([freshSecret], 'lead reference'), ...derived([oldSecret], 'lead reference')]);
    expect(keys).not.toEqual(derived([freshSecret, oldSecret], 'page preview'));
  });

  it('encrypts and issues with the first key, decrypts and recognises with each key', () => {
    const before = { encrypted: encrypt([oldKey], 'row 1', 'x'), reference: issueLeadReference([oldKey]) };
    const during = { encrypted: encrypt(both, 'row 1', 'x'), reference: issueLeadReference(both) };
    for (const { encrypted, reference } of [before, during]) {
      expect(decrypt(both, 'row 1', encrypted)).toBe('x');
      expect(isGenuineLeadReference(both, reference)).toBe(true);
    }
    expect(decrypt([freshKey], 'row 1', during.encrypted)).toBe('x');
    expect(isGenuineLeadReference([freshKey], during.reference)).toBe(true);
    // the second is the last id of the last cell
    for (const page of [7, 8_999_999_999_999_999]) {
      expect(pageOfPreviewCode(both, pagePreviewCode([oldKey], page))).toBe(page);
    }
  });

  it('recognises the code of a preview for 24 hours, and no other time than that in it', () => {
    const [now, day] = [Date.now(), 24 * 60 * 60 * 1000];
    const code = pagePreviewCode(both, 7, now);
    expect(pageOfPreviewCode(both, code, now + day - 1_000)).toBe(7);
    expect(pageOfPreviewCode(both, code, now + day)).toBeUndefined();
    const [id, until, check] = code.split('-');
    expect(pageOfPreviewCode(both, `${id}-${Number(until) + 60}-${check}`, now)).toBeUndefined();
    expect(pageOfPreviewCode(both, `${id}-${check}`, now)).toBeUndefined();
  });

  it('decrypts and recognises nothing of a removed key, and decrypts no value in another row', () => {
    expect(() => decrypt([freshKey], 'row 1', encrypt([oldKey], 'row 1', 'x'))).toThrow('unable to authenticate data');
    expect(() => decrypt(both, 'row 2', encrypt([oldKey], 'row 1', 'x'))).toThrow('unable to authenticate data');
    expect(isGenuineLeadReference([freshKey], issueLeadReference([oldKey]))).toBe(false);
  });
});

const keys = connectionKeys([randomBytes(32)], 'meta');
const connection = { accountId: 1, id: 2 };
const stored = encryptCredentials(keys, connection, { accessToken: 'secret' });

describe('encrypted credentials', () => {
  it('credentials are decrypted with the key and the connection that they were encrypted for', () => {
    expect(decryptCredentials(keys, connection, stored)).toEqual({ accessToken: 'secret' });
  });

  it('encrypted credentials reveal neither their content nor whether two are equal', () => {
    expect(stored.includes('secret')).toBe(false);
    expect(encryptCredentials(keys, connection, { accessToken: 'secret' }).equals(stored)).toBe(false);
  });

  it('credentials cannot be decrypted for another connection, account or key', () => {
    expect(() => decryptCredentials(keys, { ...connection, id: 3 }, stored)).toThrow('unable to authenticate data');
    expect(() => decryptCredentials(keys, { ...connection, accountId: 3 }, stored)).toThrow(
      'unable to authenticate data',
    );
    expect(() => decryptCredentials(connectionKeys([randomBytes(32)], 'meta'), connection, stored)).toThrow(
      'unable to authenticate data',
    );
  });

  it('credentials cannot be decrypted if a bit was changed', () => {
    const changed = Buffer.from(stored);
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
    expect(() => decryptCredentials(keys, connection, changed)).toThrow('unable to authenticate data');
  });
});

const leadKeys = bufferedLeadKeys([randomBytes(32)]);
const lead: BufferedLead = {
  accountId: 1,
  landingPageId: 2,
  reference: 'R'.repeat(22),
  proofHash: 'ab'.repeat(32),
  clickParameters: { gclid: 'Cj0-secret' },
  clickTimes: { gclid: '2026-11-20T12:00:00.000Z' },
  ipAddress: '203.0.113.7',
  userAgent: null,
  acceptLanguage: null,
  referrer: null,
  landingUrl: null,
  name: null,
  email: 'ana@example.com',
  phone: null,
  consent: null,
  consentScope: null,
  globalPrivacyControl: false,
  visitedAt: '2026-11-21T12:00:00.000Z',
};

describe('a buffered lead', () => {
  it('decrypts a buffered lead, which has no personal data in plain text', () => {
    const encrypted = encryptLead(leadKeys, lead);
    expect(decryptLead(leadKeys, encrypted)).toEqual(lead);
    expect(encrypted.toString('latin1')).not.toMatch(/ana@example|Cj0-secret|203\.0/);
  });

  it('keeps the _ttp of a buffered lead', () => {
    const withTtp = { ...lead, clickParameters: { ...lead.clickParameters, _ttp: '2Tt-p_' } };
    expect(decryptLead(leadKeys, encryptLead(leadKeys, withTtp))).toEqual(withTtp);
  });

  it('ignores unknown click parameters of a buffered lead', () => {
    const newer = {
      ...lead,
      clickParameters: { ...lead.clickParameters, newclid: 'N1' },
      clickTimes: { ...lead.clickTimes, newclid: 'the day after tomorrow' },
    };
    expect(decryptLead(leadKeys, encrypt(leadKeys, 'waiting lead 1', newer))).toEqual(lead);
  });

  it('rejects a buffered lead with a known click parameter that is not text', () => {
    expect(
      decryptLead(leadKeys, encrypt(leadKeys, 'waiting lead 1', { ...lead, clickParameters: { gclid: 1 } })),
    ).toBeUndefined();
  });

  it.each([
    ['another key', () => encryptLead(bufferedLeadKeys([randomBytes(32)]), lead)],
    ['garbage', () => Buffer.from('garbage')],
    ['nothing', () => Buffer.alloc(0)],
  ])('reads no buffered lead from %s', (_, encrypted) => {
    expect(decryptLead(leadKeys, encrypted())).toBeUndefined();
  });
});

describe('inAdvance', () => {
  it('hands out each value once, and makes twice as many each time up to the limit', () => {
    let made = 0;
    const next = inAdvance(4, () => String((made += 1)));
    const madeBy = Array.from({ length: 12 }, () => [next(), made] as const);
    expect(new Set(madeBy.map(([value]) => value)).size).toBe(12);
    expect(madeBy.map(([, count]) => count)).toEqual([1, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15]);
  });
});
