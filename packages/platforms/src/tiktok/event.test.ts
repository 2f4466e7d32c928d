import { matchKeySet } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { givenConversion } from '../../test/given-conversion.ts';
import { fullNames, googlePhoneHashes, metaExternalIds, tiktokEmails } from '../../test/identifier-vectors.ts';
import { tiktokEvent, tiktokUserData } from './event.ts';

const client = { email: 'ana@example.com' };
const emailHash = '8e43ca37701228e74983efdbd0cff5c16b3b1e5d4e29a7c05626d4d25a018e11';
const ownIdHash = '0cc24a5a8b85c32a60a855a2c966a6cfadb60c9fa6ae77afe866b8c907a5cabe';

const prepared = (given: Parameters<typeof givenConversion>[0], eventName = 'Purchase') =>
  tiktokEvent(givenConversion({ client, ...given }), eventName);

describe("TikTok's event", () => {
  it("TikTok's event has all data of a website visitor", () => {
    const conversion = {
      externalReference: 'order-9',
      client: {
        name: 'Mary Smith',
        email: 'John_Smith@gmail.com',
        phoneNumber: '+1 (650) 555-1212',
        externalReference: 'client-123',
      },
      lead: {
        clickParameters: { ttclid: 'E.C.P.CroBXpgjCr', _ttp: '2Lx3_kCfVb9MGzCzb0LbCfYPq1n', fbclid: 'IwAR' },
        acceptLanguage: 'es-AR,es;q=0.9',
        referrer: 'https://www.tiktok.com/',
        ipAddress: '203.0.113.7',
        userAgent: 'Mozilla/5.0',
        landingUrl: 'https://landing.example.com/offer?utm_source=tt',
      },
    };
    expect(prepared(conversion)).toEqual({
      kind: 'event',
      keys: matchKeySet({ ttclid: true, email: true, phone: true, externalId: true, ipAndUserAgent: true, ttp: true }),
      event: {
        event: 'Purchase',
        event_time: 1_795_262_400,
        event_id: 'order-41',
        user: {
          ttclid: 'E.C.P.CroBXpgjCr',
          ttp: '2Lx3_kCfVb9MGzCzb0LbCfYPq1n',
          email: '62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f',
          phone: '1e231c66011e7a2d867a9cfae267a6aff103cf4913640b6e71a99850fc0ffbc8',
          external_id: 'b44ea687b506d5ca725c434cbe69d0cd3cd0cdae245cd337e6013c6c6ed9017a',
          first_name: '6915771be1c5aa0c886870b6951b03d7eafc121fea0e80a5ea83beb7c449f4ec',
          last_name: '6627835f988e2c5e50533d491163072d3f4f41f5c8b04630150debb3722ca2dd',
          ip: '203.0.113.7',
          user_agent: 'Mozilla/5.0',
          locale: 'es-AR',
        },
        page: { url: 'https://landing.example.com/offer?utm_source=tt', referrer: 'https://www.tiktok.com/' },
        properties: { value: 100.2, currency: 'USD', order_id: 'order-9' },
      },
    });
  });

  it("TikTok's event leaves out what is unknown", () => {
    expect(prepared({ amount: '0.00', currency: 'ARS' }, 'Lead')).toEqual({
      kind: 'event',
      keys: matchKeySet({ email: true }),
      event: {
        event: 'Lead',
        event_time: 1_795_262_400,
        event_id: 'order-41',
        user: { email: emailHash, external_id: ownIdHash },
        properties: { value: 0, currency: 'ARS', order_id: 'order-41' },
      },
    });
  });

  it("TikTok's event has limited data use if and only if the visitor requires it", () => {
    expect(prepared({ lead: { sharing: 'opted_out' } })).toMatchObject({ event: { limited_data_use: true } });
    expect(prepared({ lead: { sharing: 'unpersonalised' } })).toMatchObject({ event: { limited_data_use: true } });
    expect(prepared({ lead: { sharing: 'agreed_unpersonalised' } })).toMatchObject({
      event: { limited_data_use: true },
    });
    expect(prepared({ lead: { sharing: 'granted' } })).toEqual(prepared({ lead: { sharing: 'unasked' } }));
    expect(prepared({ lead: { sharing: 'granted' } })).not.toHaveProperty('event.limited_data_use');
  });

  it("TikTok's event has no page that is not on the web", () => {
    expect(prepared({ lead: { landingUrl: 'javascript:alert(1)' } })).not.toHaveProperty('event.page');
  });

  it.each(['android-app://com.zhiliaoapp.musically', 'about:blank', ''])(
    "TikTok's event has no referrer such as %j",
    (referrer) => {
      const lead = { landingUrl: 'https://landing.example/', referrer };
      expect(prepared({ lead })).toHaveProperty('event.page', { url: 'https://landing.example/' });
    },
  );

  it("TikTok's event leaves out value and currency if the amount is invalid", () => {
    expect(prepared({ amount: 'NaN' })).toHaveProperty('event.properties', { order_id: 'order-41' });
  });

  it('skips an event for TikTok if it could match no person', () => {
    expect(prepared({ client: { name: 'Ana' } })).toEqual({ kind: 'skipped', reason: 'no_match_keys' });
  });
});

const someone = { email: 'ana@example.com' };
const click = { clickParameters: { ttclid: 'E.C.P.CroBXpgj~_y-A=' } };

describe("TikTok's user data", () => {
  it.each(tiktokEmails)("TikTok's email has the hash of %j", (email, hash) => {
    expect(tiktokUserData(givenConversion({ client: { email }, lead: click }))?.['email']).toBe(hash ?? undefined);
  });

  it.each(googlePhoneHashes)("TikTok's phone has the hash of %s, with its plus", (phoneNumber, hash) => {
    expect(tiktokUserData(givenConversion({ client: { phoneNumber } }))?.['phone']).toBe(hash);
  });

  it("TikTok's phone has an Argentine number in its mobile form, because TikTok accepts one form only", () => {
    const userData = tiktokUserData(givenConversion({ client: { phoneNumber: '11 2345-6789' } }));
    expect(userData?.['phone']).toBe('790e47a4a8aeeed031d32be19de28e8880e89e80de18371c042874fc0367303c');
  });

  it.each(fullNames)("TikTok's first_name and last_name have the hashes of %j", (name, first, rest) => {
    const userData = tiktokUserData(givenConversion({ client: { ...someone, name } }));
    expect([userData?.['first_name'], userData?.['last_name']]).toEqual([first ?? undefined, rest ?? undefined]);
  });

  it.each(metaExternalIds)("TikTok's external_id has the hash of %j", (externalReference, hash) => {
    const userData = tiktokUserData(givenConversion({ client: { ...someone, externalReference } }));
    const ownId = '0cc24a5a8b85c32a60a855a2c966a6cfadb60c9fa6ae77afe866b8c907a5cabe';
    expect(userData?.['external_id']).toBe(hash ?? ownId);
  });

  it("TikTok's user data has the click and the browser unhashed", () => {
    const lead = { ...click, ipAddress: '2001:db8::1', userAgent: ' Mozilla/5.0 ' };
    expect(tiktokUserData(givenConversion({ lead }))).toMatchObject({
      ttclid: 'E.C.P.CroBXpgj~_y-A=',
      ip: '2001:db8::1',
      user_agent: 'Mozilla/5.0',
    });
  });

  it.each([
    ['an invalid IP address', { ipAddress: '203.0.113.7, 10.0.0.1' }, 'ip'],
    ['an empty user agent', { userAgent: ' ' }, 'user_agent'],
    ['the address of a proxy', { ipAddress: '192.168.1.1' }, 'ip'],
    ['a malformed browser id', { clickParameters: { _ttp: 'a b' } }, 'ttp'],
    ['any language', { acceptLanguage: '*' }, 'locale'],
    ['an invalid language', { acceptLanguage: 'hello' }, 'locale'],
    ['a malformed click id', { clickParameters: { ttclid: 'E.C P' } }, 'ttclid'],
    ['a click id that is too short', { clickParameters: { ttclid: 'E.C' } }, 'ttclid'],
    ['a click id that is too long', { clickParameters: { ttclid: 'E'.repeat(1001) } }, 'ttclid'],
  ])("TikTok's user data leaves out %s", (_name, lead, field) => {
    expect(tiktokUserData(givenConversion({ client: someone, lead }))).not.toHaveProperty(field);
  });

  it.each([
    ['an email', { client: someone }],
    ['a phone number', { client: { phoneNumber: '+5491123456789' } }],
    ["the account's own reference", { client: { externalReference: 'c-1' } }],
    ['a click', { lead: click }],
    ["the browser's id", { lead: { clickParameters: { _ttp: '2Lx3_kCfVb9MGzCzb0LbCfYPq1n' } } }],
  ])('TikTok can match a client by %s', (_name, given) => {
    expect(tiktokUserData(givenConversion(given))).toBeDefined();
  });

  it.each([
    ['a name alone', { client: { name: 'Ana Pérez' } }],
    ['a browser alone', { lead: { ipAddress: '203.0.113.7', userAgent: 'Mozilla/5.0' } }],
    ["another platform's click", { lead: { clickParameters: { fbclid: 'IwAR', gclid: 'CjwK' } } }],
    ['invalid contact data', { client: { email: 'ana', phoneNumber: '123' } }],
  ])('TikTok cannot match a client by %s', (_name, given) => {
    expect(tiktokUserData(givenConversion(given))).toBeUndefined();
  });
});
