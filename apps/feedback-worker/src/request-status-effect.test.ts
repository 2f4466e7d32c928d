import type { Finding } from '@leadback/platforms';
import { describe, expect, it } from 'vitest';
import { effectOfSilence, effectOfRequestStatus } from './request-status-effect.ts';

const effect = (events: number, ...findings: readonly Finding[]) =>
  effectOfRequestStatus({ kind: 'final', events, findings }, { platform: 'google', deliveries: 1 });
const failed = (reason: string, events: Finding['events']): Finding => ({ meaning: 'failed', reason, events });
const again = (reason: string, events: Finding['events'], pauseMs: number): Finding => ({
  meaning: 'again',
  reason,
  events,
  pauseMs,
});

describe('a last word', () => {
  it('without a finding changes nothing', () => {
    expect(effect(40)).toMatchObject({ state: 'delivered', note: null });
  });

  it.each([
    ['the only event', 1, failed('CLICK_NOT_FOUND', 1)],
    ['as many events as there were', 40, failed('CLICK_NOT_FOUND', 40)],
    ['every event', 40, failed('CLICK_NOT_FOUND', 'all')],
  ])('that holds for %s fails each of them, with its reason', (_name, events, finding) => {
    expect(effect(events, finding)).toEqual({
      state: 'failed',
      reason: 'CLICK_NOT_FOUND',
      pauseMs: null,
      isOfAll: true,
      refusal: null,
      note: null,
    });
  });

  it.each([
    ['the only event', 1, 1],
    ['as many events as there were', 40, 40],
    ['every event', 40, 'all'],
  ] as const)('that %s was too old skips each of them', (_name, events, counted) => {
    expect(effect(events, { meaning: 'too_old', reason: 'EVENT_TOO_OLD', events: counted })).toEqual({
      state: 'skipped',
      reason: 'event_too_old',
      pauseMs: null,
      isOfAll: true,
      refusal: null,
      note: null,
    });
  });

  it('that some of many were too old is a note', () => {
    expect(effect(40, { meaning: 'too_old', reason: 'EVENT_TOO_OLD', events: 2 })).toMatchObject({
      state: 'delivered',
      note: 'Google could not use 2 of the 40 events sent together: EVENT_TOO_OLD (2); it does not say which',
    });
  });

  it('does not fail events of which more are on record than the platform counts', () => {
    const verdict = { kind: 'final', events: 0, findings: [failed('CLICK_NOT_FOUND', 2)] } as const;
    expect(effectOfRequestStatus(verdict, { platform: 'google', deliveries: 3 })).toMatchObject({ state: 'delivered' });
  });

  it('about some of many is a note in plain words', () => {
    expect(effect(40, failed('CLICK_NOT_FOUND', 2))).toMatchObject({
      state: 'delivered',
      note: 'Google could not use 2 of the 40 events sent together: CLICK_NOT_FOUND (2); it does not say which',
    });
    expect(effect(40, failed('CLICK_NOT_FOUND', 2), failed('INVALID_GCLID', 39)).note).toBe(
      'Google could not use 40 of the 40 events sent together: CLICK_NOT_FOUND (2), INVALID_GCLID (39); it does not say which',
    );
    expect(effect(40, failed('PARTIAL_SUCCESS', 'some')).note).toBe(
      'Google could not use some of the 40 events sent together: PARTIAL_SUCCESS; it does not say which',
    );
  });

  it.each([
    ['warning', 1, 1, 'Google used it with a warning: X'],
    ['warning', 40, 40, 'Google used it with a warning: X'],
    ['warning', 40, 3, 'Google used 3 of the 40 events sent together with a warning: X (3); it does not say which'],
    ['settings', 1, 1, 'Google did not use it, for how the account is set up there: X'],
    [
      'refused',
      40,
      3,
      'Google did not use 3 of the 40 events sent together, for how the account is set up there: X (3); it does not say which',
    ],
  ] as const)('that is a %s (%i events, %i of them) becomes a note', (meaning, events, counted, note) => {
    expect(effect(events, { meaning, reason: 'X', events: counted })).toMatchObject({ state: 'delivered', note });
  });

  it.each([
    ['every event', 'all'],
    ['as many events as there were', 40],
  ] as const)('that refuses the connection for %s lets them wait for the operator', (_name, events) => {
    const terms = 'DESTINATION_ACCOUNT_ENHANCED_CONVERSIONS_TERMS_NOT_SIGNED';
    expect(effect(40, { meaning: 'refused', reason: terms, events })).toEqual({
      state: 'pending',
      reason: terms,
      pauseMs: null,
      isOfAll: true,
      refusal: expect.stringMatching(`^${terms}: Google has used no event`),
      note: null,
    });
  });

  it('fails events that could not be used whatever the connection is', () => {
    const findings = [failed('CLICK_NOT_FOUND', 40), { meaning: 'refused', reason: 'X', events: 40 }] as const;
    expect(effect(40, ...findings)).toMatchObject({ state: 'failed', refusal: null });
  });

  it('that asks for all of them again has them sent after the longest pause', () => {
    expect(effect(2, again('INTERNAL_ERROR', 2, 60), again('TOO_RECENT_CLICK', 2, 90))).toEqual({
      state: 'pending',
      reason: 'INTERNAL_ERROR, TOO_RECENT_CLICK',
      pauseMs: 90,
      isOfAll: true,
      refusal: null,
      note: null,
    });
  });

  it('that asks for some of many again has all of them sent, and tells what is wrong with others', () => {
    expect(effect(40, failed('CLICK_NOT_FOUND', 2), again('INTERNAL_ERROR', 1, 60))).toEqual({
      state: 'pending',
      reason: 'INTERNAL_ERROR',
      pauseMs: 60,
      isOfAll: false,
      refusal: null,
      note: 'Google could not use 3 of the 40 events sent together: CLICK_NOT_FOUND (2), INTERNAL_ERROR (1); it does not say which',
    });
  });

  it('that never came is told as well', () => {
    expect(effectOfSilence('google')).toMatchObject({
      state: 'delivered',
      note: 'Google has not said what became of it',
    });
  });
});
