import type { Pool } from 'pg';
import type { BenchStack } from '../bench-stack.ts';
import { type Figures, medians } from '../figures.ts';
import { clickAt, clientAt, conversionAt, givenAccount } from '../given-account.ts';
import { fillTables, sampleClients, sampleLeads } from '../fill-tables.ts';
import { type Asked, hashedRequestNumber } from '../load/load.ts';
import { steadyLoad, underLoad } from '../measure-load.ts';
import type { Bench, Measurements, Part } from '../part.ts';

const operations = ['redirect', 'client', 'conversion'] as const;
const target = { atLeast: 0.8 };
const firstMinuteSeconds = 60;
// PostgreSQL's usual state: soon after a checkpoint, the first change of each page still writes all of it to the WAL. Rows
// that this adds are few beside those that are there.
const warmUpTurnsOf = (size: number): number => Math.min(60, Math.ceil(size / 50_000));

const rowsName = (size: number): string => `${size.toLocaleString('en')} rows`;
const firstMinute = 'first minute of an empty database';

const named = (operation: string, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([label, value]) => [`${operation}: ${label}`, value]));

const startApps = async (stack: BenchStack) => {
  const [landing, api] = await Promise.all([stack.startApp('landing'), stack.startApp('api')]);
  return { landing: landing.pid, api: api.pid, ...stack.servers };
};

/** All three operations on tables of a size; they grow a little with each round. */
const atSize = async (bench: Bench, size: number): Promise<() => Promise<Figures>> => {
  const stack = await bench.open();
  const headers = await givenAccount(stack);
  const { leads, clients } = await fillTables(stack, size);
  const processes = await startApps(stack);
  const click = clickAt(stack.landingUrl, 302);
  const client = clientAt(stack.apiUrl, headers, leads, hashedRequestNumber);
  const conversion = conversionAt(stack.apiUrl, headers, clients, hashedRequestNumber);
  for (let turn = 0; turn < warmUpTurnsOf(size); turn += 1) {
    for (const asked of [click, client, conversion]) await steadyLoad(bench, asked, { seconds: 1, warmUp: 0 });
  }
  return async () => ({
    ...named('redirect', await underLoad(bench, click, processes, { leadsIn: stack.pool })()),
    ...named('client', await underLoad(bench, client, processes)()),
    ...named('conversion', await underLoad(bench, conversion, processes)()),
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

  const seconds: Record<(typeof operations)[number], Figures[]> = { redirect: [], client: [], conversion: [] };
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
  goals: ({ sizes: [first = 0, ...others] }) =>
    [...others.map(rowsName), firstMinute].flatMap((measurement) =>
      operations.map((operation) => {
        return { measurement, figure: `${operation}: per second`, beside: rowsName(first), target };
      }),
    ),
  prepare: async (bench) => {
    const measurements: [string, () => Promise<Figures>][] = [];
    for (const size of bench.settings.sizes) measurements.push([rowsName(size), await atSize(bench, size)]);
    const all: Measurements = new Map([...measurements, [firstMinute, fromEmpty(bench)]]);
    return { measurements: all };
  },
};
