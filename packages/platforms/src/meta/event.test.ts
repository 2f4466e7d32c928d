import { matchKeySet } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenConversion, now, givenAdjustment } from '../../test/given-conversion.ts';
import { fullNames, metaEmails, metaExternalIds, metaPhoneHashes } from '../../test/identifier-vectors.ts';
import { metaEvent, metaUserData, fbcOf, metaRefund } from './event.ts';
import { type MetaSettings, metaSettingsSchema } from './settings.ts';

const client = { email: 'ana@example.com' };
const emailHash = '8e43ca37701228e74983efdbd0cff5c16b3b1e5d4e29a7c05626d4d25a018e11';
const ownIdHash = '0cc24a5a8b85c32a60a855a2c966a6cfadb60c9fa6ae77afe866b8c907a5cabe';

const prepared = (given: Parameters<typeof givenConversion>[0], settings: Partial<MetaSettings> = {}) =>
  metaEvent(givenConversion({ client, ...given }), { eventName: 'Purchase', ...settings });

describe("Meta's event", () => {
  // the payload that facebook-nodejs-business-sdk 24.0.1 builds from the same data
  it("Meta's event has all data of a website visitor", () => {
    const fbclid = 'IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk';
    const userAgent =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
    const landingUrl = 'https://landing.example.com/offer?utm_source=fb';
    const conversion = {
      externalReference: 'order-9',
      client: {
        name: 'Mary Smith',
        email: 'John_Smith@gmail.com',
        phoneNumber: '+1 (650) 555-1212',
        externalReference: 'client-123',
      },
      lead: {
        clickParameters: { fbclid, _fbp: 'fb.1.1558571054389.1098115397' },
        ipAddress: '203.0.113.7',
        userAgent,
        landingUrl,
      },
    };
    expect(prepared(conversion)).toEqual({
      kind: 'event',
      keys: matchKeySet({ fbclid: true, email: true, phone: true, externalId: true, ipAndUserAgent: true, fbp: true }),
      event: {
        event_name: 'Purchase',
        event_time: 1_795_262_400,
        event_id: 'order-41',
        action_source: 'website',
        event_source_url: landingUrl,
        user_data: {
          em: ['62a14e44f765419d10fea99367361a727c12365e2520f32218d505ed9aa0f62f'],
          ph: ['e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176'],
          fn: ['6915771be1c5aa0c886870b6951b03d7eafc121fea0e80a5ea83beb7c449f4ec'],
          ln: ['6627835f988e2c5e50533d491163072d3f4f41f5c8b04630150debb3722ca2dd'],
          country: ['79adb2a2fce5c6ba215fe5f27f532d4e7edbac4b6a5e09e1ef3a08084a904621'],
          external_id: ['b44ea687b506d5ca725c434cbe69d0cd3cd0cdae245cd337e6013c6c6ed9017a'],
          client_ip_address: '203.0.113.7',
          client_user_agent: userAgent,
          fbc: `fb.1.${now}.${fbclid}`,
          fbp: 'fb.1.1558571054389.1098115397',
        },
        custom_data: { value: 100.2, currency: 'USD', order_id: 'order-9' },
      },
    });
  });

  it("Meta's event has limited data use if and only if the visitor requires it", () => {
    const limits = {
      opt_out: true,
      data_processing_options: ['LDU'],
      data_processing_options_country: 0,
      data_processing_options_state: 0,
    };
    expect(prepared({ lead: { sharing: 'opted_out' } })).toMatchObject({ event: limits });
    expect(prepared({ lead: { sharing: 'unpersonalised' } })).toMatchObject({ event: limits });
    expect(prepared({ lead: { sharing: 'agreed_unpersonalised' } })).toMatchObject({ event: limits });
    expect(prepared({ lead: { sharing: 'granted' } })).toEqual(prepared({ lead: { sharing: 'unasked' } }));
  });

  it.each([
    [true, 'new_customer_to_business'],
    [false, 'existing_customer_to_business'],
  ])('tells Meta of a sale whose customer is new (%s) the segment %s', (isNewCustomer, segment) => {
    expect(prepared({ isNewCustomer })).toHaveProperty('event.custom_data.customer_segmentation', segment);
    expect(prepared({ isNewCustomer: null })).not.toHaveProperty('event.custom_data.customer_segmentation');
  });

  it('tells Meta of no new customer in an event of a refund', () => {
    const refund = metaRefund.event(givenAdjustment({}, { client, isNewCustomer: true }), { refundEvent: 'Refund' });
    expect(refund).toHaveProperty('event.custom_data', { value: 40, currency: 'USD', order_id: 'order-41' });
  });

  it("Meta's event has the source system_generated if the browser is unknown", () => {
    expect(prepared({ amount: '0.00', currency: 'ARS' })).toEqual({
      kind: 'event',
      keys: matchKeySet({ email: true }),
      event: {
        event_name: 'Purchase',
        event_time: 1_795_262_400,
        event_id: 'order-41',
        action_source: 'system_generated',
        user_data: { em: [emailHash], external_id: [ownIdHash] },
        custom_data: { value: 0, currency: 'ARS', order_id: 'order-41' },
      },
    });
  });

  it.each([
    ['no user agent', { landingUrl: 'https://landing.example/' }],
    ['no page', { userAgent: 'Mozilla/5.0' }],
    ['a page that is not on the web', { userAgent: 'Mozilla/5.0', landingUrl: 'javascript:alert(1)' }],
  ])("Meta's event does not have the source website with %s", (_name, lead) => {
    const outcome = prepared({ lead });
    expect(outcome).toMatchObject({ event: { action_source: 'system_generated' } });
    expect(outcome).not.toHaveProperty('event.event_source_url');
  });

  it.each([
    ['system_generated', 'system_generated'],
    ['other', 'other'],
    ['website', 'website'],
  ] as const)("Meta's event has the source that the account configures: %s", (actionSource, action_source) => {
    const lead = { userAgent: 'Mozilla/5.0', landingUrl: 'https://landing.example/' };
    expect(prepared({ lead }, { actionSource })).toMatchObject({ event: { action_source } });
  });

  it("Meta's event does not have the source website without a page, which Meta would reject", () => {
    expect(prepared({}, { actionSource: 'website' })).toMatchObject({ event: { action_source: 'system_generated' } });
  });

  it.each([
    ['no_match_keys', { client: {} }],
    ['invalid_amount', { amount: 'NaN' }],
  ])('skips an event for Meta with the reason %s', (reason, given) => {
    expect(prepared(given)).toEqual({ kind: 'skipped', reason });
  });

  it('leaves out an invalid value for Meta if the event is not a purchase', () => {
    expect(prepared({ amount: '' }, { eventName: 'Lead' })).toMatchObject({
      event: { event_name: 'Lead', custom_data: { order_id: 'order-41' } },
    });
  });

  it("Meta's event is the same on every attempt", () => {
    expect(prepared({})).toEqual(prepared({}));
  });
});

const someone = { email: 'ana@example.com' };
const phOf = (phoneNumber: string) => metaUserData(givenConversion({ client: { phoneNumber } }))?.['ph'];
const ownIdIn = (installationId: string) =>
  metaUserData(givenConversion({ client: someone, installationId }))?.['external_id'];
const listOf = (hash: string | null) => (hash === null ? undefined : [hash]);

describe("Meta's user data", () => {
  it.each(metaEmails)("Meta's em has the normalized hash of %j", (email, hash) => {
    const conversion = givenConversion({ client: { email, phoneNumber: '+5491123456789' } });
    expect(metaUserData(conversion)?.['em']).toEqual(listOf(hash));
  });

  it.each(metaPhoneHashes)("Meta's ph has the hash of %s", (phoneNumber, hash) => {
    const { ph } = z
      .object({ ph: z.array(z.string()) })
      .parse(metaUserData(givenConversion({ client: { phoneNumber } })));
    expect(ph[0]).toBe(hash);
  });

  it("Meta's ph has an Argentine number with and without the 9 of mobiles, as written first", () => {
    const withNine = 'e9a22549bbbbccb976d0c751b7e5ea194ae62fa6a6f1ba97e9e9940441acde71';
    const withoutNine = '097693224047d8d90c77c6432c41936b842671ec532d02df822bc4a238eaaa3b';
    expect(phOf('+54 9 11 2345-6789')).toEqual([withNine, withoutNine]);
    expect(phOf('+54 11 2345-6789')).toEqual([withoutNine, withNine]);
    expect(phOf('+1 650 555 1212')).toEqual(['e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176']);
  });

  it('reads a name with a comma as last name, first name for Meta', () => {
    const userData = metaUserData(givenConversion({ client: { ...someone, name: 'García López, Ana' } }));
    expect(userData).toMatchObject({
      fn: ['24d4b96f58da6d4a8512313bbd02a28ebf0ca95dec6e4c86ef78ce7f01e788ac'],
      ln: ['ad1e862a35683ea9f2ec848c253db99ebe974aa2bc945216c32d8626d08a2526'],
    });
  });

  it("Meta's external_id without a reference differs between installations and is not the hash of a bare number", () => {
    const [one, other] = [
      ownIdIn('5f0c2f3e-6d0f-4c60-9d3f-0a3c5b8f7e11'),
      ownIdIn('11111111-6d0f-4c60-9d3f-0a3c5b8f7e11'),
    ];
    expect(one).toEqual(['0cc24a5a8b85c32a60a855a2c966a6cfadb60c9fa6ae77afe866b8c907a5cabe']);
    expect(other).not.toEqual(one);
    expect(one).not.toEqual(['7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451']);
  });

  it.each(fullNames)("Meta's fn and ln have the hashes of %j", (name, first, rest) => {
    const userData = metaUserData(givenConversion({ client: { ...someone, name } }));
    expect([userData?.['fn'], userData?.['ln']]).toEqual([listOf(first), listOf(rest)]);
  });

  it.each(metaExternalIds)("Meta's external_id has the hash of %j", (externalReference, hash) => {
    const userData = metaUserData(givenConversion({ client: { ...someone, externalReference } }));
    const ownId = '0cc24a5a8b85c32a60a855a2c966a6cfadb60c9fa6ae77afe866b8c907a5cabe';
    expect(userData?.['external_id']).toEqual([hash ?? ownId]);
  });

  it("Meta's user data has the browser unhashed", () => {
    const lead = {
      ipAddress: '2001:db8::1',
      userAgent: ' Mozilla/5.0 ',
      clickParameters: { _fbp: 'fb.1.1558571054389.1098115397' },
    };
    expect(metaUserData(givenConversion({ lead }))).toMatchObject({
      client_ip_address: '2001:db8::1',
      client_user_agent: 'Mozilla/5.0',
      fbp: 'fb.1.1558571054389.1098115397',
    });
  });

  it.each([
    'fb.0.1558571054389.1',
    'fb.2.1558571054389.12345678901234567890',
    'fb.1.1558571054389.1098115397.AQYBAgAB',
  ])("Meta's user data has the browser id %s unchanged", (_fbp) => {
    expect(metaUserData(givenConversion({ lead: { clickParameters: { _fbp } } }))).toHaveProperty('fbp', _fbp);
  });

  it.each([
    ['an invalid IP address', { ipAddress: '203.0.113.7, 10.0.0.1' }, 'client_ip_address'],
    ['an empty user agent', { userAgent: ' ' }, 'client_user_agent'],
    ['the address of a proxy', { ipAddress: '10.0.0.5' }, 'client_ip_address'],
    ['a malformed fbp', { clickParameters: { _fbp: 'GA1.2.3' } }, 'fbp'],
    ['an fbp without its number', { clickParameters: { _fbp: 'fb.1.1558571054389.x' } }, 'fbp'],
    ['an fbp in seconds', { clickParameters: { _fbp: 'fb.1.1558571054.1098115397' } }, 'fbp'],
    ['an fbp in microseconds', { clickParameters: { _fbp: 'fb.1.1558571054389000.1098115397' } }, 'fbp'],
    ['an fbp with too long a number', { clickParameters: { _fbp: `fb.1.1558571054389.${'1'.repeat(21)}` } }, 'fbp'],
    ['an fbp with too long an appendix', { clickParameters: { _fbp: 'fb.1.1558571054389.1098.AQYBAgABx' } }, 'fbp'],
    ['a malformed click id', { clickParameters: { fbclid: 'a b' } }, 'fbc'],
    [
      'a click of more than 90 days ago',
      { clickParameters: { fbclid: 'a' }, createdAt: new Date(now - 91 * 86_400_000) },
      'fbc',
    ],
  ])("Meta's user data leaves out %s", (_name, lead, field) => {
    expect(metaUserData(givenConversion({ client: someone, lead }))).not.toHaveProperty(field);
  });

  it.each([
    ['an email', { client: someone }],
    ["the account's own reference", { client: { externalReference: 'c-1' } }],
    ['a click', { lead: { clickParameters: { fbclid: 'a' } } }],
    ['a browser', { lead: { ipAddress: '203.0.113.7', userAgent: 'Mozilla/5.0' } }],
  ])('Meta can match a client by %s', (_name, given) => {
    expect(metaUserData(givenConversion(given))).toBeDefined();
  });

  it.each([
    ['a name alone', { client: { name: 'Ana Pérez' } }],
    ['an IP address alone', { lead: { ipAddress: '203.0.113.7' } }],
    ['a browser behind a private address', { lead: { ipAddress: '10.0.0.5', userAgent: 'Mozilla/5.0' } }],
    ["another platform's click", { lead: { clickParameters: { gclid: 'a' } } }],
    ['invalid contact data', { client: { email: 'ana', phoneNumber: '123' } }],
  ])('Meta cannot match a client by %s', (_name, given) => {
    expect(metaUserData(givenConversion(given))).toBeUndefined();
  });
});

const fbclid = 'IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB_qa2ofrHyiLjcbCRxTDMgk';
const createdAt = new Date(1_793_750_400_000);
const fbc = (clickParameters: Record<string, string>) =>
  fbcOf(givenConversion({ lead: { clickParameters, createdAt } }).lead);

describe('fbc', () => {
  it.each([
    ['is built from the unchanged click id', { fbclid }, `fb.1.1793750400000.${fbclid}`],
    ['is the cookie if there is no click id', { _fbc: 'fb.1.1554763741205.OldClick' }, 'fb.1.1554763741205.OldClick'],
    [
      'is the cookie of the same click',
      { fbclid: 'A', _fbc: 'fb.2.1554763741205.A.AQYB' },
      'fb.2.1554763741205.A.AQYB',
    ],
    [
      'is built from a click newer than the cookie',
      { fbclid: 'NewClick', _fbc: 'fb.1.1554763741205.OldClick' },
      'fb.1.1793750400000.NewClick',
    ],
    ['ignores a malformed cookie', { fbclid: 'AbC', _fbc: 'garbage' }, 'fb.1.1793750400000.AbC'],
    ['is missing without a click', { fbclid: '' }, undefined],
    ['is missing if the click id is malformed', { fbclid: 'a.b.c.d' }, undefined],
  ])('fbc %s', (_name, clickParameters, expected) => {
    expect(fbc(clickParameters)).toBe(expected);
  });

  it('fbc has the time of the click if it was made on an earlier visit', () => {
    const lead = { clickParameters: { fbclid }, createdAt, clickTimes: { fbclid: new Date(1_793_000_000_000) } };
    expect(fbcOf(givenConversion({ lead }).lead)).toBe(`fb.1.1793000000000.${fbclid}`);
  });

  it.each([
    ['is the cookie if it is newer than a remembered click', 1_793_000_000_001, 'cookie'],
    ['is built from a remembered click that is as new as the cookie', 1_793_000_000_000, 'remembered'],
    ['is built from a remembered click that is newer than the cookie', 1_792_999_999_999, 'remembered'],
  ])('fbc %s', (_name, cookieTime, expected) => {
    const _fbc = `fb.1.${cookieTime}.OtherClick`;
    const clickTimes = { fbclid: new Date(1_793_000_000_000) };
    const { lead } = givenConversion({ lead: { clickParameters: { fbclid, _fbc }, createdAt, clickTimes } });
    expect(fbcOf(lead)).toBe(expected === 'cookie' ? _fbc : `fb.1.1793000000000.${fbclid}`);
  });

  it('fbc is built from the click of this visit, whatever the time of the cookie', () => {
    expect(fbc({ fbclid, _fbc: 'fb.1.1799999999999.OtherClick' })).toBe(`fb.1.1793750400000.${fbclid}`);
  });

  it('fbc is built from a remembered click if the cookie is malformed', () => {
    const clickTimes = { fbclid: new Date(1_793_000_000_000) };
    const { lead } = givenConversion({
      lead: { clickParameters: { fbclid, _fbc: 'fb.1.1799999999999' }, createdAt, clickTimes },
    });
    expect(fbcOf(lead)).toBe(`fb.1.1793000000000.${fbclid}`);
  });
});

const settings = metaSettingsSchema.parse({ pixelId: '1', refundEvent: 'Refund' });
const notSupported = { kind: 'skipped', reason: 'not_supported' };

describe("Meta's refund event", () => {
  it('reports what was taken back, when it was, as an event of its own for the same order', () => {
    const occurredAt = new Date(now + 3_600_000);
    const lead = { clickParameters: { fbclid: 'IwAR' } };
    const { event, keys } = { event: {}, keys: 0, ...metaEvent(givenConversion({ client, lead }), settings) };
    expect(metaRefund.event(givenAdjustment({ occurredAt }, { client, lead }), settings)).toEqual({
      kind: 'event',
      keys,
      event: {
        ...event,
        event_name: 'Refund',
        event_time: Math.floor(occurredAt.getTime() / 1000),
        event_id: 'order-41:refund:5',
        custom_data: { value: 40, currency: 'USD', order_id: 'order-41' },
      },
    });
  });

  it('is skipped if the account has no refund event', () => {
    expect(metaRefund.event(givenAdjustment(), metaSettingsSchema.parse({ pixelId: '1' }))).toEqual(notSupported);
  });

  it('is skipped if the total is not below every earlier one', () => {
    const grown = givenAdjustment({ amount: '120.00', takenBack: '0.00' });
    expect(metaRefund.event(grown, settings)).toEqual({ kind: 'skipped', reason: 'nothing_taken_back' });
  });
});
