import { matchKeySet } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { adviceOf, type QualityCount, type AdviceName, adviceTexts } from './quality.ts';

const count = (deliveries: number, more: Partial<QualityCount>): QualityCount => ({
  state: 'delivered',
  reason: '',
  keys: 0,
  deliveries,
  ...more,
});
const names = new Map(Object.entries(adviceTexts).map(([name, text]) => [text as string, name]));
const advice = (...[platform, counts]: Parameters<typeof adviceOf>) =>
  adviceOf(platform, counts).map(({ action, affects }) => [names.get(action), affects]);
const nothing = (platform: Parameters<typeof adviceOf>[0]) => advice(platform, [count(1, {})]);
const all = (platform: string, ...wanted: readonly AdviceName[]) =>
  [platform, wanted.map((name) => [name, 1])] as const;

describe('advice on the quality of conversions', () => {
  it('names first what would help most conversions', () => {
    const counts = [
      count(38, { keys: matchKeySet({ gclid: true, email: true, phone: true }) }),
      count(40, { keys: matchKeySet({ gclid: true, email: true }) }),
      count(22, { keys: matchKeySet({ gclid: true }) }),
    ];
    expect(advice('google', counts)).toEqual([
      ['phone', 0.62],
      ['email', 0.22],
    ]);
  });

  it('names nothing that a platform does not match by', () => {
    expect(['linkedin', nothing('linkedin')]).toEqual(all('linkedin', 'email'));
    expect(['microsoft', nothing('microsoft')]).toEqual(all('microsoft', 'email', 'phone'));
    expect(['meta', nothing('meta')]).toEqual(all('meta', 'email', 'phone', 'externalId', 'ipAndUserAgent', 'fbp'));
    expect(['tiktok', nothing('tiktok')]).toEqual(
      all('tiktok', 'email', 'phone', 'externalId', 'ipAndUserAgent', 'ttp'),
    );
  });

  it('asks for click ids only if a conversion had nothing to be matched by', () => {
    const skipped = count(1, { state: 'skipped', reason: 'no_match_keys', keys: null });
    expect(advice('google', [skipped, count(3, { keys: matchKeySet({ email: true, phone: true }) })])).toEqual([
      ['email', 0.25],
      ['phone', 0.25],
      ['click', 0.25],
    ]);
  });

  it('asks for no contact data beside a click id of many people', () => {
    expect(advice('google', [count(1, { keys: matchKeySet({ wbraid: true }) })])).toEqual([]);
  });

  it('takes no share of conversions that were closed before their keys were counted', () => {
    const before = [count(60, { keys: null }), count(20, { state: 'failed', reason: 'HTTP 400', keys: null })];
    const known = [count(15, { keys: matchKeySet({ email: true }) }), count(5, { keys: 0 })];
    expect(advice('linkedin', [...before, ...known])).toEqual([['email', 0.25]]);
    expect(advice('linkedin', before)).toEqual([]);
  });

  it('gives no advice for consent that a visitor has withdrawn', () => {
    expect(advice('meta', [count(2, { state: 'skipped', reason: 'consent_withdrawn', keys: null })])).toEqual([]);
  });

  it('says what keeps conversions from being sent, and nothing of their keys', () => {
    const skipped = { state: 'skipped', keys: null } as const;
    const counts = [count(3, { ...skipped, reason: 'consent' }), count(1, { ...skipped, reason: 'event_too_old' })];
    expect(advice('meta', counts)).toEqual([
      ['consent', 0.75],
      ['time', 0.25],
    ]);
    expect(advice('meta', [count(1, { state: 'failed', reason: 'crashed', keys: null })])).toEqual([]);
  });
});
