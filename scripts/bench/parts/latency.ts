import type { BenchStack } from '../bench-stack.ts';
import { type Figures, quantile } from '../figures.ts';
import { conversionsPerSecond, givenDelivery, registerAtRate } from '../given-delivery.ts';
import type { Rate } from '../load/load.ts';
import { untilDelivered } from '../open-deliveries.ts';
import type { Part } from '../part.ts';
import { receiptsOf } from '../receipts.ts';

// for a p99 of more than three values
const secondsFactor = 2;

/** From the response of the api to the receipt at each platform. */
const receipts = async (stack: BenchStack, rate: Rate): Promise<Figures> => {
  const ofPlatforms = [...(await receiptsOf(stack, rate))].flatMap(([platform, waits]) => {
    if (waits.length !== rate.responses.length)
      throw new Error(`${platform} received ${waits.length} of ${rate.responses.length}`);
    return [
      [`until ${platform} has it: p50 ms`, quantile(waits, 0.5)] as const,
      [`until ${platform} has it: p99 ms`, quantile(waits, 0.99)] as const,
    ];
  });
  return Object.fromEntries(ofPlatforms);
};

const measurement = 'latency';

export const latency: Part = {
  does: () => `latency: ${conversionsPerSecond} conversions a second, for two platforms`,
  goals: () => [
    { measurement, figure: 'p50 ms', target: { atMost: 3 } },
    { measurement, figure: 'p99 ms', target: { atMost: 15 } },
    { measurement, figure: 'until meta has it: p50 ms', target: { atMost: 60 } },
  ],
  prepare: async (bench) => {
    const delivery = await givenDelivery(bench);
    const { stack } = delivery;
    const measure = async (): Promise<Figures> => {
      const rate = await registerAtRate(bench, delivery, bench.settings.seconds * secondsFactor);
      await untilDelivered(stack.pool);
      return { 'p50 ms': rate.p50, 'p99 ms': rate.p99, ...(await receipts(stack, rate)) };
    };
    return { measurements: new Map([[measurement, measure]]) };
  },
};
