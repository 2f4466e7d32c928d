import type { BenchStack } from '../bench-stack.ts';
import { meterCpu } from '../cpu-meter.ts';
import { conversionAt, givenClients, warmUp } from '../given-account.ts';
import { underLoad } from '../measure-load.ts';
import type { Bench, Measurements, Part } from '../part.ts';
import { hasPgbench, preparePgbench } from '../pgbench.ts';
import { say } from '../say.ts';
import { oneByOne, registrationBaseline } from './registration-baseline.ts';

const statement = 'pgbench, same statement one by one';

const statementBaseline = async ({ settings }: Bench, stack: BenchStack, clients: number): Promise<Measurements> => {
  if (!hasPgbench()) {
    say('  pgbench is not on the PATH: not compared with it (Debian: apt-get install postgresql)');
    return new Map();
  }
  say('  warming up');
  const run = await preparePgbench(stack, clients, settings.seconds);
  const measure = async () => {
    const cpu = meterCpu({ processes: { PostgreSQL: stack.servers.PostgreSQL }, apart: {} });
    const { perSecond, meanMs, operations } = await run();
    return { 'per second': perSecond, 'mean ms': meanMs, ...cpu(operations) };
  };
  return new Map([[statement, measure]]);
};

export const conversion: Part = {
  does: ({ callers }) => `conversion: ${callers} connections register conversions of an account without platforms`,
  goals: () => [
    { measurement: 'conversion', figure: 'per second', beside: oneByOne, target: { atLeast: 1.6 } },
    { measurement: 'conversion', figure: 'per second', beside: statement, target: { atLeast: 0.5 } },
  ],
  prepare: async (bench) => {
    const stack = await bench.open();
    const { api, headers, clients, conversion: asked } = await givenClients(stack);
    await warmUp(bench, stack, asked);
    const bareServer = registrationBaseline(bench, stack, (url) => conversionAt(url, headers, clients));
    return {
      measurements: new Map([['conversion', underLoad(bench, asked, { api: api.pid, ...stack.servers })]]),
      baselines: async () =>
        new Map([...(await bareServer()), ...(await statementBaseline(bench, stack, clients.length))]),
      profiledPid: api.pid,
    };
  },
};
