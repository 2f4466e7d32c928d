import { describe, expect, it } from 'vitest';
import { requestStatusOf } from './send.ts';

type Count = readonly [reason: string, recordCount?: unknown];

const hours = 3_600_000;
const countsOf = (counts: readonly Count[]) => counts.map(([reason, recordCount]) => ({ reason, recordCount }));
const error = (reason: string, recordCount: unknown = '1'): Count => [`PROCESSING_ERROR_REASON_${reason}`, recordCount];

const status = (requestStatus: string, errors: readonly Count[] = [], warnings: readonly Count[] = []) => ({
  requestStatusPerDestination: [
    {
      destination: { productDestinationId: '1' },
      requestStatus,
      ...(errors.length > 0 && { errorInfo: { errorCounts: countsOf(errors) } }),
      ...(warnings.length > 0 && { warningInfo: { warningCounts: countsOf(warnings) } }),
      eventsIngestionStatus: { recordCount: '40' },
    },
  ],
});
const final = (...findings: readonly unknown[]) => ({ kind: 'final', events: 40, findings });

const named = (requestStatus: string, ...errors: readonly (readonly [string, unknown, unknown])[]) => ({
  requestStatusPerDestination: [
    {
      requestStatus,
      errorInfo: {
        errorCounts: errors.map(([reason, recordCount, recordIndices]) => ({
          reason: `PROCESSING_ERROR_REASON_${reason}`,
          recordCount,
          recordIndices,
        })),
      },
      warningInfo: {
        warningCounts: [{ reason: 'PROCESSING_WARNING_REASON_INTERNAL_ERROR', recordCount: '1', recordIndices: [5] }],
      },
      eventsIngestionStatus: { recordCount: '40' },
    },
  ],
});

describe("Google's request status", () => {
  it("Google's request status SUCCESS has no findings", () => {
    expect(requestStatusOf(status('SUCCESS'))).toEqual(final());
  });

  it.each(['PROCESSING', 'REQUEST_STATUS_UNKNOWN', 'SOMETHING_NEW'])(
    "Google's request status %s is not final",
    (requestStatus) => {
      expect(requestStatusOf(status(requestStatus, [error('INVALID_GCLID')]))).toEqual({ kind: 'processing' });
    },
  );

  it("Google's request status is not final while one destination is processing", () => {
    const done = status('SUCCESS').requestStatusPerDestination;
    const both = { requestStatusPerDestination: [...done, { requestStatus: 'PROCESSING' }] };
    expect(requestStatusOf(both)).toEqual({ kind: 'processing' });
  });

  it.each([
    'INVALID_GCLID',
    'INVALID_GBRAID',
    'INVALID_WBRAID',
    'CLICK_NOT_FOUND',
    'INVALID_CLICK',
    'CONVERSION_PRECEDES_CLICK',
    'DENIED_CONSENT',
    'UNKNOWN_CONSENT',
    'INVALID_EVENT',
    'INVALID_OPERATING_ACCOUNT_FOR_CLICK',
    'SOMETHING_NEW',
  ])("Google's request status counts failed events for %s", (reason) => {
    const finding = { meaning: 'failed', reason, events: 3 };
    expect(requestStatusOf(status('PARTIAL_SUCCESS', [error(reason, '3')]))).toEqual(final(finding));
  });

  it("Google's request status counts events that are too old for EVENT_TOO_OLD", () => {
    const errors = [error('EVENT_TOO_OLD', '3')];
    expect(requestStatusOf(status('PARTIAL_SUCCESS', errors))).toMatchObject(final({ meaning: 'too_old', events: 3 }));
    expect(requestStatusOf(status('FAILED', errors))).toMatchObject(final({ meaning: 'too_old', events: 'all' }));
  });

  it("recognizes the one reason of Google's that has another prefix", () => {
    const reason = 'PROCESSING_ERROR_OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER';
    expect(requestStatusOf(status('PARTIAL_SUCCESS', [[reason, '1']]))).toEqual(
      final({ meaning: 'failed', reason: 'OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER', events: 1 }),
    );
  });

  it.each(['DUPLICATE_TRANSACTION_ID', 'DUPLICATE_GCLID'])(
    'ignores %s, because Google has the event already',
    (reason) => {
      expect(requestStatusOf(status('FAILED', [error(reason, '40')]))).toEqual(final());
    },
  );

  it.each([
    ['INTERNAL_ERROR', 0.5 * hours],
    ['TOO_RECENT_CLICK', 6 * hours],
    ['TOO_RECENT_EVENT', 6 * hours],
  ])("Google's reason %s is retried", (reason, pauseMs) => {
    const finding = { meaning: 'again', reason, events: 40, pauseMs };
    expect(requestStatusOf(status('FAILED', [error(reason, '40')]))).toEqual(final(finding));
  });

  it.each([
    'ONE_PER_CLICK_CONVERSION_ACTION_NOT_PERMITTED_WITH_BRAID',
    'EXTERNAL_ATTRIBUTION_DATA_MISSING',
    'CUSTOM_VARIABLE_NOT_ENABLED',
  ])("Google's reason %s concerns the account settings", (reason) => {
    const finding = { meaning: 'settings', reason, events: 40 };
    expect(requestStatusOf(status('FAILED', [error(reason, '40')]))).toEqual(final(finding));
  });

  it("the advertiser's missing consent rejects the connection, because visitors are not the cause", () => {
    const errors = [error('NO_CONSENT', '40')];
    expect(requestStatusOf(status('FAILED', errors))).toEqual(
      final({ meaning: 'refused', reason: 'NO_CONSENT', events: 'all' }),
    );
  });

  it("Google's request status includes warnings", () => {
    const warnings: Count[] = [['PROCESSING_WARNING_REASON_INTERNAL_ERROR', '2']];
    expect(requestStatusOf(status('SUCCESS', [], warnings))).toEqual(
      final({ meaning: 'warning', reason: 'INTERNAL_ERROR', events: 2 }),
    );
  });

  it.each(['FAILED', 'FAILURE'])(
    "Google's request status %s means that all events failed, however the reasons are counted",
    (requestStatus) => {
      const errors = [error('CLICK_NOT_FOUND', '30'), error('INVALID_GCLID', '10')];
      expect(requestStatusOf(status(requestStatus, errors))).toEqual(
        final({ meaning: 'failed', reason: 'CLICK_NOT_FOUND, INVALID_GCLID', events: 'all' }),
      );
      expect(requestStatusOf(status(requestStatus, [...errors, error('EVENT_TOO_OLD', '5')]))).toEqual(
        final({ meaning: 'failed', reason: 'CLICK_NOT_FOUND, INVALID_GCLID, EVENT_TOO_OLD', events: 'all' }),
      );
      expect(requestStatusOf(status(requestStatus))).toEqual(
        final({ meaning: 'failed', reason: 'FAILED', events: 'all' }),
      );
    },
  );

  it("Google's request status FAILED with several reasons keeps the temporary ones", () => {
    const errors = [error('CLICK_NOT_FOUND', '30'), error('INTERNAL_ERROR', '10')];
    expect(requestStatusOf(status('FAILED', errors))).toMatchObject(
      final({ meaning: 'failed', events: 30 }, { meaning: 'again', events: 10 }),
    );
  });

  it("Google's partial success without reasons means that some events failed", () => {
    expect(requestStatusOf(status('PARTIAL_SUCCESS'))).toEqual(
      final({ meaning: 'failed', reason: 'PARTIAL_SUCCESS', events: 'some' }),
    );
  });

  it.each([
    [7, 7],
    [undefined, 0],
    ['-1', 0],
    ['9'.repeat(30), 0],
    [{}, 0],
  ])('reads %j as a count of %i', (recordCount, events) => {
    const errors: Count[] = [['PROCESSING_ERROR_REASON_INVALID_GCLID', recordCount]];
    expect(requestStatusOf(status('PARTIAL_SUCCESS', errors))).toMatchObject(final({ events }));
  });

  describe('the events that a request status names (`record_indices`, version 1.9)', () => {
    const warning = { meaning: 'warning', reason: 'INTERNAL_ERROR', events: 1, indices: [5] };

    it('a finding has the positions of its events, as numbers or as text, each once', () => {
      for (const indices of [
        [3, 17],
        ['3', '17'],
        [3, 17, 3],
      ])
        expect(requestStatusOf(named('PARTIAL_SUCCESS', ['CLICK_NOT_FOUND', '2', indices]))).toEqual(
          final({ meaning: 'failed', reason: 'CLICK_NOT_FOUND', events: 2, indices: [3, 17] }, warning),
        );
    });

    it.each([
      ['does not name all of them', '3', [3, 17]],
      ['names one outside of the request', '2', [3, 40]],
      ['names something else', '2', ['x', {}]],
      ['names none', '2', []],
    ])('a finding has no positions if it %s', (_case, recordCount, indices) => {
      expect(requestStatusOf(named('PARTIAL_SUCCESS', ['CLICK_NOT_FOUND', recordCount, indices]))).toEqual(
        final({ meaning: 'failed', reason: 'CLICK_NOT_FOUND', events: Number(recordCount) }, warning),
      );
    });

    it('if all events failed and all are named, each has its own reason', () => {
      const some = Array.from({ length: 39 }, (_, index) => index);
      const errors = [
        ['CLICK_NOT_FOUND', '39', some],
        ['INVALID_GCLID', '1', [39]],
      ] as const;
      expect(requestStatusOf(named('FAILED', ...errors))).toMatchObject(
        final({ reason: 'CLICK_NOT_FOUND', events: 39 }, { reason: 'INVALID_GCLID', indices: [39] }, warning),
      );
      const rest = { meaning: 'failed', reason: 'CLICK_NOT_FOUND', events: 'all' };
      expect(requestStatusOf(named('FAILED', errors[0]))).toMatchObject(
        final({ reason: 'CLICK_NOT_FOUND', events: 39 }, rest, warning),
      );
    });
  });

  it("keeps no text of Google's but the names of reasons", () => {
    const errors: Count[] = [['ana@example.com', '1']];
    expect(requestStatusOf(status('PARTIAL_SUCCESS', errors))).toMatchObject(final({ reason: 'UNSPECIFIED' }));
  });

  it.each([
    null,
    {},
    [],
    { requestStatusPerDestination: [] },
    { requestStatusPerDestination: [null] },
    { requestId: 'r' },
  ])('does not read a request status from %j', (json) => {
    expect(requestStatusOf(json)).toBeUndefined();
  });
});
