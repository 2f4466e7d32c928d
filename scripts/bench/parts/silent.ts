import { setTimeout as pause } from 'node:timers/promises';
import type { BenchStack } from '../bench-stack.ts';
import { type Figures, quantile } from '../figures.ts';
import { conversionsPerSecond, type Delivery, givenDelivery, registerAtRate } from '../given-delivery.ts';
import type { Rate } from '../load/load.ts';
import type { Part } from '../part.ts';
import { receiptsOf } from '../receipts.ts';
import { platformBehaves } from '../sandbox.ts';

// so that requests to the silent platform time out several times
const secondsFactor = 20;
const lateMs = 60_000;

/** Waits until Google has received all conversions of a load, while those for Meta may wait. */
const untilGoogleHas = async (stack: BenchStack, rate: Rate): Promise<readonly number[]> => {
  const start = performance.now();
  for (;;) {
    const waits = (await receiptsOf(stack, rate)).get('google') ?? [];
    if (waits.length === rate.responses.length) return waits;
    if (performance.now() - start > lateMs) {
      throw new Error(`google received ${waits.length} of ${rate.responses.length}`);
    }
    await pause(100);
  }
};

const [both, one] = ['both platforms respond', 'meta does not respond'];

export const silent: Part = {
  does: () => `silent: ${conversionsPerSecond} conversions a second, for two platforms, of which one does not respond`,
  goals: () => [{ measurement: one, figure: 'until google has it: p95 ms', beside: both, target: { atMost: 2 } }],
  rounds: 3,
  prepare: async (bench) => {
    const [healthy, troubled] = [await givenDelivery(bench), await givenDelivery(bench)];
    await platformBehaves(troubled.stack, { platform: 'meta', answer: 'time-out' });
    const measureOf = (delivery: Delivery) => async (): Promise<Figures> => {
      const rate = await registerAtRate(bench, delivery, bench.settings.seconds * secondsFactor);
      const waits = await untilGoogleHas(delivery.stack, rate);
      return {
        'p99 ms': rate.p99,
        'until google has it: p50 ms': quantile(waits, 0.5),
        'until google has it: p95 ms': quantile(waits, 0.95),
        'until google has it: p99 ms': quantile(waits, 0.99),
      };
    };
    return {
      measurements: new Map([
        [both, measureOf(healthy)],
        [one, measureOf(troubled)],
      ]),
    };
  },
};
