import { describe, expect, it } from 'vitest';
import { requestStatusOf } from './request-status.ts';

const status = (requestStatus: string, ...errorCounts: readonly unknown[]) => ({
  requestStatusPerDestination: [
    { requestStatus, errorInfo: { errorCounts }, eventsIngestionStatus: { recordCount: '40' } },
  ],
});
const error = (reason: string, recordCount?: string) => ({ reason: `PROCESSING_ERROR_REASON_${reason}`, recordCount });

describe('the status of a request', () => {
  it.each(['FAILED', 'FAILURE'])('%s for unsigned terms alone is about the connection', (requestStatus) => {
    const reason = 'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED';
    // a count of zero is left out
    for (const count of ['40', undefined]) {
      const finding = { meaning: 'refused', reason, events: 'all' };
      expect(requestStatusOf(status(requestStatus, error(reason, count)))).toMatchObject({ findings: [finding] });
    }
  });

  it.each([
    ['PARTIAL_SUCCESS', []],
    ['FAILED', [error('CLICK_NOT_FOUND', '30')]],
  ])('%s for unsigned terms counts the events that they concern, beside others', (requestStatus, others) => {
    const reason = 'SOME_TERMS_NOT_SIGNED';
    expect(requestStatusOf(status(requestStatus, error(reason, '10'), ...others))).toMatchObject({
      findings: [{ meaning: 'refused', reason, events: 10 }, ...others.map(() => ({ meaning: 'failed', events: 30 }))],
    });
  });
});
