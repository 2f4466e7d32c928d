import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { encrypt, decrypt } from './encrypt.ts';
import { encryptLead, decryptLead, type BufferedLead, bufferedLeadKeys } from './buffered-lead.ts';

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

// Copied from the previous version.
const seen = z.string().nullable();
const schemaBefore = z.object({
  accountId: z.int().positive(),
  landingPageId: z.int().positive(),
  reference: z.string(),
  clickMarks: z.partialRecord(
    z.enum([
      'gclid',
      'gbraid',
      'wbraid',
      'fbclid',
      'ttclid',
      'msclkid',
      'utm_source',
      'utm_medium',
      'utm_campaign',
      'utm_term',
      'utm_content',
      '_fbp',
      '_fbc',
    ]),
    z.string(),
  ),
  clickedAt: z.iso.datetime().nullable(),
  ipAddress: seen,
  userAgent: seen,
  acceptLanguage: seen,
  referrer: seen,
  landingUrl: seen,
  name: seen,
  email: seen,
  phone: seen,
  consent: z.boolean().nullable(),
  consentScope: z.enum(['sharing', 'personalisation']).nullable(),
  globalPrivacyControl: z.boolean(),
  traceParent: z.string().optional(),
  visitedAt: z.iso.datetime(),
});

/** The stored form, with the field names of the first version. */
const stored = ({ clickParameters: clickMarks, ...others }: Readonly<Record<string, unknown>>) => ({
  ...others,
  clickMarks,
});

describe('a buffered lead', () => {
  it('decrypts a buffered lead, which has no personal data in plain text', () => {
    const encrypted = encryptLead(keys, lead);
    expect(decryptLead(keys, encrypted)).toEqual(lead);
    expect(encrypted.toString('latin1')).not.toMatch(/ana@example|Cj0-secret|203\.0/);
  });

  it('writes buffered leads that the previous version can read, without _ttp and click times', () => {
    const clickParameters = { ...lead.clickParameters, _fbp: 'fb.1.1558571054389.1098115397' };
    const encrypted = encryptLead(keys, { ...lead, clickParameters: { ...clickParameters, _ttp: '2Tt-p_' } });
    const { clickTimes: _, proofHash: __, ...older } = { ...lead, clickParameters, clickedAt: null };
    expect(schemaBefore.parse(decrypt(keys, 'waiting lead 1', encrypted))).toEqual(stored(older));
  });

  it('keeps the _ttp of a buffered lead', () => {
    const withTtp = { ...lead, clickParameters: { ...lead.clickParameters, _ttp: '2Tt-p_' } };
    expect(decryptLead(keys, encryptLead(keys, withTtp))).toEqual(withTtp);
    expect(decryptLead(keys, encrypt(keys, 'waiting lead 1', stored(withTtp)))).toEqual(withTtp);
  });

  it('reads leads that were buffered before each click had its own time', () => {
    const { clickTimes: _, ...older } = { ...lead, clickedAt: '2026-11-20T12:00:00.000Z' };
    expect(decryptLead(keys, encrypt(keys, 'waiting lead 1', stored(older)))).toEqual(older);
    expect(decryptLead(keys, encryptLead(keys, older))).toEqual(older);
  });

  it('ignores unknown click parameters of a buffered lead', () => {
    const newer = {
      ...lead,
      clickParameters: { ...lead.clickParameters, newclid: 'N1' },
      clickTimes: { ...lead.clickTimes, newclid: 'the day after tomorrow' },
    };
    expect(decryptLead(keys, encrypt(keys, 'waiting lead 1', stored(newer)))).toEqual(lead);
  });

  it('rejects a buffered lead with a known click parameter that is not text', () => {
    expect(
      decryptLead(keys, encrypt(keys, 'waiting lead 1', { ...stored(lead), clickMarks: { gclid: 1 } })),
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
