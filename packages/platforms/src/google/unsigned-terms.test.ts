import { describe, expect, it } from 'vitest';
import { requestStatusOf } from './send.ts';

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
