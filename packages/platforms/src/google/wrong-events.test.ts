import { describe, expect, it } from 'vitest';
import { wrongEventsOf } from './codes.ts';

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
