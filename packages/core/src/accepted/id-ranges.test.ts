import { expect, it } from 'vitest';
import { idRanges } from '../accepted.ts';

it.each([
  { ids: [], ranges: '' },
  { ids: [7], ranges: '7' },
  { ids: [9, 7, 8, 12, 12, 3], ranges: '3, 7-9, 12' },
  { ids: [100, 99], ranges: '99-100' },
])('writes the ids $ids as "$ranges"', ({ ids, ranges }) => {
  expect(idRanges(ids)).toBe(ranges);
});
