import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  connectionKeys,
  encryptCredentials,
  decryptCredentials,
  encrypt,
  encryptLead,
  decryptLead,
  type BufferedLead,
  bufferedLeadKeys,
} from './encrypt.ts';

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
