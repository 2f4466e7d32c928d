import type { BenchStack } from '../bench-stack.ts';
import { buildBacklog } from '../build-backlog.ts';
import { meterCpu, meterMemory } from '../cpu-meter.ts';
import type { Figures } from '../figures.ts';
import { mostClosedAt, untilDelivered } from '../open-deliveries.ts';
import type { Part } from '../part.ts';
import { say } from '../say.ts';
import { platformBehaves } from '../sandbox.ts';

const untilEmpty =
  (stack: BenchStack, rows: number, pids: { api: number; sandbox: number }) => async (): Promise<Figures> => {
    const cpu = meterCpu({ processes: { api: pids.api, ...stack.servers }, apart: { sandbox: pids.sandbox } });
    const start = Date.now();
    say('  the worker starts');
    const worker = await stack.startApp('feedback-worker');
    const memory = meterMemory('feedback-worker', worker.pid);
    await untilDelivered(stack.pool);
    const seconds = (Date.now() - start) / 1_000;
    const most = ((await mostClosedAt(stack.pool, 0)) - start) / 1_000;
    return {
      'per second': rows / seconds,
      'seconds until 99 % are delivered': most,
      'seconds until empty': seconds,
      ...memory(),
      ...cpu(rows, { 'feedback-worker': worker.pid }),
    };
  };

/** A worker that starts after a long outage. Its start is part of the measured time. */
export const backlog: Part = {
  does: ({ rows, connections, platform, delayMs }) =>
    `backlog: ${rows} due deliveries over ${connections} connections to ${platform}, which takes ${delayMs} ms a request`,
  goals: () => [{ measurement: 'backlog', figure: 'MB: feedback-worker, highest', target: { atMost: 300 } }],
  rounds: 1,
  prepare: async ({ open, settings }) => {
    const stack = await open();
    await buildBacklog(stack, settings);
    const sandbox = await stack.startApp('sandbox');
    await platformBehaves(stack, { platform: settings.platform, answer: 'ok', delayMs: settings.delayMs });
    const api = await stack.startApp('api'); // it may be what hands out deliveries whose message is lost
    return {
      measurements: new Map([['backlog', untilEmpty(stack, settings.rows, { api: api.pid, sandbox: sandbox.pid })]]),
    };
  },
};
