import { matchKeySet } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenConversion, now, givenAdjustment } from '../../test/given-conversion.ts';
import { googleEmails, googlePhoneHashes } from '../../test/identifier-vectors.ts';
import { googlePlatform } from './index.ts';
import { googleEvent, googleUserData, googleAdjustment } from './event.ts';

const day = 24 * 60 * 60_000;
const settings = { conversionActionId: '848898416' };
const gmail = { email: 'Cloudy.SanFrancisco+shopping@gmail.com', phoneNumber: '+54 9 11 2345-6789' };
const userData = {
  userIdentifiers: [
    { emailAddress: '223ebda6f6889b1494551ba902d9d381daf2f642bae055888e96343d53e9f9c4' },
    { phoneNumber: '790e47a4a8aeeed031d32be19de28e8880e89e80de18371c042874fc0367303c' },
    // without the 9
    { phoneNumber: 'd316c5529b0c9b5f7a05068187571606d2700ac2d51ca9b31f1e1ee6eeec1bb4' },
  ],
};
const prepared = (given: Parameters<typeof givenConversion>[0]) => googleEvent(givenConversion(given), settings, now);

describe("Google's event", () => {
  it("Google's event has the click and the person", () => {
    const lead = {
      clickParameters: { gclid: 'CjwKCAjw_test-GCLID' },
      ipAddress: '203.0.113.7',
      userAgent: 'Mozilla/5.0',
    };
    expect(prepared({ client: { ...gmail, name: 'Cloudy' }, lead })).toEqual({
      kind: 'event',
      keys: matchKeySet({ gclid: true, email: true, phone: true }),
      event: {
        destinationReferences: ['848898416'],
        transactionId: 'order-41',
        eventTimestamp: '2026-11-21T12:00:00.567Z',
        eventSource: 'WEB',
        conversionValue: 100.2,
        currency: 'USD',
        adIdentifiers: { gclid: 'CjwKCAjw_test-GCLID', landingPageDeviceInfo: { userAgent: 'Mozilla/5.0' } },
        userData,
      },
    });
  });

  it.each([
    [true, 'NEW'],
    [false, 'RETURNING'],
  ])(
    'tells Google of a sale whose customer is new (%s) the type %s, and again when it is adjusted',
    (isNewCustomer, type) => {
      const sale = { client: gmail, isNewCustomer };
      expect(prepared(sale)).toHaveProperty('event.userProperties', { customerType: type });
      expect(prepared({ client: gmail })).not.toHaveProperty('event.userProperties');
      expect(googleAdjustment.event(givenAdjustment({}, sale), settings, now)).toMatchObject({
        event: { conversionValue: 60.2, userProperties: { customerType: type } },
      });
    },
  );

  it("Google's event has the person if the click is unknown", () => {
    const outcome = prepared({ client: gmail });
    expect(outcome).toMatchObject({ event: { userData } });
    expect(outcome).not.toHaveProperty('event.adIdentifiers');
  });

  it.each([
    ['gclid', { gclid: 'a', gbraid: 'b', wbraid: 'c' }, { gclid: 'a' }],
    ['gbraid', { gclid: ' ', gbraid: 'b', wbraid: 'c' }, { gbraid: 'b' }],
    ['wbraid', { wbraid: 'c' }, { wbraid: 'c' }],
  ])("Google's event has exactly one click id: %s", (_name, clickParameters, adIdentifiers) => {
    const outcome = prepared({ lead: { clickParameters } });
    expect(outcome).toHaveProperty('event.adIdentifiers', adIdentifiers);
    expect(outcome).not.toHaveProperty('event.userData');
  });

  it.each(['gbraid', 'wbraid'])("Google's event has no person beside a %s", (braid) => {
    expect(prepared({ client: gmail, lead: { clickParameters: { [braid]: 'b' } } })).not.toHaveProperty(
      'event.userData',
    );
  });

  it.each([
    ['nothing', {}],
    ["another platform's click", { lead: { clickParameters: { fbclid: 'a' } } }],
    ['a browser', { lead: { ipAddress: '203.0.113.7', userAgent: 'Mozilla/5.0' } }],
    ['invalid contact data', { client: { email: 'ana', phoneNumber: '123' } }],
  ])('skips an event for Google if it could only be matched by %s', (_name, given) => {
    expect(prepared(given)).toEqual({ kind: 'skipped', reason: 'no_match_keys' });
  });

  it.each([
    ['granted', { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_GRANTED' }],
    ['agreed', { adUserData: 'CONSENT_GRANTED' }],
    ['agreed_unpersonalised', { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_DENIED' }],
    // Google discards events whose adUserData is denied
    ['unpersonalised', { adPersonalization: 'CONSENT_DENIED' }],
    ['unasked', undefined],
  ] as const)('reports consent to Google if sharing is %s', (sharing, consent) => {
    const { event } = z
      .object({ event: z.record(z.string(), z.unknown()) })
      .parse(prepared({ client: gmail, lead: { sharing } }));
    expect(event['consent']).toEqual(consent);
  });

  it('sends no event to Google after an opt-out by Global Privacy Control, because Google would discard it', () => {
    const lead = { clickParameters: { gclid: 'a' }, sharing: 'opted_out' } as const;
    expect(prepared({ client: gmail, lead })).toEqual({ kind: 'skipped', reason: 'consent' });
  });

  it('skips an event for Google if the click is more than 90 days old, unless the person is known', () => {
    const lead = { clickParameters: { gclid: 'a' }, createdAt: new Date(now - 90 * day - 1) };
    expect(prepared({ lead })).toEqual({ kind: 'skipped', reason: 'event_too_old' });
    expect(prepared({ lead, client: gmail })).toMatchObject({ kind: 'event' });
  });

  it("uses the age of Google's own remembered click, not that of another platform", () => {
    const long = new Date(now - 90 * day - 1);
    const lead = { clickParameters: { gbraid: 'a', fbclid: 'b' } };
    expect(prepared({ lead: { ...lead, clickTimes: { gbraid: long } } })).toMatchObject({ reason: 'event_too_old' });
    expect(prepared({ lead: { ...lead, clickTimes: { fbclid: long } } })).toMatchObject({ kind: 'event' });
  });

  it('leaves out an invalid amount and its currency for Google', () => {
    const outcome = prepared({ client: gmail, amount: 'NaN' });
    expect(outcome).toMatchObject({ kind: 'event' });
    expect(outcome).not.toHaveProperty('event.conversionValue');
    expect(outcome).not.toHaveProperty('event.currency');
  });
});

const identifiersOf = (client: { email?: string; phoneNumber?: string; name?: string }) =>
  googleUserData(givenConversion({ client }));

describe("Google's user data", () => {
  it.each(googleEmails)("Google's user data has the normalized hash of the email %j", (email, hash) => {
    expect(identifiersOf({ email })).toEqual(hash === null ? undefined : { userIdentifiers: [{ emailAddress: hash }] });
  });

  it.each(googlePhoneHashes)("Google's user data has the hash of the phone number %s", (phoneNumber, hash) => {
    expect(identifiersOf({ phoneNumber })?.userIdentifiers[0]).toEqual({ phoneNumber: hash });
  });

  it("Google's user data has an Argentine number with and without the 9 of mobiles, as written first", () => {
    const withNine = { phoneNumber: '790e47a4a8aeeed031d32be19de28e8880e89e80de18371c042874fc0367303c' };
    const withoutNine = { phoneNumber: 'd316c5529b0c9b5f7a05068187571606d2700ac2d51ca9b31f1e1ee6eeec1bb4' };
    expect(identifiersOf({ phoneNumber: '+54 9 11 2345-6789' })).toEqual({
      userIdentifiers: [withNine, withoutNine],
    });
    expect(identifiersOf({ phoneNumber: '+54 11 2345-6789' })).toEqual({
      userIdentifiers: [withoutNine, withNine],
    });
  });

  it("Google's user data has no name, because Google requires region and postal code with it", () => {
    expect(identifiersOf({ name: 'Ana Pérez' })).toBeUndefined();
  });
});

const dayMs = 86_400_000;
const client = { email: 'ana@example.com' };
const adjustedSettings = { conversionActionId: '848898416' };
const retract = { kind: 'retract', amount: '0.00', takenBack: '100.20' } as const;

describe("Google's adjustment", () => {
  it('is the event of the conversion with the new total, whenever it was adjusted', () => {
    const original = googleEvent(givenConversion({ client, amount: '60.20' }), adjustedSettings, now);
    const occurredAt = new Date(now + dayMs);
    expect(googleAdjustment.event(givenAdjustment({ occurredAt }), adjustedSettings, now)).toEqual(original);
    expect(original).toMatchObject({ event: { transactionId: 'order-41', conversionValue: 60.2 } });
  });

  it('has the value 0 if the conversion is retracted, and says that the count is kept', () => {
    expect(googleAdjustment.event(givenAdjustment(retract), adjustedSettings, now)).toMatchObject({
      kind: 'event',
      event: { transactionId: 'order-41', conversionValue: 0, currency: 'USD' },
      note: expect.stringContaining('count kept'),
    });
  });

  it('is skipped if the conversion is older than Google accepts, however new the adjustment is', () => {
    const old = givenAdjustment({}, { client, occurredAt: new Date(now - 90 * dayMs) });
    expect(googleAdjustment.event(old, adjustedSettings, now)).toEqual({
      kind: 'skipped',
      reason: 'event_too_old',
    });
  });

  it('is skipped if nothing is left by which Google could find the person, and has no note then', () => {
    expect(googleAdjustment.event(givenAdjustment(retract, {}), adjustedSettings, now)).toEqual({
      kind: 'skipped',
      reason: 'no_match_keys',
    });
  });

  it('goes to the account and the conversion action, however access to them is granted', () => {
    const { destinationOf } = googlePlatform;
    const at = { customerId: '123-456-7890', conversionActionId: '1' };
    const through = { ...at, loginCustomerId: '9999999999' };
    expect(destinationOf(through)).toBe(destinationOf(at));
    expect(destinationOf({ ...at, conversionActionId: '2' })).not.toBe(destinationOf(at));
    expect(destinationOf({ ...at, customerId: '1234567891' })).not.toBe(destinationOf(at));
  });
});
