import { expect, it } from 'vitest';
import { acceptedLog } from './accepted.ts';

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
