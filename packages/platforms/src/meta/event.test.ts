import { matchKeySet } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { givenConversion, now } from '../../test/given-conversion.ts';
import { metaEvent } from './event.ts';
import type { MetaSettings } from './settings.ts';

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
