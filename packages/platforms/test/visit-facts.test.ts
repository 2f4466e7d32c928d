import { describe, expect, it } from 'vitest';
import { requireEvent } from '../src/definition.ts';
import { googleEvent } from '../src/google/event.ts';
import { linkedinEvent } from '../src/linkedin/event.ts';
import { metaEvent } from '../src/meta/event.ts';
import { sha256 } from '../src/event-parts.ts';
import { givenConversion, now } from './given-conversion.ts';

type Given = NonNullable<Parameters<typeof givenConversion>[0]>;

const email = 'ana@example.com';
const client = { email };
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0';
const landingUrl =
  'https://go.example.com/offer?gad_source=1&gad_campaignid=7&email=ana%40example.com&utm_source=google';
const referrer = 'https://mail.example.com/inbox/ana@example.com?token=s3cret';
const gad = { gad_source: '1', gad_campaignid: '21345678901' };

const metaOf = (given: Given) => requireEvent(metaEvent(givenConversion(given), { eventName: 'Purchase' }));
const googleOf = (given: Given) =>
  requireEvent(googleEvent(givenConversion(given), { conversionActionId: '1' }, now))['adIdentifiers'];
const linkedinOf = (given: Given) => linkedinEvent(givenConversion(given), { conversionRuleId: '1' });

describe('what Meta is told of a visit', () => {
  it.each<[string | null, string | undefined]>([
    ['https://www.google.com/', 'https://www.google.com/'],
    ['https://www.google.com/search?q=ana+gomez', 'https://www.google.com/'],
    [referrer, 'https://mail.example.com/'],
    ['http://l.facebook.com/l.php?u=x', 'http://l.facebook.com/'],
    ['https://shop.example:8443/cart#ana', 'https://shop.example:8443/'],
    ['https://ana:secret@shop.example/', 'https://shop.example/'],
    ['android-app://com.google.android.gm/', undefined],
    ['about:blank', undefined],
    ['no address', undefined],
    ['', undefined],
    [null, undefined],
  ])('is the site that it came from, of %s', (sent, told) => {
    const event = metaOf({ client, lead: { userAgent, landingUrl, referrer: sent } });
    expect(event).toMatchObject({ action_source: 'website' });
    expect(event['referrer_url']).toBe(told);
  });

  it('is no site of a sale that is no event of a website', () => {
    expect(metaOf({ client, lead: { referrer } })).not.toHaveProperty('referrer_url');
  });

  it.each<[string, string, string | undefined]>([
    ['+1 650 555-1212', 'AR', 'us'],
    ['+1 604 555-1212', 'AR', 'ca'],
    ['11 2345-6789', 'AR', 'ar'],
    ['+54 9 11 2345-6789', 'US', 'ar'],
    ['0054 11 2345-6789', 'BR', 'ar'],
    ['(11) 98765-4321', 'BR', 'br'],
    ['55 1234 5678', 'MX', 'mx'],
    ['+52 1 55 1234 5678', 'AR', 'mx'],
    ['9 6123 4567', 'CL', 'cl'],
    ['300 123 4567', 'CO', 'co'],
    ['+34 612 345 678', 'AR', 'es'],
    ['+44 7400 123456', 'AR', 'gb'],
    ['+49 1512 3456789', 'AR', 'de'],
    ['+598 94 231 234', 'AR', 'uy'],
    ['tel:+56961234567', 'AR', 'cl'],
    ['11 2345-6789 / +1 650 555-1212', 'AR', 'ar'],
    ['+800 1234 5678', 'AR', undefined],
    ['123', 'AR', undefined],
    ['11 2345-6789', 'XX', undefined],
    ['a'.repeat(64), 'AR', undefined],
    ['', 'AR', undefined],
  ])('is the country of the phone number %s of an account in %s: %s', (phoneNumber, accountCountry, country) => {
    const event = metaOf({ client: { email, phoneNumber }, accountCountry });
    expect(event).toHaveProperty('user_data.em');
    expect(Object(event['user_data']).country).toEqual(country === undefined ? undefined : [sha256(country)]);
  });
});

describe('what Google is told of a visit', () => {
  const attributesOf = (given: Given) => {
    const text: unknown = Object(googleOf(given)).sessionAttributes;
    return typeof text === 'string' ? JSON.parse(Buffer.from(text, 'base64').toString()) : undefined;
  };

  it('is its browser and, without a gclid, what Google looks for the click by', () => {
    const visit = { userAgent, landingUrl, referrer };
    expect(googleOf({ client, lead: { ...visit, clickParameters: { ...gad, gclid: 'Cj0K' } } })).toEqual({
      gclid: 'Cj0K',
      landingPageDeviceInfo: { userAgent },
    });
    for (const clickParameters of [gad, { ...gad, gbraid: '0AAAA' }, { ...gad, wbraid: 'CjkK' }]) {
      expect(attributesOf({ client, lead: { ...visit, clickParameters } })).toEqual({
        ...gad,
        session_start_time_usec: `${now}000`,
        landing_page_user_agent: userAgent,
        landing_page_url: 'https://go.example.com/offer?utm_source=google',
        landing_page_referrer: 'https://mail.example.com/',
      });
    }
  });

  it.each<[string, Given['lead']]>([
    ['gad_source alone', { clickParameters: { gad_source: '1' } }],
    ['gad_campaignid alone', { clickParameters: { gad_campaignid: '7' } }],
    ['a gad_source that somebody wrote into', { clickParameters: { ...gad, gad_source: email } }],
    ['a campaign that is a template', { clickParameters: { ...gad, gad_campaignid: '{campaignid}' } }],
    ['no ad', { clickParameters: { utm_source: 'news' } }],
  ])('has no session of %s', (_what, lead) => {
    expect(googleOf({ client, lead: { userAgent, ...lead } })).toEqual({ landingPageDeviceInfo: { userAgent } });
    expect(googleOf({ client, lead: { ...lead } })).toBeUndefined();
  });

  it('has neither IP address nor a browser that names somebody', () => {
    const lead = { ipAddress: '203.0.113.7', userAgent: `Reader of ${email}`, clickParameters: gad };
    expect(googleOf({ client, lead })).toEqual({ sessionAttributes: expect.any(String) });
    expect(attributesOf({ client, lead })).toEqual({ ...gad, session_start_time_usec: `${now}000` });
  });

  it('leaves out pages that are too long for it', () => {
    const long = `https://go.example.com/${'x'.repeat(3_000)}`;
    const lead = { userAgent, landingUrl: long, clickParameters: gad };
    expect(attributesOf({ client, lead })).not.toHaveProperty('landing_page_url');
    expect(attributesOf({ client, lead: { ...lead, userAgent: 'x'.repeat(3_000) } })).toBeUndefined();
  });

  it('is nothing by which alone an event is sent', () => {
    const sale = givenConversion({ lead: { userAgent, landingUrl, clickParameters: gad } });
    expect(googleEvent(sale, { conversionActionId: '1' }, now)).toEqual({ kind: 'skipped', reason: 'no_match_keys' });
  });
});

describe('what LinkedIn is told of a visit', () => {
  it.each<[string | null, string | undefined]>([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['198.51.100.1', '198.51.100.1'],
    ['2001:db8::1', undefined],
    ['10.0.0.5', undefined],
    ['192.168.1.1', undefined],
    ['127.0.0.1', undefined],
    ['203.0.113', undefined],
    ['203.0.113.7, 10.0.0.5', undefined],
    ['unknown', undefined],
    ['', undefined],
    [null, undefined],
  ])('is the hash of its IPv4 address, of %s', (ipAddress, told) => {
    const address = told === undefined ? [] : [{ idType: 'SHA256_IP_ADDRESS', idValue: sha256(told) }];
    const known = [{ idType: 'SHA256_EMAIL', idValue: sha256(email) }];
    expect(requireEvent(linkedinOf({ client, lead: { ipAddress } }))['user']).toEqual({
      userIds: [...known, ...address],
    });
    // also by itself
    expect(linkedinOf({ lead: { ipAddress } })).toMatchObject(
      told === undefined
        ? { kind: 'skipped', reason: 'no_match_keys' }
        : { kind: 'event', event: { user: { userIds: address } } },
    );
  });
});
