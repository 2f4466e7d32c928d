import { setTimeout as pause } from 'node:timers/promises';
import type { BenchStack } from '../bench-stack.ts';
import { type Figures, quantile } from '../figures.ts';
import { givenClients, warmUp } from '../given-account.ts';
import type { Asked, Rate } from '../load/load.ts';
import { untilDelivered } from '../open-deliveries.ts';
import type { Bench, Part } from '../part.ts';
import { receiptsOf } from '../receipts.ts';
import { clearEvents, platformBehaves } from '../sandbox.ts';

const perSecond = 100;
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

const atRate =
  ({ generator, settings }: Bench, stack: BenchStack, asked: Asked) =>
  async (): Promise<Figures> => {
    await clearEvents(stack);
    const seconds = settings.seconds * secondsFactor;
    const rate = await generator.run({ asked, seconds, warmUpSeconds: 0.5, connections: settings.callers, perSecond });
    const waits = await untilGoogleHas(stack, rate);
    return {
      'p99 ms': rate.p99,
      'until google has it: p50 ms': quantile(waits, 0.5),
      'until google has it: p95 ms': quantile(waits, 0.95),
      'until google has it: p99 ms': quantile(waits, 0.99),
    };
  };

const [both, one] = ['both platforms respond', 'meta does not respond'];

export const silent: Part = {
  does: () => `silent: ${perSecond} conversions a second, for two platforms, of which one does not respond`,
  goals: () => [{ measurement: one, figure: 'until google has it: p95 ms', beside: both, target: { atMost: 2 } }],
  rounds: 3,
  prepare: async (bench) => {
    const given = async () => {
      const stack = await bench.open();
      const { conversion } = await givenClients(stack, { platforms: ['meta', 'google'] });
      await stack.startApp('sandbox');
      await stack.startApp('feedback-worker');
      await warmUp(bench, stack, conversion);
      await untilDelivered(stack.pool);
      return { stack, conversion };
    };
    const [healthy, troubled] = [await given(), await given()];
    await platformBehaves(troubled.stack, { platform: 'meta', answer: 'time-out' });
    return {
      measurements: new Map([
        [both, atRate(bench, healthy.stack, healthy.conversion)],
        [one, atRate(bench, troubled.stack, troubled.conversion)],
      ]),
    };
  },
};
