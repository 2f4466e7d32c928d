import type { BenchStack } from '../bench-stack.ts';
import type { Figures } from '../figures.ts';
import { clickAt, clientAt, conversionAt, givenAccount } from '../given-account.ts';
import { fillTables, genuineLeads, someClients } from '../fill-tables.ts';
import type { Asked } from '../load/load.ts';
import { steadyLoad, underLoad } from '../measure-load.ts';
import type { Bench, Measurements, Part } from '../part.ts';

const operations = ['redirect', 'client', 'conversion'] as const;
const target = { atLeast: 0.8 };
const firstMinuteSeconds = 60;

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
  await fillTables(stack, size);
  const processes = await startApps(stack);
  const click = clickAt(stack.landingUrl, 302);
  await steadyLoad(bench, click, 1);
  const client = clientAt(stack.apiUrl, headers, await genuineLeads(stack));
  const conversion = conversionAt(stack.apiUrl, headers, someClients(size));
  await steadyLoad(bench, client, 1);
  await steadyLoad(bench, conversion, 1);
  return async () => ({
    ...named('redirect', await underLoad(bench, click, processes)()),
    ...named('client', await underLoad(bench, client, processes)()),
    ...named('conversion', await underLoad(bench, conversion, processes)()),
  });
};

/** A fresh installation: a third of a minute for each operation, with nothing warmed up and no table analyzed. */
const fromEmpty = (bench: Bench) => async (): Promise<Figures> => {
  await using ending = new AsyncDisposableStack();
  const stack = await bench.open(ending);
  const headers = await givenAccount(stack);
  const processes = await startApps(stack);
  const seconds = firstMinuteSeconds / operations.length;
  const fresh: Bench = { ...bench, settings: { ...bench.settings, seconds } };
  const measure = async (operation: string, asked: Asked) =>
    named(operation, await underLoad(fresh, asked, processes, 0)());

  const redirect = await measure('redirect', clickAt(stack.landingUrl, 302));
  const client = await measure('client', clientAt(stack.apiUrl, headers, await genuineLeads(stack)));
  const { rows } = await stack.pool.query<{ name: string }>('select external_reference as name from client limit 1000');
  const clients = rows.map(({ name }) => name);
  return { ...redirect, ...client, ...(await measure('conversion', conversionAt(stack.apiUrl, headers, clients))) };
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
