import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { accountRooms } from './lanes.ts';

it('lets an account make so many requests at a time, the others in their order, and no account wait for another', async () => {
  const rooms = accountRooms();
  const entered: string[] = [];
  const enter = async (accountId: number, name: string) => {
    const leave = await rooms.enter(accountId, 2);
    entered.push(name);
    return leave;
  };
  const first = await enter(1, 'first');
  await enter(1, 'second');
  const third = enter(1, 'third');
  const fourth = enter(1, 'fourth');
  await enter(2, 'of another account');
  await setImmediate();
  expect(entered).toEqual(['first', 'second', 'of another account']);
  first();
  first(); // a request ends once
  await third;
  await setImmediate();
  expect(entered).toEqual(['first', 'second', 'of another account', 'third']);
  (await third)();
  await fourth;
  expect(entered.at(-1)).toBe('fourth');
});
