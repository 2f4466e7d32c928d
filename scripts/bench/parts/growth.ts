import type { Pool } from 'pg';
import { startBaseline } from '../baselines/baseline.ts';
import { baselineDatabase, fillBaseline } from '../baselines/baseline-database.ts';
import type { BenchStack } from '../bench-stack.ts';
import { type Figures, medians } from '../figures.ts';
import { clickAt, clientAt, conversionAt, givenAccount, warmUpSeconds } from '../given-account.ts';
import { fillTables, type Sample, sampleClients, sampleLeads } from '../fill-tables.ts';
import { type Asked, hashedRequestNumber } from '../load/load.ts';
import { steadyLoad, underLoad } from '../measure-load.ts';
import type { Bench, Measurements, Part } from '../part.ts';

const operations = ['redirect', 'client', 'conversion'] as const;
type Operation = (typeof operations)[number];
const target = { atLeast: 0.8 };
const targetsBesideBare = { redirect: 1.3, client: 1.6, conversion: 1.6 } as const satisfies Record<Operation, number>;
const firstMinuteSeconds = 60;
// PostgreSQL's usual state: soon after a checkpoint, the first change of each page still writes all of it to the WAL. The
// rows that this adds are few beside a million, but five seconds for the code of apps and baselines add some forty thousand.
const warmUpTurnsOf = (size: number): number => Math.min(60, Math.max(warmUpSeconds, Math.ceil(size / 50_000)));

const rowsName = (size: number): string => `${size.toLocaleString('en')} rows`;
const bareName = (size: number): string => `bare node:http + pg, ${rowsName(size)}`;
const firstMinute = 'first minute of an empty database';

const named = (operation: string, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([label, value]) => [`${operation}: ${label}`, value]));

const startApps = async (stack: BenchStack) => {
  const [landing, api] = await Promise.all([stack.startApp('landing'), stack.startApp('api')]);
  return { landing: landing.pid, api: api.pid, ...stack.servers };
};

const warmUpAt = async (bench: Bench, size: number, all: readonly Asked[]): Promise<void> => {
  for (let turn = 0; turn < warmUpTurnsOf(size); turn += 1) {
    for (const asked of all) await steadyLoad(bench, asked, { seconds: 1, warmUp: 0 });
  }
};

interface AtSize {
  /** What requests of the load name. */
  readonly sample: Sample;
  readonly headers: Asked['headers'];
  readonly measure: () => Promise<Figures>;
}

/** All three operations on tables of a size; they grow a little with each round. */
const atSize = async (bench: Bench, size: number): Promise<AtSize> => {
  const stack = await bench.open();
  const headers = await givenAccount(stack);
  const sample = await fillTables(stack, size);
  const processes = await startApps(stack);
  const click = clickAt(stack.landingUrl, 302);
  const client = clientAt(stack.apiUrl, headers, sample.leads, hashedRequestNumber);
  const conversion = conversionAt(stack.apiUrl, headers, sample.clients, hashedRequestNumber);
  await warmUpAt(bench, size, [click, client, conversion]);
  const measure = async () => ({
    ...named('redirect', await underLoad(bench, click, processes, { leadsIn: stack.pool })()),
    ...named('client', await underLoad(bench, client, processes)()),
    ...named('conversion', await underLoad(bench, conversion, processes)()),
  });
  return { sample, headers, measure };
};

/** The bare servers at the same size. Their PostgreSQL is another one, so that neither takes buffers from the other. */
const bareAtSize = async (bench: Bench, size: number, { sample, headers }: AtSize): Promise<() => Promise<Figures>> => {
  const stack = await bench.open();
  const url = await baselineDatabase(stack);
  await fillBaseline(url, size, sample);
  const start = async (name: 'redirect' | 'registration') =>
    stack.use(await startBaseline(name, { DATABASE_URL: url }));
  const [clicks, registration] = [await start('redirect'), await start('registration')];
  const click = clickAt(clicks.url, 302);
  const client = clientAt(registration.url, headers, sample.leads, hashedRequestNumber);
  const conversion = conversionAt(registration.url, headers, sample.clients, hashedRequestNumber);
  await warmUpAt(bench, size, [click, client, conversion]);
  const under = (asked: Asked, { pid }: { readonly pid: number }) =>
    underLoad(bench, asked, { 'node:http + pg': pid, PostgreSQL: stack.servers.PostgreSQL })();
  return async () => ({
    ...named('redirect', await under(click, clicks)),
    ...named('client', await under(client, registration)),
    ...named('conversion', await under(conversion, registration)),
  });
};

/** Figures of the same operation in several seconds. */
const ofSeconds = (seconds: readonly Figures[]): Figures => {
  const rates = seconds.map((figures) => figures['per second'] ?? Number.NaN);
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return { ...medians(seconds), 'per second': mean, 'in the slowest second': Math.min(...rates) };
};

/** A fresh installation: the operations take turns of a second, with nothing warmed up and no table analyzed. */
const fromEmpty = (bench: Bench) => async (): Promise<Figures> => {
  await using ending = new AsyncDisposableStack();
  const stack = await bench.open(ending);
  const headers = await givenAccount(stack);
  const processes = await startApps(stack);
  const ofOneSecond: Bench = { ...bench, settings: { ...bench.settings, seconds: 1 } };
  const measure = (asked: Asked, leadsIn?: Pool) =>
    underLoad(ofOneSecond, asked, processes, { warmUp: 0, ...(leadsIn && { leadsIn }) })();

  const seconds: Record<Operation, Figures[]> = { redirect: [], client: [], conversion: [] };
  for (let second = 0; second < firstMinuteSeconds; second += operations.length) {
    seconds.redirect.push(await measure(clickAt(stack.landingUrl, 302), stack.pool));
    const leads = await sampleLeads(stack);
    seconds.client.push(await measure(clientAt(stack.apiUrl, headers, leads, hashedRequestNumber)));
    const clients = await sampleClients(stack);
    seconds.conversion.push(await measure(conversionAt(stack.apiUrl, headers, clients, hashedRequestNumber)));
  }
  const figures = operations.map((operation) => named(operation, ofSeconds(seconds[operation])));
  return Object.fromEntries(figures.flatMap(Object.entries<number>));
};

/** The same three operations at several sizes of the tables, the servers of all sizes running side by side. */
export const growth: Part = {
  does: ({ sizes }) => `growth: redirect, client and conversion at ${sizes.map(rowsName).join(', ')}, and from empty`,
  goals: ({ sizes: [first = 0, ...others] }) => [
    ...[...others.map(rowsName), firstMinute].flatMap((measurement) =>
      operations.map((operation) => {
        return { measurement, figure: `${operation}: per second`, beside: rowsName(first), target };
      }),
    ),
    ...[first, ...others].flatMap((size) =>
      operations.map((operation) => {
        const [measurement, beside] = [rowsName(size), bareName(size)];
        return {
          measurement,
          figure: `${operation}: per second`,
          beside,
          target: { atLeast: targetsBesideBare[operation] },
        };
      }),
    ),
  ],
  prepare: async (bench) => {
    const all: [number, AtSize][] = [];
    for (const size of bench.settings.sizes) all.push([size, await atSize(bench, size)]);
    const measured = all.map(([size, { measure }]) => [rowsName(size), measure] as const);
    const baselines = async (): Promise<Measurements> => {
      const bare = new Map<string, () => Promise<Figures>>();
      for (const [size, ours] of all) bare.set(bareName(size), await bareAtSize(bench, size, ours));
      return bare;
    };
    // the first minute is first, so that a size and its baseline are near each other
    return { measurements: new Map([[firstMinute, fromEmpty(bench)], ...measured]), baselines };
  },
};
