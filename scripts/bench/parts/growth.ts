import type { Pool } from 'pg';
import { type Figures, medians } from '../figures.ts';
import { sampleClients, sampleLeads } from '../fill-tables.ts';
import { clickAt, clientAt, conversionAt, givenAccount } from '../given-account.ts';
import { type Asked, hashedRequestNumber } from '../load/load.ts';
import { underLoad } from '../measure-load.ts';
import type { Bench, Measure, Measurements, Part } from '../part.ts';
import { type AtSize, atSize, bareAtSize, named, type Operation, operations, startApps } from './growth-at-size.ts';

const target = { atLeast: 0.8 };
const targetsBesideBare = { redirect: 1.3, client: 1.6, conversion: 1.6 } as const satisfies Record<Operation, number>;
const firstMinuteSeconds = 60;
const rowsName = (size: number): string => `${size.toLocaleString('en')} rows`;
const bareName = (size: number): string => `bare node:http + pg, ${rowsName(size)}`;
const firstMinute = 'first minute of an empty database';

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
      const bare = new Map<string, readonly Measure[]>();
      // neighbours on the machine change within a minute: the largest is measured right after ours
      for (const [size, ours] of all.toReversed()) bare.set(bareName(size), await bareAtSize(bench, size, ours));
      return bare;
    };
    return { measurements: new Map([[firstMinute, [fromEmpty(bench)] as const], ...measured]), baselines };
  },
};
