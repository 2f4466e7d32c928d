import type { Finding } from '@leadback/platforms';
import { describe, expect, it } from 'vitest';
import { effectOfMissingStatus, effectOfRequestStatus } from './request-status.ts';

const effect = (events: number, ...findings: readonly Finding[]) =>
  effectOfRequestStatus({ kind: 'final', events, findings }, { title: 'Google', deliveries: 1 });
const failed = (reason: string, events: Finding['events']): Finding => ({ meaning: 'failed', reason, events });
const again = (reason: string, events: Finding['events'], pauseMs: number): Finding => ({
  meaning: 'again',
  reason,
  events,
  pauseMs,
});

describe('the effect of a final request status', () => {
  it('a final request status without findings changes nothing', () => {
    expect(effect(40)).toMatchObject({ state: 'delivered', note: null, isConfirmed: true });
  });

  it.each([
    ['the only event', 1, failed('CLICK_NOT_FOUND', 1)],
    ['as many events as there were', 40, failed('CLICK_NOT_FOUND', 40)],
    ['every event', 40, failed('CLICK_NOT_FOUND', 'all')],
  ])('a finding about %s fails each delivery, with its reason', (_name, events, finding) => {
    expect(effect(events, finding)).toEqual({
      state: 'failed',
      reason: 'CLICK_NOT_FOUND',
      pauseMs: null,
      isOfAll: true,
      refusal: null,
      note: null,
      isConfirmed: false,
    });
  });

  it.each([
    ['the only event', 1, 1],
    ['as many events as there were', 40, 40],
    ['every event', 40, 'all'],
  ] as const)('a finding that %s was too old skips each delivery', (_name, events, counted) => {
    expect(effect(events, { meaning: 'too_old', reason: 'EVENT_TOO_OLD', events: counted })).toEqual({
      state: 'skipped',
      reason: 'event_too_old',
      pauseMs: null,
      isOfAll: true,
      refusal: null,
      note: null,
      isConfirmed: false,
    });
  });

  it('a finding that some of many events were too old becomes a note', () => {
    expect(effect(40, { meaning: 'too_old', reason: 'EVENT_TOO_OLD', events: 2 })).toMatchObject({
      state: 'delivered',
      note: 'Google could not use 2 of the 40 events in the request: EVENT_TOO_OLD (2); Google does not report which ones',
    });
  });

  it('does not fail deliveries if there are more of them than the platform counts', () => {
    const verdict = { kind: 'final', events: 0, findings: [failed('CLICK_NOT_FOUND', 2)] } as const;
    expect(effectOfRequestStatus(verdict, { title: 'Google', deliveries: 3 })).toMatchObject({ state: 'delivered' });
  });

  it('a finding about some of many events becomes a note', () => {
    expect(effect(40, failed('CLICK_NOT_FOUND', 2))).toMatchObject({
      state: 'delivered',
      note: 'Google could not use 2 of the 40 events in the request: CLICK_NOT_FOUND (2); Google does not report which ones',
    });
    expect(effect(40, failed('CLICK_NOT_FOUND', 2), failed('INVALID_GCLID', 39)).note).toBe(
      'Google could not use 40 of the 40 events in the request: CLICK_NOT_FOUND (2), INVALID_GCLID (39); Google does not report which ones',
    );
    expect(effect(40, failed('PARTIAL_SUCCESS', 'some')).note).toBe(
      'Google could not use some of the 40 events in the request: PARTIAL_SUCCESS; Google does not report which ones',
    );
  });

  it.each([
    ['warning', 1, 1, 'Google used it with a warning: X'],
    ['warning', 40, 40, 'Google used it with a warning: X'],
    [
      'warning',
      40,
      3,
      'Google used 3 of the 40 events in the request with a warning: X (3); Google does not report which ones',
    ],
    ['settings', 1, 1, 'Google did not use it because of the account settings there: X'],
    [
      'refused',
      40,
      3,
      'Google did not use 3 of the 40 events in the request because of the account settings there: X (3); Google does not report which ones',
    ],
  ] as const)('a finding of kind %s (%i events, %i of them) becomes a note', (meaning, events, counted, note) => {
    expect(effect(events, { meaning, reason: 'X', events: counted })).toMatchObject({
      state: 'delivered',
      note,
      isConfirmed: meaning === 'warning',
    });
  });

  it.each([
    ['every event', 'all'],
    ['as many events as there were', 40],
  ] as const)(
    'a finding that rejects the connection for %s holds the deliveries until the operator acts',
    (_name, events) => {
      const terms = 'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED';
      expect(effect(40, { meaning: 'refused', reason: terms, events })).toEqual({
        state: 'pending',
        reason: terms,
        pauseMs: null,
        isOfAll: true,
        refusal: expect.stringMatching(`^${terms}: Google accepted a request but used none of its events`),
        note: null,
        isConfirmed: false,
      });
    },
  );

  it('fails unusable events even if the connection is rejected as well', () => {
    const findings = [failed('CLICK_NOT_FOUND', 40), { meaning: 'refused', reason: 'X', events: 40 }] as const;
    expect(effect(40, ...findings)).toMatchObject({ state: 'failed', refusal: null });
  });

  it('a finding to retry every event schedules all of them after the longest pause', () => {
    expect(effect(2, again('INTERNAL_ERROR', 2, 60), again('TOO_RECENT_CLICK', 2, 90))).toEqual({
      state: 'pending',
      reason: 'INTERNAL_ERROR, TOO_RECENT_CLICK',
      pauseMs: 90,
      isOfAll: true,
      refusal: null,
      note: null,
      isConfirmed: false,
    });
  });

  it('a finding to retry some of many events schedules all of them and notes the other findings', () => {
    expect(effect(40, failed('CLICK_NOT_FOUND', 2), again('INTERNAL_ERROR', 1, 60))).toEqual({
      state: 'pending',
      reason: 'INTERNAL_ERROR',
      pauseMs: 60,
      isOfAll: false,
      refusal: null,
      note: 'Google could not use 3 of the 40 events in the request: CLICK_NOT_FOUND (2), INTERNAL_ERROR (1); Google does not report which ones',
      isConfirmed: false,
    });
  });

  it('a request status that was never reported confirms nothing, and becomes a note', () => {
    expect(effectOfMissingStatus('Google')).toMatchObject({
      isConfirmed: false,
      state: 'delivered',
      note: 'Google has not reported the request status',
    });
  });
});
