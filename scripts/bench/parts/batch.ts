import type { BenchStack } from '../bench-stack.ts';
import { meterCpu } from '../cpu-meter.ts';
import type { Figures } from '../figures.ts';
import { givenClients, warmUp } from '../given-account.ts';
import { type Asked, requestNumber } from '../load/load.ts';
import { type LoadGenerator, startLoadGenerator } from '../load/load-generator.ts';
import type { Bench, Part } from '../part.ts';

const size = 500;
const perSecond = 100;
const batchCallers = 4;

const inBatches = `batches of ${size}, one after another`;
const oneByOne = 'single calls, one after another';
const alone = `${perSecond} single calls per second`;
const besideBatches = `${perSecond} single calls per second while ${batchCallers} callers send batches`;

const batchAt = (url: string, headers: Asked['headers'], clients: readonly string[]): Asked => {
  const items = Array.from({ length: size }, (_, index) => [
    `${index === 0 ? '' : ','}{"clientExternalReference":"${clients[index % clients.length]}","conversionExternalReference":"B`,
    requestNumber,
    `-${index}","amount":10,"currency":"USD"}`,
  ]);
  return {
    url: `${url}/client/conversion/batch`,
    method: 'POST',
    headers,
    body: ['{"items":[', ...items.flat(), ']}'],
    expected: 200,
  };
};

const stored = async ({ pool }: BenchStack): Promise<number> =>
  Number((await pool.query<{ count: string }>('select count(*) from conversion')).rows[0]?.count);

/** What one caller registers, who waits for each response. Counts the conversions: an item may be refused. */
const oneCaller =
  ({ settings, generator }: Bench, stack: BenchStack, api: number, asked: Asked, conversions: number) =>
  async (): Promise<Figures> => {
    const before = await stored(stack);
    const processes = { api, PostgreSQL: stack.servers.PostgreSQL };
    const cpu = meterCpu({ processes, apart: { 'load generator': generator.pid } });
    const rate = await generator.run({ asked, seconds: settings.seconds, warmUpSeconds: 0.5, connections: 1 });
    const figures = { 'per second': rate.perSecond * conversions, 'p50 ms': rate.p50, 'p99 ms': rate.p99 };
    const all = { ...figures, ...cpu(rate.operations * conversions) };
    const added = (await stored(stack)) - before;
    if (added !== rate.operations * conversions)
      throw new Error(`${rate.operations} requests added ${added} conversions`);
    return all;
  };

const atRate = async ({ settings, generator }: Bench, asked: Asked): Promise<Figures> => {
  const seconds = settings.seconds * 2;
  const { p50, p99 } = await generator.run({ asked, seconds, warmUpSeconds: 0.5, connections: 1, perSecond });
  return { 'p50 ms': p50, 'p99 ms': p99 };
};

const whileBatchesRun = async (bench: Bench, single: Asked, asked: Asked, other: LoadGenerator): Promise<Figures> => {
  const seconds = bench.settings.seconds * 2 + 0.5;
  const [figures, batches] = await Promise.all([
    atRate(bench, single),
    other.run({ asked, seconds, warmUpSeconds: 0, connections: batchCallers }),
  ]);
  return { ...figures, 'batches per second': batches.perSecond };
};

export const batch: Part = {
  does: () => `batch: conversions in batches of ${size} and in single calls, for an account without platforms`,
  goals: () => [
    { measurement: inBatches, figure: 'CPU µs: total of these', beside: oneByOne, target: { atMost: 0.1 } },
    { measurement: besideBatches, figure: 'p99 ms', beside: alone, target: { atMost: 2 } },
  ],
  rounds: 3,
  prepare: async (bench) => {
    const stack = await bench.open();
    const { api, headers, clients, conversion: single } = await givenClients(stack);
    const other = stack.use(startLoadGenerator());
    const several = batchAt(stack.apiUrl, headers, clients);
    await warmUp(bench, stack, single);
    return {
      measurements: new Map([
        [inBatches, oneCaller(bench, stack, api.pid, several, size)],
        [oneByOne, oneCaller(bench, stack, api.pid, single, 1)],
        [alone, () => atRate(bench, single)],
        [besideBatches, () => whileBatchesRun(bench, single, several, other)],
      ]),
    };
  },
};
