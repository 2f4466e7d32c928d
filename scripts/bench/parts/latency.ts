import type { BenchStack } from '../bench-stack.ts';
import { type Figures, quantile } from '../figures.ts';
import { givenClients, warmUp } from '../given-account.ts';
import type { Asked, Rate } from '../load/load.ts';
import { untilDelivered } from '../open-deliveries.ts';
import type { Bench, Part } from '../part.ts';
import { receiptsOf } from '../receipts.ts';
import { clearEvents } from '../sandbox.ts';

const perSecond = 100;
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

const atRate =
  ({ generator, settings }: Bench, stack: BenchStack, asked: Asked) =>
  async (): Promise<Figures> => {
    await clearEvents(stack);
    const seconds = settings.seconds * secondsFactor;
    const rate = await generator.run({ asked, seconds, warmUpSeconds: 0.5, connections: settings.callers, perSecond });
    await untilDelivered(stack.pool);
    return { 'p50 ms': rate.p50, 'p99 ms': rate.p99, ...(await receipts(stack, rate)) };
  };

const measurement = 'latency';

export const latency: Part = {
  does: () => `latency: ${perSecond} conversions a second, for two platforms`,
  goals: () => [
    { measurement, figure: 'p50 ms', target: { atMost: 3 } },
    { measurement, figure: 'p99 ms', target: { atMost: 15 } },
    { measurement, figure: 'until meta has it: p50 ms', target: { atMost: 60 } },
  ],
  prepare: async (bench) => {
    const stack = await bench.open();
    const { conversion } = await givenClients(stack, { platforms: ['meta', 'google'] });
    await stack.startApp('sandbox');
    await stack.startApp('feedback-worker');
    await warmUp(bench, stack, conversion);
    await untilDelivered(stack.pool);
    return { measurements: new Map([[measurement, atRate(bench, stack, conversion)]]) };
  },
};
