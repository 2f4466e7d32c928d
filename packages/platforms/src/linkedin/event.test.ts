import { matchKeySet } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { givenConversion } from '../../test/given-conversion.ts';
import { linkedinEvent, personalValues } from './event.ts';

const emailHash = '8e43ca37701228e74983efdbd0cff5c16b3b1e5d4e29a7c05626d4d25a018e11';

const prepared = (given: Parameters<typeof givenConversion>[0]) =>
  linkedinEvent(givenConversion(given), { conversionRuleId: '104012' });

describe("LinkedIn's event", () => {
  it("LinkedIn's event equals that of its documentation, with a hashed IP address and without name", () => {
    const event = prepared({
      client: { name: 'Mary Smith', email: ' John_Smith@gmail.com', phoneNumber: '+1 650 555-1212' },
      lead: {
        clickParameters: { li_fat_id: 'df5gf5-gh6t7-ph4j7h-fgf6n1', gclid: 'CjwK' },
        ipAddress: '203.0.113.7',
        userAgent: 'Mozilla/5.0',
        landingUrl: 'https://landing.example.com/offer',
      },
    });
    expect(event).toEqual({
      kind: 'event',
      keys: matchKeySet({ li_fat_id: true, email: true, ipAddress: true }),
      event: {
        conversion: 'urn:lla:llaPartnerConversion:104012',
        conversionHappenedAt: 1_795_262_400_567,
        conversionValue: { currencyCode: 'USD', amount: '100.20' },
        eventId: 'order-41',
        user: {
          userIds: [
            {
              idType: 'SHA256_EMAIL',
              idValue: '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f',
            },
            { idType: 'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID', idValue: 'df5gf5-gh6t7-ph4j7h-fgf6n1' },
            {
              idType: 'SHA256_IP_ADDRESS',
              idValue: 'fec52565aa0cf18f57d7cf5b3ac728503b8992d2d6f7d46da1d1201090902b02',
            },
          ],
        },
      },
    });
  });

  it("LinkedIn's event leaves out what is unknown", () => {
    expect(prepared({ client: { email: 'ana@example.com' }, amount: 'NaN' })).toEqual({
      kind: 'event',
      keys: matchKeySet({ email: true }),
      event: {
        conversion: 'urn:lla:llaPartnerConversion:104012',
        conversionHappenedAt: 1_795_262_400_567,
        eventId: 'order-41',
        user: { userIds: [{ idType: 'SHA256_EMAIL', idValue: emailHash }] },
      },
    });
  });

  it.each(['<script>', 'a b c d e f', 'short', ''])("LinkedIn's event has no click id such as %j", (li_fat_id) => {
    const lead = { clickParameters: { li_fat_id } };
    expect(prepared({ client: { email: 'ana@example.com' }, lead })).toHaveProperty('event.user.userIds', [
      { idType: 'SHA256_EMAIL', idValue: emailHash },
    ]);
    expect(prepared({ lead })).toEqual({ kind: 'skipped', reason: 'no_match_keys' });
  });

  it('skips an event for LinkedIn with a phone number alone', () => {
    expect(prepared({ client: { phoneNumber: '+5491123456789', externalReference: 'c-1' } })).toEqual({
      kind: 'skipped',
      reason: 'no_match_keys',
    });
  });

  it('only the values of ids are personal data of an event for LinkedIn', () => {
    const lead = { clickParameters: { li_fat_id: 'df5gf5-gh6t7-ph4j7h-fgf6n1' } };
    const conversion = prepared({ client: { email: 'ana@example.com' }, lead });
    expect(conversion.kind === 'event' && personalValues(conversion.event)).toEqual([
      emailHash,
      'df5gf5-gh6t7-ph4j7h-fgf6n1',
    ]);
    expect(personalValues({})).toEqual([]);
  });
});
