import { buildBacklog } from '../build-backlog.ts';
import { meterCpu, meterMemory } from '../cpu-meter.ts';
import { mostClosedAt, untilDelivered } from '../open-deliveries.ts';
import type { Part } from '../part.ts';
import { say } from '../say.ts';
import { delayPlatform } from '../sandbox.ts';

/** A worker that starts after a long outage. Its start is part of the measured time. */
export const backlog: Part = {
  does: ({ rows, connections, platform, delayMs }) =>
    `backlog: ${rows} due deliveries over ${connections} connections to ${platform}, which takes ${delayMs} ms a request`,
  run: async (stack, settings) => {
    const { rows, platform, delayMs } = settings;
    await buildBacklog(stack, settings);
    say('  the worker starts');
    const sandbox = await stack.startApp('sandbox');
    await delayPlatform(stack, platform, delayMs);
    const api = await stack.startApp('api'); // it may be what hands out deliveries whose message is lost

    const cpu = meterCpu({ api: api.pid, ...stack.servers, sandbox: sandbox.pid });
    const start = Date.now();
    const worker = await stack.startApp('feedback-worker');
    const memory = meterMemory('feedback-worker', worker.pid);
    await untilDelivered(stack.pool);
    const seconds = (Date.now() - start) / 1_000;
    const most = ((await mostClosedAt(stack.pool, 0)) - start) / 1_000;
    return {
      'deliveries per second': rows / seconds,
      'seconds until 99 % are delivered': most,
      'seconds until empty': seconds,
      ...memory(),
      ...cpu(rows, { 'feedback-worker': worker.pid }),
    };
  },
};
