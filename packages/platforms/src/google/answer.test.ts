import { describe, expect, it } from 'vitest';
import { answered } from '../../test/answered.ts';
import { googleError } from '../../test/google-error.ts';
import type { SendingMode } from '../definition.ts';
import { judgeReply, redaction } from '../exchange.ts';
import { judgeGoogleResponse, wrongEventsOf } from './codes.ts';
import { byClickAlone, ingestBody, requestStatusOf } from './send.ts';

const judge = (status: number, body: unknown, headers = {}, mode: SendingMode = 'live', nowMs = 0, sent = 1) =>
  judgeReply(answered(status, body, headers), {
    judge: judgeGoogleResponse(mode, sent, nowMs),
    redact: redaction(),
    nowMs,
  }).outcome;

const invalid = (reason: string) =>
  googleError(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', [{ reason, description: 'words' }]);

const fieldWarning = (reason: unknown) => ({
  field: 'ana@example.com',
  reason,
  description: 'not +5491155550142',
});

const at = (field: string, reason: string) => ({ field, reason, description: 'ana@example.com is no id' });

describe("Google's response", () => {
  it.each([
    [500, 'INTERNAL', 'INTERNAL_ERROR'],
    [503, 'UNAVAILABLE', 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED', 'DEADLINE_EXCEEDED'],
    [409, 'ABORTED', 'ABORTED'],
    [400, 'INVALID_ARGUMENT', 'INTERNAL_ERROR'],
  ])("Google's response of HTTP %i, %s, %s is a temporary failure", (code, status, reason) => {
    expect(judge(code, googleError(code, status, reason))).toEqual({ kind: 'unavailable', reason: `${reason}: words` });
  });

  it.each([
    [429, 'RESOURCE_EXHAUSTED', 'RESOURCE_EXHAUSTED'],
    [403, 'PERMISSION_DENIED', 'RATE_LIMIT_EXCEEDED'],
  ])("Google's response of HTTP %i, %s, %s throttles", (code, status, reason) => {
    expect(judge(code, googleError(code, status, reason))).toEqual({ kind: 'throttled', reason: `${reason}: words` });
  });

  it.each([
    [401, 'UNAUTHENTICATED', 'ACCESS_TOKEN_EXPIRED'],
    [403, 'PERMISSION_DENIED', 'PERMISSION_DENIED'],
    [403, 'PERMISSION_DENIED', 'NOT_ALLOWLISTED'],
    [403, 'PERMISSION_DENIED', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'],
    [403, 'PERMISSION_DENIED', 'SERVICE_DISABLED'],
    [403, 'SOMETHING_NEW', 'SOMETHING_NEW'],
  ])("Google's response of HTTP %i, %s, %s rejects the credentials", (code, status, reason) => {
    expect(judge(code, googleError(code, status, reason))).toEqual({ kind: 'refused', reason: `${reason}: words` });
  });

  it.each([
    'INVALID_DESTINATION',
    'INVALID_CONVERSION_ACTION_ID',
    'INVALID_CONVERSION_ACTION_TYPE',
    'OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH',
    'DESTINATION_ACCOUNT_TYPE_MISMATCH',
    'TERMS_AND_CONDITIONS_NOT_SIGNED',
    'EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED',
    'REQUIRED_PREREQUISITE_LINK_MISSING',
    'EVENT_SOURCE_AND_DESTINATION_MISMATCH',
    'DESTINATION_ACCOUNT_NOT_ENABLED_ENHANCED_CONVERSIONS_FOR_LEADS',
    'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED',
    'DESTINATION_ACCOUNT_DATA_POLICY_PROHIBITS_ENHANCED_CONVERSIONS',
  ])("Google's reason %s rejects the settings", (reason) => {
    expect(judge(400, invalid(reason))).toEqual({ kind: 'refused', reason: `${reason}: words` });
    expect(judge(400, googleError(400, 'INVALID_ARGUMENT', reason))).toMatchObject({ kind: 'refused' });
  });

  it.each([
    'NO_IDENTIFIERS_PROVIDED',
    'INVALID_EVENT',
    'EVENT_TIME_INVALID',
    'INVALID_CURRENCY_CODE',
    'INVALID_FORMAT',
    'INVALID_SHA256_FORMAT',
    'INVALID_HEX_ENCODING',
    'INVALID_ENUM_VALUE',
    'REQUIRED_FIELD_MISSING',
    'FIELD_VALUE_TOO_LONG',
    'INVALID_AD_IDENTIFIER_FOR_ACCOUNT',
    'TOO_MANY_EVENTS',
    'TOO_MANY_USER_IDENTIFIERS',
    'TOO_MANY_DESTINATIONS',
    'SOMETHING_NEW',
  ])("Google's reason %s rejects the event", (reason) => {
    expect(judge(400, invalid(reason))).toEqual({ kind: 'rejected', reason: `${reason}: words` });
  });

  it('prefers a retry over pausing the connection, and pausing over losing the event, if Google gives several reasons', () => {
    const reasons = [{ reason: 'INVALID_EVENT' }, { reason: 'INVALID_DESTINATION' }];
    expect(judge(400, googleError(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', reasons))).toMatchObject({
      kind: 'refused',
    });
    const temporary = [...reasons, { reason: 'INTERNAL_ERROR' }];
    expect(judge(400, googleError(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', temporary))).toMatchObject({
      kind: 'unavailable',
    });
  });

  it.each([
    [400, 'rejected'],
    [404, 'rejected'],
    [413, 'rejected'],
    [422, 'rejected'],
    [408, 'unavailable'],
    [425, 'unavailable'],
    [429, 'throttled'],
    [500, 'unavailable'],
    [599, 'unavailable'],
  ])("Google's response without a reason is judged by HTTP %i", (code, kind) => {
    expect(judge(code, { error: { code } })).toMatchObject({ kind });
  });

  it("Google's error with HTTP 200 is an error", () => {
    expect(judge(200, invalid('INVALID_EVENT'))).toMatchObject({ kind: 'rejected' });
    expect(judge(200, { error: { code: 503 } })).toMatchObject({ kind: 'unavailable' });
  });

  it('retries after six hours if the conversion action is too new', () => {
    expect(judge(400, invalid('CONVERSION_ACTION_TOO_RECENTLY_CREATED'))).toMatchObject({
      kind: 'unavailable',
      retryAfterMs: 21_600_000,
    });
  });

  it.each([
    [{ 'retry-after': '7' }, undefined, 7_000],
    [{}, '2.5s', 2_500],
    [{}, '-1s', undefined],
    [{}, 'soon', undefined],
  ])("uses Google's retry delay: %j, %s", (headers, retryDelay, retryAfterMs) => {
    const { error } = googleError(429, 'RESOURCE_EXHAUSTED');
    const details = [...error.details, { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }];
    const outcome = judge(429, { error: { ...error, details } }, headers);
    expect('retryAfterMs' in outcome ? outcome.retryAfterMs : undefined).toBe(retryAfterMs);
  });

  it.each([
    ['2026-11-28T12:00:00Z', 20],
    ['2026-11-28T07:59:30Z', 30 / 3_600],
    ['2026-07-01T07:00:00Z', 24],
  ])('waits from %s until midnight Pacific time if the quota of the day is used up', (now, hours) => {
    const { error } = googleError(429, 'RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED');
    const limitedBy = (quota_limit: string) =>
      judge(
        429,
        { error: { ...error, details: [{ reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_limit } }] } },
        {},
        'live',
        Date.parse(now),
      );
    expect(limitedBy('IngestionMutateRequestsPerDayPerProject')).toEqual({
      kind: 'postponed',
      reason: 'quota',
      retryAfterMs: hours * 3_600_000,
    });
    expect(limitedBy('IngestionMutateRequestsPerMinutePerProject')).toMatchObject({ kind: 'throttled' });
  });

  it('keeps why Google left out fields of events that it accepted, but nothing that Google quotes', () => {
    const fieldWarnings = [
      fieldWarning('INVALID_CLIENT_ID'),
      fieldWarning('CUSTOM_VARIABLE_NOT_ENABLED'),
      fieldWarning('INVALID_CLIENT_ID'),
      fieldWarning('ana@example.com'),
      null,
    ];
    const told =
      'Google left out fields of events in the request: INVALID_CLIENT_ID (2), CUSTOM_VARIABLE_NOT_ENABLED (1), UNSPECIFIED (2)';
    expect(judge(200, { requestId: 'r1', fieldWarnings })).toEqual({ kind: 'delivered', request: 'r1', warning: told });
    expect(judge(200, { fieldWarnings }, {}, 'test')).toEqual({ kind: 'delivered', warning: told });
    expect(judge(200, { requestId: 'r1', fieldWarnings: 'none' })).toEqual({ kind: 'delivered', request: 'r1' });
  });

  it('names the fields that Google left out at the events that it names, and nothing else that Google quotes', () => {
    const fieldWarnings = [
      at('events.events[1].user_data', 'WARNING_REASON_GENERIC'),
      at('events[1].cart_data.items[0].merchant_product_id', 'CART_DATA_ITEM_MERCHANT_PRODUCT_ID_MISSING'),
      at('events[0].ana@example.com', 'GENERIC'),
      at('events[7].user_data', 'GENERIC'),
    ];
    expect(judge(200, { requestId: 'r1', fieldWarnings }, {}, 'live', 0, 2)).toEqual({
      kind: 'delivered',
      request: 'r1',
      warnings: [
        {
          index: 1,
          warning:
            'Google left out fields of the event: user_data (GENERIC), cart_data.items[0].merchant_product_id (CART_DATA_ITEM_MERCHANT_PRODUCT_ID_MISSING)',
        },
        { index: 0, warning: 'Google left out fields of the event: GENERIC' },
      ],
      warning: 'Google left out fields of events in the request: user_data (GENERIC) (1)',
    });
  });

  it.each([
    [200, { requestId: 'r1' }, 'delivered'],
    [200, { requestId: 'r1', fieldWarnings: [{}] }, 'delivered'],
    [200, {}, 'unavailable'],
    [200, null, 'unavailable'],
    [200, '<html></html>', 'unavailable'],
    [400, '<html></html>', 'unavailable'],
    [403, '', 'unavailable'],
    [404, { requestId: 'r1' }, 'unavailable'],
  ])("Google's response to live events of HTTP %i, %j, is %s", (status, body, kind) => {
    expect(judge(status, body)).toMatchObject({ kind });
  });

  it.each([
    ['live', 'r1', { kind: 'delivered', request: 'r1' }],
    ['test', 'r1', { kind: 'delivered' }],
    ['live', '', { kind: 'delivered' }],
    ['live', 'r\u00001', { kind: 'delivered' }],
    ['live', 'r'.repeat(201), { kind: 'delivered' }],
  ] as const)('returns the request id of an accepted request: %s, %j', (mode, requestId, outcome) => {
    expect(judge(200, { requestId }, {}, mode)).toEqual(outcome);
  });

  it.each([
    [200, { requestId: 'r1' }, 'delivered'],
    [200, { fieldWarnings: [{}] }, 'delivered'],
    [200, {}, 'delivered'],
    [200, { message: 'hello' }, 'unavailable'],
    [200, null, 'unavailable'],
    [404, {}, 'unavailable'],
    [400, invalid('INVALID_EVENT'), 'rejected'],
  ])("Google's response to a test needs no request id: HTTP %i, %j, is %s", (status, body, kind) => {
    expect(judge(status, body, {}, 'test')).toMatchObject({ kind });
  });
});

const settings = { customerId: '1234567890', conversionActionId: '848898416' };
const account = (accountId: string) => ({ accountType: 'GOOGLE_ADS', accountId });
const click = { transactionId: '1', adIdentifiers: { gclid: 'a' } };
const person = { transactionId: '2', userData: { userIdentifiers: [] } };

describe('the body of events:ingest', () => {
  it('the body of events:ingest names the account, the login account and the conversion action', () => {
    expect(ingestBody({ ...settings, loginCustomerId: '9876543210' }, 'live', [click, person])).toEqual({
      destinations: [
        {
          reference: '848898416',
          operatingAccount: account('1234567890'),
          loginAccount: account('9876543210'),
          productDestinationId: '848898416',
        },
      ],
      encoding: 'HEX',
      events: [click, person],
    });
  });

  it('the body of events:ingest leaves out default values', () => {
    expect(ingestBody({ ...settings, loginCustomerId: '1234567890' }, 'live', [click])).toEqual({
      destinations: [
        { reference: '848898416', operatingAccount: account('1234567890'), productDestinationId: '848898416' },
      ],
      events: [click],
    });
  });
});

describe('the body for tests', () => {
  it('the body for tests requests validation only', () => {
    expect(ingestBody(settings, 'test', [click])).toHaveProperty('validateOnly', true);
  });
});

describe('events by their clicks alone', () => {
  it('reducing events to their clicks removes all personal data', () => {
    expect(byClickAlone([{ ...click, ...person, transactionId: '1' }])).toEqual([click]);
  });

  it('reducing events to their clicks is not possible if one of them has no click', () => {
    expect(byClickAlone([click, person])).toBeUndefined();
  });
});

const violation = (field: string, reason = 'INVALID_FORMAT', description = 'words') => ({ field, reason, description });

describe('the events that Google rejects', () => {
  it('returns each event that Google names once, with its first reason', () => {
    const violations = [
      violation('events.events[3].currency', 'INVALID_CURRENCY_CODE', 'The currency code is not supported.'),
      violation('events[0]', 'INVALID_EVENT', ''),
      violation('events.events[3].transactionId', 'REQUIRED_FIELD_MISSING'),
      violation('events.events[12].userData', '', 'Something is wrong.'),
      violation('events.events[7]', '', ''),
    ];
    expect(wrongEventsOf(violations, 13)).toEqual([
      { index: 3, reason: 'INVALID_CURRENCY_CODE: The currency code is not supported.' },
      { index: 0, reason: 'INVALID_EVENT' },
      { index: 12, reason: 'Something is wrong.' },
      { index: 7, reason: 'INVALID_ARGUMENT' },
    ]);
  });

  it.each([
    ['nothing', []],
    ['the whole list', [violation('events.events[0]'), violation('events')]],
    ['a destination', [violation('events.events[0]'), violation('destinations[0]')]],
    ['no field', [violation('')]],
    ['an event that was not sent', [violation('events.events[0]'), violation('events.events[13]')]],
    ['a place that is no number', [violation('events.events[-1]')]],
    ['a field of another name', [violation('other_events[1]')]],
  ])('returns no events if Google names %s', (_name, violations) => {
    expect(wrongEventsOf(violations, 13)).toBeUndefined();
  });
});

const status = (requestStatus: string, ...errorCounts: readonly unknown[]) => ({
  requestStatusPerDestination: [
    { requestStatus, errorInfo: { errorCounts }, eventsIngestionStatus: { recordCount: '40' } },
  ],
});
const error = (reason: string, recordCount?: string) => ({ reason: `PROCESSING_ERROR_REASON_${reason}`, recordCount });

describe("Google's request status and unsigned terms", () => {
  it.each(['FAILED', 'FAILURE'])(
    "Google's request status %s for unsigned terms alone rejects the connection",
    (requestStatus) => {
      const reason = 'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED';
      // a count of zero is left out
      for (const count of ['40', undefined]) {
        const finding = { meaning: 'refused', reason, events: 'all' };
        expect(requestStatusOf(status(requestStatus, error(reason, count)))).toMatchObject({ findings: [finding] });
      }
    },
  );

  it.each([
    ['PARTIAL_SUCCESS', []],
    ['FAILED', [error('CLICK_NOT_FOUND', '30')]],
  ])(
    "Google's request status %s for unsigned terms and other reasons counts the events of each",
    (requestStatus, others) => {
      const reason = 'SOME_TERMS_NOT_SIGNED';
      expect(requestStatusOf(status(requestStatus, error(reason, '10'), ...others))).toMatchObject({
        findings: [
          { meaning: 'refused', reason, events: 10 },
          ...others.map(() => ({ meaning: 'failed', events: 30 })),
        ],
      });
    },
  );
});
