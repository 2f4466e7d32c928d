import { meterCpu, meterMemory } from '../cpu-meter.ts';
import type { Figures } from '../figures.ts';
import { conversionAt } from '../given-account.ts';
import { type Delivery, givenDelivery } from '../given-delivery.ts';
import { steadyLoad } from '../measure-load.ts';
import { mostClosedAt, untilDelivered } from '../open-deliveries.ts';
import type { Bench, Part } from '../part.ts';
import { clearEvents } from '../sandbox.ts';
import { oneByOne, registrationBaseline } from './registration-baseline.ts';

// the deliveries that are open after the last request count for less
const secondsFactor = 3;

/** What a conversion costs each process until both platforms have it. */
const untilBothHaveAll =
  (bench: Bench, { stack, conversion, api, sandbox, worker }: Delivery) =>
  async (): Promise<Figures> => {
    await clearEvents(stack);
    const cpu = meterCpu({
      processes: { api: api.pid, ...stack.servers, 'feedback-worker': worker.pid },
      apart: { sandbox: sandbox.pid, 'load generator': bench.generator.pid },
    });
    const [memory, start] = [meterMemory('feedback-worker', worker.pid), Date.now()];
    const rate = await steadyLoad(bench, conversion, { seconds: bench.settings.seconds * secondsFactor });
    const loadEnd = Date.now();
    await untilDelivered(stack.pool);
    const draining = (Date.now() - loadEnd) / 1_000;
    // not until the last: a few that wait for their retry would hide how fast the others were
    const seconds = ((await mostClosedAt(stack.pool, start)) - start) / 1_000;
    return {
      'per second': (0.99 * rate.operations) / seconds,
      'seconds from the last request to the last delivery': draining,
      'registered per second meanwhile': rate.perSecond,
      'p50 ms': rate.p50,
      'p99 ms': rate.p99,
      ...cpu(rate.operations),
      ...memory(),
    };
  };

export const delivered: Part = {
  does: ({ callers }) =>
    `delivered: ${callers} connections register conversions; counted once Meta and Google have them`,
  goals: () => [{ measurement: 'delivered', figure: 'per second', beside: oneByOne, target: { atLeast: 0.7 } }],
  prepare: async (bench) => {
    const delivery = await givenDelivery(bench);
    const { stack, headers, clients, worker } = delivery;
    return {
      measurements: new Map([['delivered', untilBothHaveAll(bench, delivery)]]),
      baselines: registrationBaseline(bench, stack, (url) => conversionAt(url, headers, clients)),
      profiledPid: worker.pid,
    };
  },
};
