import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sealLead, unsealLead, type WaitingLead, waitingLeadKeys } from './waiting-lead.ts';

const keys = waitingLeadKeys([randomBytes(32)]);
const lead: WaitingLead = {
  accountId: 1,
  landingPageId: 2,
  reference: 'R'.repeat(22),
  clickMarks: { gclid: 'Cj0-secret' },
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

describe('a lead that waits', () => {
  it('comes back as it was, and shows nobody else whom it is about', () => {
    const sealed = sealLead(keys, lead);
    expect(unsealLead(keys, sealed)).toEqual(lead);
    expect(sealed.toString('latin1')).not.toMatch(/ana@example|Cj0-secret|203\.0/);
  });

  it.each([
    ['another key', () => sealLead(waitingLeadKeys([randomBytes(32)]), lead)],
    ['garbage', () => Buffer.from('garbage')],
    ['nothing', () => Buffer.alloc(0)],
  ])('is not read from %s', (_, sealed) => {
    expect(unsealLead(keys, sealed())).toBeUndefined();
  });
});
