import { expect, it } from 'vitest';
import { acceptedLog, idRanges } from './accepted.ts';

it.each([
  { ids: [], ranges: '' },
  { ids: [7], ranges: '7' },
  { ids: [9, 7, 8, 12, 12, 3], ranges: '3, 7-9, 12' },
  { ids: [100, 99], ranges: '99-100' },
])('writes the ids $ids as "$ranges"', ({ ids, ranges }) => {
  expect(idRanges(ids)).toBe(ranges);
});

it('remembers only the newest', () => {
  const accepted = acceptedLog(3);
  for (let id = 1; id <= 5; id += 1) accepted.note('conversion', { accountId: 1 }, id);
  expect(
    accepted
      .all()
      .map(({ id }) => id)
      .toSorted((a, b) => a - b),
  ).toEqual([3, 4, 5]);
});
