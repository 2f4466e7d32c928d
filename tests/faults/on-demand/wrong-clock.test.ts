import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsAfter } from '../../support/facts.ts';
import { areDelivered } from '../../support/deliveries.ts';
import { givenStack, type TestStack } from '../../support/given-stack.ts';
import { givenLedger, type Ledger } from '../../support/ledger.ts';
import { wrongClock } from '../../support/wrong-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe('a worker with a wrong clock', () => {
  let stack: TestStack;
  let ledger: Ledger;
  beforeAll(async () => {
    stack = await givenStack();
    ledger = await givenLedger(stack);
    await stack.start('api');
  });
  afterEach(() => stack.kill('feedback-worker'));
  afterAll(() => stack[Symbol.asyncDispose]());

  /** The time of the latest line in the log of the worker, by its own clock. */
  const loggedTime = async () =>
    Date.parse((await stack.logOf('feedback-worker')).match(/(?<="time":")[^"]+/g)?.at(-1) ?? '');

  it.each<[string, readonly [number, ...number[]]]>([
    ['6 minutes behind', [-6 * minuteMs]],
    ['1 hour ahead', [hourMs]],
    ['jumping by hours each second', [hourMs, -hourMs, -6 * minuteMs, 3 * hourMs]],
    ['a week ahead', [7 * dayMs]],
    ['a week behind', [-7 * dayMs]],
  ])('delivers everything once, and ends no delivery because of its clock, if that is %s', async (_how, aheadMs) => {
    await stack.start('feedback-worker', { imports: [wrongClock(...aheadMs)] });
    // the clock is wrong indeed
    expect(Math.abs((await loggedTime()) - Date.now())).toBeGreaterThan(5 * minuteMs);
    const entries = [
      ...(await ledger.register(10)),
      // as old as Meta and Google accept, less half an hour
      ...(await ledger.register(4, undefined, new Date(Date.now() - 7 * dayMs + 1.5 * hourMs))),
    ];
    await areDelivered(stack.database, entries);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
    const { rows } = await stack.database.pool.query(`select reason from delivery where state <> 'delivered'`);
    expect(rows).toEqual([]);
  });
});
