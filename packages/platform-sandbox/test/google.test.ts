import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { destination, googleEvent, googleRequest, hash } from './given-events.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const sandbox = await serveSandbox(() => nowMs);
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(() => sandbox.request('DELETE', '/events'));

const refusal = (reason: string, field: string) => ({
  status: 400,
  body: {
    error: {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: expect.any(String),
      details: [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'INVALID_ARGUMENT', domain: expect.any(String) },
        { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: expect.any(String) },
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: expect.arrayContaining([
            expect.objectContaining({ field: expect.stringContaining(field), reason }),
          ]),
        },
      ],
    },
  },
});

const byUser = (...userIdentifiers: readonly unknown[]) => ({
  adIdentifiers: undefined,
  userData: { userIdentifiers },
});

const byEmail = { emailAddress: hash };
const elevenOf = (one: unknown) => Array.from({ length: 11 }, () => one);

describe('events of the Data Manager API', () => {
  it.each([
    ['a click and a person', googleRequest([googleEvent()])],
    ['a click alone', googleRequest([googleEvent({ userData: undefined })], { encoding: undefined })],
    ['a person alone', googleRequest([googleEvent(byUser({ phoneNumber: hash }))])],
    ['a time with an offset', googleRequest([googleEvent({ eventTimestamp: '2026-11-21T08:59:59-03:00' })])],
    ['consent', googleRequest([googleEvent()], { consent: { adUserData: 'CONSENT_GRANTED' } })],
    [
      'hashes in base64',
      googleRequest([googleEvent(byUser({ emailAddress: 'UJ6TMBm7KFoTSpM0uLtnnf950M4CPVKa9L10TUe0/Yo=' }))], {
        encoding: 'BASE64',
      }),
    ],
  ])('Google accepts %s', async (_name, request) => {
    const { status, body } = await sandbox.google(request);
    expect({ status, body }).toEqual({ status: 200, body: { requestId: expect.any(String) } });
    expect(await sandbox.received()).toEqual([
      {
        platform: 'google',
        connection: '848898416',
        receivedAt: new Date(nowMs).toISOString(),
        event: JSON.parse(JSON.stringify(request.events[0])),
      },
    ]);
  });

  it.each([
    ['no transaction id', { transactionId: undefined }, 'REQUIRED_FIELD_MISSING', 'transactionId'],
    ['no source', { eventSource: undefined }, 'REQUIRED_FIELD_MISSING', 'eventSource'],
    ['an unknown source', { eventSource: 'website' }, 'INVALID_ENUM_VALUE', 'eventSource'],
    ['no time', { eventTimestamp: undefined }, 'REQUIRED_FIELD_MISSING', 'eventTimestamp'],
    ['a time without a zone', { eventTimestamp: '2026-11-21 11:59:59' }, 'EVENT_TIME_INVALID', 'eventTimestamp'],
    ['a time in seconds', { eventTimestamp: 1_795_262_399 }, 'EVENT_TIME_INVALID', 'eventTimestamp'],
    ['a time in the future', { eventTimestamp: '2026-11-21T12:01:01Z' }, 'EVENT_TIME_INVALID', 'eventTimestamp'],
    ['two clicks', { adIdentifiers: { gclid: 'a', gbraid: 'b' } }, 'INVALID_EVENT', 'adIdentifiers'],
    ['an empty click', { adIdentifiers: { gclid: '' } }, 'INVALID_FORMAT', 'adIdentifiers.gclid'],
    [
      'no person and no click',
      { adIdentifiers: undefined, userData: undefined },
      'NO_IDENTIFIERS_PROVIDED',
      'events.events[0]',
    ],
    ['too many identifiers', byUser(...elevenOf(byEmail)), 'TOO_MANY_USER_IDENTIFIERS', 'userIdentifiers'],
    ['an empty list of persons', byUser(), 'NO_IDENTIFIERS_PROVIDED', 'userIdentifiers'],
    [
      'two identifiers in one',
      byUser({ emailAddress: hash, phoneNumber: hash }),
      'INVALID_FORMAT',
      'userIdentifiers[0]',
    ],
    [
      'a name without its region',
      byUser({ address: { givenName: hash, familyName: hash } }),
      'REQUIRED_FIELD_MISSING',
      'regionCode',
    ],
    ['a value in a string', { conversionValue: '100.2' }, 'INVALID_FORMAT', 'conversionValue'],
    ['a currency in small letters', { currency: 'usd' }, 'INVALID_CURRENCY_CODE', 'currency'],
    ['a field that does not exist', { orderId: '9' }, 'INVALID_ARGUMENT', 'events.events[0]'],
  ])('Google rejects an event with %s and names the field', async (_name, changes, reason, field) => {
    expect(await sandbox.google(googleRequest([googleEvent(changes)]))).toMatchObject(refusal(reason, field));
  });

  it.each([
    ['no encoding of the hashes', { encoding: undefined }, 'REQUIRED_FIELD_MISSING', 'encoding'],
    ['an unknown encoding', { encoding: 'HEXADECIMAL' }, 'INVALID_ENUM_VALUE', 'encoding'],
    ['no destination', { destinations: [] }, 'REQUIRED_FIELD_MISSING', 'destinations'],
    [
      'an account with dashes',
      { destinations: [destination({ operatingAccount: { accountType: 'GOOGLE_ADS', accountId: '123-456-7890' } })] },
      'INVALID_DESTINATION',
      'accountId',
    ],
    [
      'a conversion action by name',
      { destinations: [destination({ productDestinationId: 'customers/1/conversionActions/2' })] },
      'INVALID_CONVERSION_ACTION_ID',
      'productDestinationId',
    ],
    ['a field that does not exist', { partialFailure: true }, 'INVALID_ARGUMENT', ''],
    ['too many destinations', { destinations: elevenOf(destination()) }, 'TOO_MANY_DESTINATIONS', 'destinations'],
    ['no events', { events: [] }, 'REQUIRED_FIELD_MISSING', 'events'],
    ['too many events', { events: Array.from({ length: 2001 }, () => googleEvent()) }, 'TOO_MANY_EVENTS', 'events'],
  ])('Google rejects a request with %s and names the field', async (_name, changes, reason, field) => {
    expect(await sandbox.google(googleRequest([googleEvent()], changes))).toMatchObject(refusal(reason, field));
  });

  it('Google rejects a whole request for one invalid event', async () => {
    const request = googleRequest([googleEvent(), googleEvent({ transactionId: '' })]);
    expect(await sandbox.google(request)).toMatchObject(refusal('INVALID_FORMAT', 'events.events[1].transactionId'));
    expect(await sandbox.received()).toEqual([]);
  });

  it('Google only validates events if validateOnly is set', async () => {
    expect(await sandbox.google(googleRequest([googleEvent()], { validateOnly: true }))).toMatchObject({ status: 200 });
    expect(await sandbox.received()).toEqual([]);
  });

  it('Google rejects a body that is not JSON', async () => {
    expect(await sandbox.google('{"events"')).toMatchObject({
      status: 400,
      body: { error: { status: 'INVALID_ARGUMENT' } },
    });
  });

  it.each([
    ['a revoked token', 'Bearer ya29.revoked'],
    ['no token', 'Basic eA=='],
  ])('Google rejects events with %s', async (_name, authorization) => {
    const body = googleRequest([googleEvent()]);
    expect(await sandbox.request('POST', '/v1/events:ingest', body, { authorization })).toMatchObject({
      status: 401,
      body: { error: { code: 401, status: 'UNAUTHENTICATED' } },
    });
  });
});
