import { meterCpu } from '../cpu-meter.ts';
import { givenClients, warmUp } from '../given-account.ts';
import { underLoad } from '../measure-load.ts';
import type { Part } from '../part.ts';
import { runPgbench } from '../pgbench.ts';

const beside = 'pgbench, same statement one by one';

export const insert: Part = {
  does: ({ callers }) =>
    `insert: ${callers} connections register conversions; pgbench runs the same statement on ten connections`,
  goals: () => [{ measurement: 'conversion', figure: 'per second', beside, target: { atLeast: 0.5 } }],
  prepare: async (bench) => {
    const stack = await bench.open();
    const { api, conversion, clients } = await givenClients(stack);
    await warmUp(bench, stack, conversion);
    const { PostgreSQL } = stack.servers;
    return {
      measurements: new Map([['conversion', underLoad(bench, conversion, { api: api.pid, ...stack.servers })]]),
      baselines: async () => {
        const run = await runPgbench(stack, clients.length, bench.settings.seconds);
        return new Map([
          [
            beside,
            async () => {
              const cpu = meterCpu({ processes: { PostgreSQL }, apart: {} });
              const { perSecond, meanMs, operations } = await run();
              return { 'per second': perSecond, 'mean ms': meanMs, ...cpu(operations) };
            },
          ],
        ]);
      },
    };
  },
};
