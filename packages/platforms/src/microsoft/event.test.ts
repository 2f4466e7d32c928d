import { matchKeySet } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { givenConversion, now } from '../../test/given-conversion.ts';
import { microsoftEvent, microsoftEmail } from './event.ts';

const click = 'f894f652ea334e739002f7167ab8f8e3';
const email = 'ana@example.com';
const emailHash = '8e43ca37701228e74983efdbd0cff5c16b3b1e5d4e29a7c05626d4d25a018e11';
const clickedAt = (daysAgo: number) => ({ msclkid: new Date(now - daysAgo * 86_400_000) });

const prepared = (given: Parameters<typeof givenConversion>[0]) =>
  microsoftEvent(givenConversion(given), { conversionName: 'Sale' });

describe("Microsoft's conversion", () => {
  it("Microsoft's conversion has the fields of its documentation, and only hashed contact data", () => {
    const event = prepared({
      client: { name: 'Mary Smith', email: ' John_Smith@gmail.com', phoneNumber: '+1 (650) 555-1212' },
      lead: {
        clickParameters: { msclkid: click, gclid: 'CjwK' },
        ipAddress: '203.0.113.7',
        userAgent: 'Mozilla/5.0',
        landingUrl: 'https://landing.example.com/offer',
      },
    });
    expect(event).toEqual({
      kind: 'event',
      keys: matchKeySet({ msclkid: true, email: true, phone: true }),
      event: {
        ConversionName: 'Sale',
        ConversionTime: '2026-11-21T12:00:00.567Z',
        ConversionValue: 100.2,
        ConversionCurrencyCode: 'USD',
        MicrosoftClickId: click,
        HashedEmailAddress: '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f',
        HashedPhoneNumber: '1e231c66011e7a2d867a9cfae267a6aff103cf4913640b6e71a99850fc0ffbc8',
      },
    });
  });

  it("Microsoft's conversion leaves out what is unknown", () => {
    const lead = { clickParameters: { msclkid: click } };
    expect(prepared({ lead, amount: 'NaN' })).toEqual({
      kind: 'event',
      keys: matchKeySet({ msclkid: true }),
      event: { ConversionName: 'Sale', ConversionTime: '2026-11-21T12:00:00.567Z', MicrosoftClickId: click },
    });
  });

  it.each(['<script>', 'f894', `${click}0`, ''])("Microsoft's conversion has no click id such as %j", (msclkid) => {
    const lead = { clickParameters: { msclkid } };
    expect(prepared({ lead, client: { email } })).not.toHaveProperty('event.MicrosoftClickId');
    expect(prepared({ lead })).toEqual({ kind: 'skipped', reason: 'no_match_keys' });
  });

  it("Microsoft's conversion has no click that was made more than 90 days before it", () => {
    const fresh = { clickParameters: { msclkid: click }, clickTimes: clickedAt(90) };
    const stale = { clickParameters: { msclkid: click }, clickTimes: clickedAt(91) };
    expect(prepared({ lead: fresh })).toHaveProperty('event.MicrosoftClickId', click);
    expect(prepared({ lead: stale })).toEqual({ kind: 'skipped', reason: 'event_too_old' });
    const known = prepared({ lead: stale, client: { email } });
    expect(known).toHaveProperty('event.HashedEmailAddress', emailHash);
    expect(known).not.toHaveProperty('event.MicrosoftClickId');
  });

  it('skips a conversion for Microsoft if it could match no person', () => {
    expect(prepared({ client: { name: 'Ana', externalReference: 'c-1' } })).toEqual({
      kind: 'skipped',
      reason: 'no_match_keys',
    });
  });
});

describe("Microsoft's form of an email", () => {
  // the first two are the examples of help article 60178, "Format and hash the data"
  it.each([
    ['name+withplus@outlook.com', 'name@outlook.com'],
    ['ex.ample@outlook.com', 'example@outlook.com'],
    [' Ana.Paz+shop+2@Example.COM ', 'anapaz@example.com'],
    ['a.n.a@mail.example.co.uk', 'ana@mail.example.co.uk'],
    ['àngel.nuñez@example.com', 'angelnunez@example.com'],
    ['a\u0300ngel@example.com', 'angel@example.com'],
    ['ana paz@example.com', 'anapaz@example.com'],
    ['.ana.@example.com', 'ana@example.com'],
    ['ana_paz-1@example.com', 'ana_paz-1@example.com'],
  ])('Microsoft hashes %j as %j', (written, plain) => {
    expect(microsoftEmail(written)).toBe(plain);
  });

  it.each(['ana', 'ana@example', 'ana@example.com.', '+shop@example.com', '...@example.com', 'a@b@example.com', ''])(
    'Microsoft gets no email for %j',
    (written) => {
      expect(microsoftEmail(written)).toBeUndefined();
    },
  );
});
