import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ConversionAdjustment, Delivery, DeliveryAttempt } from '@leadback/db';
import { unique, eventually, testMaxMs } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { metricDifferences } from '../../../packages/core/test/metric-differences.ts';
import { parcelViolations } from '../../../packages/core/test/parcels.ts';
import { areDelivered, expireClaimsOfKilled, expireLeases, retriesComeDue } from '../../support/deliveries.ts';
import { failpoint, wire } from '../../support/failpoint.ts';
import { givenStack, type TestStack } from '../../support/given-stack.ts';
import { type Entry, givenLedger, type Ledger } from '../../support/ledger.ts';
import { firstOf } from '../../support/long-run.ts';
import { eventId } from '../../support/sandbox.ts';

/** One adjustment that a partner requested until it was done. */
export interface AdjustmentEntry {
  readonly conversionId: number;
  readonly reference: string;
  /** Undefined: it retracts the conversion. */
  readonly amount: number | undefined;
  readonly statuses: number[];
  /** Whether it is registered, as far as the partner knows. */
  isDone: boolean;
}

const bodySchema = z.object({ message: z.string() });

/** Requests adjustments of conversions until it is stopped, like partners that retry each until they know that it is done. */
export const adjustUnderLoad = (conversions: readonly Entry[], callersMax = 3) => {
  const entries: AdjustmentEntry[] = [];
  const enough = new AbortController();

  const ask = async ({ partner }: Entry, entry: AdjustmentEntry): Promise<void> => {
    const { conversionId, reference: adjustmentExternalReference, amount } = entry;
    const body = {
      conversionId,
      adjustmentExternalReference,
      kind: amount === undefined ? 'retract' : 'restate',
      amount,
    };
    while (!entry.isDone) {
      const reply = await partner
        .post('/client/conversion/adjustment', body, { timeoutMs: 5_000 })
        .catch(() => undefined);
      if (reply === undefined || reply.status >= 500) {
        if (enough.signal.aborted && entry.statuses.length > 200) throw new Error('the api is not up again');
        await pause(50);
        continue;
      }
      entry.statuses.push(reply.status);
      const { message = '' } = bodySchema.partial().parse(reply.body);
      // a conversion that is retracted takes no more
      if (reply.status === 400 && message.startsWith('conversionId: ')) return;
      entry.isDone = reply.status === 201 || message.startsWith('adjustmentExternalReference: ');
      if (!entry.isDone) throw new Error(`${reply.status}: ${message}`);
    }
  };
  const callers = Array.from({ length: callersMax }, async () => {
    while (!enough.signal.aborted) {
      const conversion = conversions[randomInt(conversions.length)];
      const [conversionId] = conversion?.ids ?? [];
      if (conversion === undefined || conversionId === undefined) throw new Error('there is nothing to adjust');
      const amount = randomInt(20) === 0 ? undefined : randomInt(2_000) / 100;
      const entry: AdjustmentEntry = { conversionId, reference: unique('note'), amount, statuses: [], isDone: false };
      entries.push(entry);
      await ask(conversion, entry);
      await pause(100);
    }
  });
  return {
    /** Returns all that were requested; those in progress are finished first. */
    async stop(): Promise<readonly AdjustmentEntry[]> {
      enough.abort();
      await Promise.all(callers);
      return entries;
    },
  };
};

// long run: `ADJUSTMENT_KILLS=50 pnpm exec vitest run tests/faults/on-demand/adjustments-killed.test.ts`
const killsCount = Number(process.env['ADJUSTMENT_KILLS'] ?? 4);
const soldCents = 1_000;
const cents = (amount: string | number) => Math.round(Number(amount) * 100);

describe('adjustments and crashes of api and worker', () => {
  let stack: TestStack;
  let ledger: Ledger;

  beforeAll(async () => {
    stack = await givenStack();
    ledger = await givenLedger(stack);
    await stack.database.pool.query(
      `update platform_connection set settings = settings || '{"refundEvent": "Refund"}' where platform = 'meta'`,
    );
    await Promise.all([stack.start('api'), stack.start('feedback-worker')]);
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  /** Google says that it used every event, as the worker keeps it. */
  const confirm = () =>
    stack.database.pool.query(
      `with closed as (
         update platform_request set check_at = null, verdict = '{"kind": "final", "events": 0, "findings": []}'
         where check_at is not null returning connection_id, name
       )
       update delivery d set is_confirmed = true
       from closed c join delivery_attempt a on a.platform_request = c.name
       where a.delivery_id = d.id and d.connection_id = c.connection_id and d.state = 'delivered'`,
    );
  /** Conversions that their platforms have, and that Google has confirmed. */
  const givenSold = async (count: number): Promise<readonly Entry[]> => {
    const sold = await ledger.register(count);
    await areDelivered(stack.database, sold);
    await confirm();
    return sold;
  };

  /** Waits until everything is delivered: pauses end at once, and so do the leases of workers that were killed. */
  const everythingSettles = () =>
    eventually(
      async () => {
        await confirm();
        await retriesComeDue(stack.database);
        expect(await stack.database.em().count(Delivery, { state: 'pending' })).toBe(0);
      },
      { timeout: 150_000, interval: 200 },
    );

  const adjustmentsOf = async (conversion: number) =>
    stack.database.em().find(ConversionAdjustment, { conversion }, { orderBy: { id: 'asc' } });

  /** What differs between the ledger, the database, the metrics and the platforms. */
  const differences = async (sold: readonly Entry[]): Promise<string[]> => {
    const [events, counted] = [await stack.sandbox.events(), await stack.sandbox.conversions()];
    const found: string[] = [];
    for (const { partner, reference, ids } of sold) {
      const adjustments = await adjustmentsOf(ids[0] ?? 0);
      const totals = [soldCents, ...adjustments.map(({ amount }) => cents(amount))];
      const before = adjustments.map(({ previousAmount }) => cents(previousAmount));
      if (before.join() !== totals.slice(0, -1).join())
        found.push(`${reference}: totals ${totals.join()} after ${before.join()}`);
      const atGoogle = counted.filter(
        ({ id, connection }) => id === reference && connection === partner.conversionActionId,
      );
      if (atGoogle.length !== 1 || cents(atGoogle[0]?.value ?? -1) !== totals.at(-1)) {
        found.push(`${reference}: Google counts ${JSON.stringify(atGoogle)}, not ${totals.at(-1)}`);
      }
      const refunds = new Map(
        events
          .filter(({ connection, event }) => connection === partner.pixelId && event['event_name'] === 'Refund')
          .filter((one) => eventId(one).startsWith(`${reference}:`))
          .map((one) => [eventId(one), cents(Object(one.event['custom_data']).value)]),
      );
      const takenBack = [...refunds.values()].reduce((sum, value) => sum + value, 0);
      if (takenBack !== soldCents - Math.min(...totals)) {
        found.push(`${reference}: Meta was told of ${takenBack}, of totals ${totals.join()}`);
      }
    }
    return [...found, ...(await metricDifferences(stack.database)), ...(await parcelViolations(stack.database.pool))];
  };

  const moments = [
    [
      'the api',
      'before it commits',
      { moment: 'saying', text: wire.postgres.commit, onceSaid: 'register-adjustments' },
    ],
    ['the api', 'after it commits', { moment: 'saying', text: wire.amqp.publish }],
    ['the worker', 'before it saves outcomes', { moment: 'saying', text: 'settle-parcels' }],
    ['the worker', 'after the platform accepted', { moment: 'hearing', text: 'HTTP/1.1 200', onceSaid: 'POST /v' }],
    ['the api', 'before it locks the conversion', { moment: 'saying', text: 'lock-conversions-to-adjust' }],
    ['the api', 'before it registers the adjustment', { moment: 'saying', text: 'register-adjustments' }],
  ] as const;
  it.each(firstOf(3, moments))('adjusts once if %s is killed %s', async (app, _when, point) => {
    const sold = await givenSold(2);
    const name = app === 'the api' ? 'api' : 'feedback-worker';
    const { module } = failpoint(point);
    await stack.kill(name);
    const failing = await stack.start(name, { imports: [module] });
    const load = adjustUnderLoad(sold, 2);
    expect(await failing.exited).toBe('SIGKILL');
    if (name === 'feedback-worker') await expireClaimsOfKilled(stack.database);
    await stack.start(name);
    await pause(300);
    const entries = await load.stop();
    await everythingSettles();
    expect(entries.some(({ isDone }) => isDone)).toBe(true);
    expect(await differences(sold)).toEqual([]);
  });

  it(
    'has the same totals everywhere if api and worker are killed at random moments under load',
    async () => {
      const sold = await givenSold(12);
      const load = adjustUnderLoad(sold);
      for (let kill = 0; kill < killsCount; kill += 1) {
        await pause(randomInt(1_200));
        const name = kill % 2 === 0 ? 'api' : 'feedback-worker';
        await stack.kill(name);
        await stack.start(name);
      }
      const entries = await load.stop();
      await expireLeases(stack.database);
      await everythingSettles();

      const { rows } = await stack.database.pool.query<{ reference: string }>(
        'select external_reference as reference from conversion_adjustment where conversion_id = any($1::bigint[])',
        [sold.flatMap(({ ids }) => ids)],
      );
      const done = entries.filter(({ isDone }) => isDone).map(({ reference }) => reference);
      expect(rows.map(({ reference }) => reference).toSorted()).toEqual(done.toSorted());
      expect(done.length).toBeGreaterThan(killsCount);
      expect(await differences(sold)).toEqual([]);
      const failed = { state: { $in: ['failed' as const] } };
      expect(await stack.database.em().count(Delivery, failed)).toBe(0);
      expect(await stack.database.em().count(DeliveryAttempt)).toBeGreaterThan(0);
    },
    testMaxMs + killsCount * 30_000,
  );
});
