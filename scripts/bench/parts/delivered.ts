import { meterCpu, meterMemory } from '../cpu-meter.ts';
import { givenClients, warmUp } from '../given-account.ts';
import { requestRate, send } from '../load.ts';
import { mostClosedAt, untilDelivered } from '../open-deliveries.ts';
import type { Part } from '../part.ts';

/** The whole way of a conversion: what it costs each process until both platforms have it. */
export const delivered: Part = {
  does: ({ callers, seconds }) =>
    `delivered: ${callers} connections register conversions for ${seconds} s; then until Meta and Google have all`,
  run: async (stack, span) => {
    const { api, conversion } = await givenClients(stack);
    const sandbox = await stack.startApp('sandbox');
    const worker = await stack.startApp('feedback-worker');
    await warmUp(stack, span.callers, () => send(conversion));
    await untilDelivered(stack.pool);

    const pids = { api: api.pid, ...stack.servers, 'feedback-worker': worker.pid, sandbox: sandbox.pid };
    const [cpu, memory, start] = [meterCpu(pids), meterMemory('feedback-worker', worker.pid), Date.now()];
    const rate = await requestRate(span, conversion);
    const loadEnd = Date.now();
    await untilDelivered(stack.pool);
    const draining = (Date.now() - loadEnd) / 1_000;
    // not until the last: a few that wait for their retry would hide how fast the others were
    const seconds = ((await mostClosedAt(stack.pool, start)) - start) / 1_000;
    return {
      'delivered conversions per second, until 99 %': (0.99 * rate.operations) / seconds,
      'seconds from the last request to the last delivery': draining,
      'registered per second meanwhile': rate.perSecond,
      'p50 ms of registering': rate.p50,
      'p99 ms of registering': rate.p99,
      ...cpu(rate.operations),
      ...memory(),
    };
  },
};
