import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encrypt, encryptLead, decryptLead, type BufferedLead, bufferedLeadKeys } from './encrypt.ts';

const keys = bufferedLeadKeys([randomBytes(32)]);
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
    const encrypted = encryptLead(keys, lead);
    expect(decryptLead(keys, encrypted)).toEqual(lead);
    expect(encrypted.toString('latin1')).not.toMatch(/ana@example|Cj0-secret|203\.0/);
  });

  it('keeps the _ttp of a buffered lead', () => {
    const withTtp = { ...lead, clickParameters: { ...lead.clickParameters, _ttp: '2Tt-p_' } };
    expect(decryptLead(keys, encryptLead(keys, withTtp))).toEqual(withTtp);
  });

  it('ignores unknown click parameters of a buffered lead', () => {
    const newer = {
      ...lead,
      clickParameters: { ...lead.clickParameters, newclid: 'N1' },
      clickTimes: { ...lead.clickTimes, newclid: 'the day after tomorrow' },
    };
    expect(decryptLead(keys, encrypt(keys, 'waiting lead 1', newer))).toEqual(lead);
  });

  it('rejects a buffered lead with a known click parameter that is not text', () => {
    expect(
      decryptLead(keys, encrypt(keys, 'waiting lead 1', { ...lead, clickParameters: { gclid: 1 } })),
    ).toBeUndefined();
  });

  it.each([
    ['another key', () => encryptLead(bufferedLeadKeys([randomBytes(32)]), lead)],
    ['garbage', () => Buffer.from('garbage')],
    ['nothing', () => Buffer.alloc(0)],
  ])('reads no buffered lead from %s', (_, encrypted) => {
    expect(decryptLead(keys, encrypted())).toBeUndefined();
  });
});
