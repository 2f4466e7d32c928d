import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clickAt, destination, googleEvent, googleRequest } from './given-events.ts';
import { nowMs, serveSandbox } from './serve-sandbox.ts';

const acceptedSchema = z.object({ requestId: z.string() });

const serveGoogle = async () => {
  const sandbox = await serveSandbox(() => nowMs);
  /** Sends events and returns their request status. */
  const statusOf = async (events: number, changes = {}) => {
    const all = Array.from({ length: events }, () => googleEvent());
    const sent = googleRequest(all, changes);
    const { requestId } = acceptedSchema.parse((await sandbox.google(sent)).body);
    return sandbox.googleStatus(requestId);
  };
  return { ...sandbox, statusOf };
};
const saying = (status: Readonly<Record<string, unknown>>) => ({
  status: 200,
  body: { requestStatusPerDestination: [{ destination: destination(), ...status }] },
});
const notFound = { status: 404, body: { error: { code: 404, status: 'NOT_FOUND' } } };

describe("Google's request status", () => {
  it("Google's request status is SUCCESS, with the number of events", async () => {
    await using sandbox = await serveGoogle();
    const { status, body } = await sandbox.statusOf(40);
    expect({ status, body }).toEqual(
      saying({ requestStatus: 'SUCCESS', eventsIngestionStatus: { recordCount: '40' } }),
    );
  });

  it("Google's request status is the configured one for requests accepted from then on", async () => {
    await using sandbox = await serveGoogle();
    await sandbox.behave({
      platform: 'google',
      answer: 'ok',
      processing: {
        status: 'PARTIAL_SUCCESS',
        errors: [
          { reason: 'CLICK_NOT_FOUND', recordCount: 2 },
          { reason: 'PROCESSING_ERROR_OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER', recordCount: 1 },
        ],
        warnings: [{ reason: 'INTERNAL_ERROR', recordCount: 3 }],
      },
    });
    expect(await sandbox.statusOf(5)).toMatchObject(
      saying({
        requestStatus: 'PARTIAL_SUCCESS',
        errorInfo: {
          errorCounts: [
            { recordCount: '2', reason: 'PROCESSING_ERROR_REASON_CLICK_NOT_FOUND' },
            { recordCount: '1', reason: 'PROCESSING_ERROR_OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER' },
          ],
        },
        warningInfo: { warningCounts: [{ recordCount: '3', reason: 'PROCESSING_WARNING_REASON_INTERNAL_ERROR' }] },
        eventsIngestionStatus: { recordCount: '5' },
      }),
    );
    const errors = [{ reason: 'CLICK_NOT_FOUND', recordIndices: [3, 17] }];
    await sandbox.behave({ platform: 'google', answer: 'ok', processing: { status: 'PARTIAL_SUCCESS', errors } });
    const [reason, recordIndices] = ['PROCESSING_ERROR_REASON_CLICK_NOT_FOUND', [3, 17]];
    expect(await sandbox.statusOf(40)).toMatchObject(
      saying({ errorInfo: { errorCounts: [{ recordCount: '2', reason, recordIndices }] } }),
    );
    await sandbox.behave({ platform: 'google', answer: 'ok' });
    expect(await sandbox.statusOf(1)).toMatchObject(saying({ requestStatus: 'SUCCESS' }));
  });

  it("Google's request status counts events that are too old, which Google accepts at first", async () => {
    await using sandbox = await serveGoogle();
    const old = googleEvent({ eventTimestamp: '2026-08-23T11:59:59Z' });
    const errorCounts = [{ recordCount: '1', reason: 'PROCESSING_ERROR_REASON_EVENT_TOO_OLD', recordIndices: [0] }];
    expect(await sandbox.statusOf(1, { events: [old, googleEvent()] })).toMatchObject(
      saying({ requestStatus: 'PARTIAL_SUCCESS', errorInfo: { errorCounts } }),
    );
    expect(await sandbox.statusOf(1, { events: [old] })).toMatchObject(
      saying({ requestStatus: 'FAILED', errorInfo: { errorCounts } }),
    );
  });

  it("Google's request status counts events with denied consent, which Google accepts at first", async () => {
    await using sandbox = await serveGoogle();
    const denied = googleEvent({ consent: { adUserData: 'CONSENT_DENIED' } });
    const unpersonalised = googleEvent({ consent: { adPersonalization: 'CONSENT_DENIED' } });
    const errorCounts = [{ recordCount: '1', reason: 'PROCESSING_ERROR_REASON_DENIED_CONSENT' }];
    expect(await sandbox.statusOf(1, { events: [denied] })).toMatchObject(
      saying({ requestStatus: 'FAILED', errorInfo: { errorCounts } }),
    );
    expect(await sandbox.statusOf(1, { events: [denied, unpersonalised] })).toMatchObject(
      saying({ requestStatus: 'PARTIAL_SUCCESS', errorInfo: { errorCounts } }),
    );
    expect(await sandbox.statusOf(1, { events: [unpersonalised] })).toMatchObject(saying({ requestStatus: 'SUCCESS' }));
    expect(await sandbox.statusOf(1, { consent: { adUserData: 'CONSENT_DENIED' } })).toMatchObject(
      saying({ requestStatus: 'FAILED', errorInfo: { errorCounts } }),
    );
  });

  it.each([
    ['an unfilled template', { gclid: '{gclid}' }, 'INVALID_GCLID'],
    ['an unfilled template of a braid', { gbraid: '%%GBRAID%%' }, 'INVALID_GBRAID'],
    ['blanks', { wbraid: 'Cl kK' }, 'INVALID_WBRAID'],
    ['a placeholder of TikTok', { gclid: '__CLICKID__' }, 'INVALID_GCLID'],
    ['a word for nothing', { gclid: 'undefined' }, 'INVALID_GCLID'],
    ['a whole cookie', { gclid: 'GCL.1693312345.EAIaIQobChMI1234' }, 'INVALID_GCLID'],
    ['a click of a second later', { gclid: clickAt(nowMs + 1000) }, 'CONVERSION_PRECEDES_CLICK'],
  ])(
    "Google's request status counts events with %s, which Google accepts at first",
    async (_name, adIdentifiers, reason) => {
      await using sandbox = await serveGoogle();
      const unusable = googleEvent({ eventTimestamp: new Date(nowMs).toISOString(), adIdentifiers });
      expect(await sandbox.statusOf(1, { events: [unusable] })).toMatchObject(
        saying({
          requestStatus: 'FAILED',
          errorInfo: { errorCounts: [{ recordCount: '1', reason: `PROCESSING_ERROR_REASON_${reason}` }] },
        }),
      );
      expect(await sandbox.google(googleRequest([unusable], { validateOnly: true }))).toMatchObject({ status: 200 });
    },
  );

  it("Google's request status is SUCCESS for a click of the same time, and for click ids with dots and equals signs", async () => {
    await using sandbox = await serveGoogle();
    const events = [clickAt(nowMs), 'Cj0K.a-b_c', '0AAAAA=='].map((gclid) =>
      googleEvent({ eventTimestamp: new Date(nowMs).toISOString(), adIdentifiers: { gclid } }),
    );
    expect(await sandbox.statusOf(1, { events })).toMatchObject(saying({ requestStatus: 'SUCCESS' }));
  });

  it("Google's request status is unknown for requests that were never sent or only validated", async () => {
    await using sandbox = await serveGoogle();
    expect(await sandbox.googleStatus('never-was')).toMatchObject(notFound);
    expect(await sandbox.statusOf(1, { validateOnly: true })).toMatchObject(notFound);
  });

  it("Google's request status requires a request id and an access token", async () => {
    await using sandbox = await serveGoogle();
    expect(await sandbox.googleStatus('')).toMatchObject({ status: 400, body: { error: { code: 400 } } });
    expect(await sandbox.googleStatus('r1', 'ya29.revoked')).toMatchObject({ status: 401 });
  });

  it("requests for Google's request status count towards the quota", async () => {
    await using sandbox = await serveGoogle();
    await Promise.all(Array.from({ length: 299 }, () => sandbox.googleStatus('r1')));
    expect(await sandbox.google(googleRequest([googleEvent()]))).toMatchObject({ status: 200 });
    expect(await sandbox.googleStatus('r1')).toMatchObject({ status: 429 });
  });
});
