import type { Finding } from '@leadback/platforms';
import { describe, expect, it } from 'vitest';
import { effectOfMissingStatus, effectsOfRequestStatus } from './request-status.ts';

const effectsOf = (events: number, ...findings: readonly Finding[]) =>
  effectsOfRequestStatus({ kind: 'final', events, findings }, { title: 'Google', deliveries: 1 });
const effect = (events: number, ...findings: readonly Finding[]) => effectsOf(events, ...findings).others;
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
    expect(effectsOfRequestStatus(verdict, { title: 'Google', deliveries: 3 }).others).toMatchObject({
      state: 'delivered',
    });
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

  it('each event that the platform names has a verdict of its own, and all others are used', () => {
    const { others, named } = effectsOf(
      40,
      { meaning: 'failed', reason: 'CLICK_NOT_FOUND', events: 2, indices: [3, 17] },
      { meaning: 'too_old', reason: 'EVENT_TOO_OLD', events: 1, indices: [4] },
      { meaning: 'settings', reason: 'CUSTOM_VARIABLE_NOT_ENABLED', events: 1, indices: [5] },
      { meaning: 'again', reason: 'TOO_RECENT_CLICK', events: 2, indices: [3, 6], pauseMs: 60 },
      { meaning: 'warning', reason: 'INTERNAL_ERROR', events: 2, indices: [4, 7] },
      { meaning: 'refused', reason: 'SOME_TERMS_NOT_SIGNED', events: 1, indices: [8] },
    );
    expect(others).toMatchObject({ state: 'delivered', note: null, isConfirmed: true });
    const failed17 = { indices: [17], state: 'failed', reason: 'CLICK_NOT_FOUND', refusal: null };
    expect(named).toMatchObject([
      { indices: [3], state: 'failed', reason: 'CLICK_NOT_FOUND' },
      failed17,
      { indices: [4], state: 'skipped', reason: 'event_too_old' },
      { indices: [5], state: 'failed', reason: 'CUSTOM_VARIABLE_NOT_ENABLED' },
      { indices: [6], state: 'pending', reason: 'TOO_RECENT_CLICK', pauseMs: 60, isOfAll: true },
      { indices: [7], state: 'delivered', note: 'Google used it with a warning: INTERNAL_ERROR', isConfirmed: true },
      { indices: [8], state: 'failed', reason: 'SOME_TERMS_NOT_SIGNED', refusal: null },
    ]);
  });

  it('events with the same findings share an effect', () => {
    const { named } = effectsOf(2000, {
      meaning: 'failed',
      reason: 'CLICK_NOT_FOUND',
      events: 1500,
      indices: Array.from({ length: 1500 }, (_, index) => index),
    });
    expect(named).toHaveLength(1);
    expect(named[0]?.indices).toHaveLength(1500);
  });

  it('a finding that names no events beside one that does is a note of all others alone', () => {
    const { others, named } = effectsOf(40, failed('INVALID_GCLID', 2), {
      ...failed('CLICK_NOT_FOUND', 1),
      indices: [3],
    });
    expect(named).toMatchObject([{ indices: [3], state: 'failed', reason: 'CLICK_NOT_FOUND', note: null }]);
    expect(others).toMatchObject({ state: 'delivered', isConfirmed: false });
    expect(others.note).toContain('2 of the 40 events in the request: INVALID_GCLID (2)');
  });

  it('a finding about all events rejects the connection, even if the platform names each of them', () => {
    const terms: Finding = { meaning: 'refused', reason: 'SOME_TERMS_NOT_SIGNED', events: 2, indices: [0, 1] };
    const { others, named } = effectsOf(2, terms);
    expect(named).toEqual([]);
    expect(others).toMatchObject({ state: 'pending', refusal: expect.stringMatching('^SOME_TERMS_NOT_SIGNED') });
  });

  it('a request status that was never reported confirms nothing, and becomes a note', () => {
    expect(effectOfMissingStatus('Google')).toMatchObject({
      isConfirmed: false,
      state: 'delivered',
      note: 'Google has not reported the request status',
    });
  });
});
