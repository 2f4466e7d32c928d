import type { Pool } from 'pg';
import { clickAt, clientAt, conversionAt, givenAccount } from './account.ts';
import { type BareServer, bareDatabase, fillBareDatabase, startBareServer } from './beside.ts';
import { type Figures, medians } from './figures.ts';
import type { Asked } from './load.ts';
import { type Bench, type Measure, type Part, steadyLoad, underLoad, warmUpSeconds } from './measure.ts';
import { fillTables, type Sample, sampleClients, sampleLeads } from './rows.ts';
import type { BenchStack } from './stack.ts';

const operations = ['redirect', 'client', 'conversion'] as const;
type Operation = (typeof operations)[number];
type Requests = Readonly<Record<Operation, Asked>>;

const target = { atLeast: 0.8 };
const targetsBesideBare = { redirect: 1.3, client: 1.6, conversion: 1.6 } as const satisfies Record<Operation, number>;
const firstMinuteSeconds = 60;
const rowsName = (size: number): string => `${size.toLocaleString('en')} rows`;
const bareName = (size: number): string => `bare node:http + pg, ${rowsName(size)}`;
const firstMinute = 'first minute of an empty database';

// PostgreSQL's usual state: soon after a checkpoint, the first change of each page still writes all of it to the WAL. The
// rows that this adds are few beside a million, but five seconds for the code of apps and baselines add some forty thousand.
const warmUpTurnsOf = (size: number): number => Math.min(60, Math.max(warmUpSeconds, Math.ceil(size / 50_000)));

// A server is idle between its measurements: its code and data become cold. The apps have more of both. After two
// minutes, the first second of an api costs 2 to 3 times as much, the third 1.2 to 1.5 times.
const warmUp = 3;

/** The figures of an operation, as those of a measurement with several. */
const named = (operation: string, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([label, value]) => [`${operation}: ${label}`, value]));

const startApps = async (stack: BenchStack) => {
  const [landing, api] = await Promise.all([stack.startApp('landing'), stack.startApp('api')]);
  return { landing: landing.pid, api: api.pid, ...stack.servers };
};

interface At {
  /** Of landing, or of the server in its place. */
  readonly clicksUrl: string;
  readonly apiUrl: string;
  readonly headers: Asked['headers'];
  /** What the requests name. */
  readonly sample: Sample;
}

const requestsAt = ({ clicksUrl, apiUrl, headers, sample }: At): Requests => ({
  redirect: clickAt(clicksUrl, 302),
  client: clientAt(apiUrl, headers, sample.leads, '{hash}'),
  conversion: conversionAt(apiUrl, headers, sample.clients, '{hash}'),
});

const warmUpAt = async (bench: Bench, size: number, requests: Requests): Promise<void> => {
  for (let turn = 0; turn < warmUpTurnsOf(size); turn += 1) {
    for (const operation of operations) await steadyLoad(bench, requests[operation], { seconds: 1, warmUp: 0 });
  }
};

/** A step for each operation, which have figures of their own. */
const steps = (measures: Readonly<Record<Operation, Measure>>): readonly Measure[] =>
  operations.map((operation) => async () => named(operation, await measures[operation]()));

interface AtSize extends Pick<At, 'headers' | 'sample'> {
  readonly measure: readonly Measure[];
}

/** All three operations on tables of a size; they grow a little with each round. */
const atSize = async (bench: Bench, size: number): Promise<AtSize> => {
  const stack = await bench.open();
  const headers = await givenAccount(stack);
  const sample = await fillTables(stack, size);
  const processes = await startApps(stack);
  const requests = requestsAt({ clicksUrl: stack.landingUrl, apiUrl: stack.apiUrl, headers, sample });
  await warmUpAt(bench, size, requests);
  const measure = steps({
    redirect: underLoad(bench, requests.redirect, processes, { leadsIn: stack.pool, warmUp }),
    client: underLoad(bench, requests.client, processes, { warmUp }),
    conversion: underLoad(bench, requests.conversion, processes, { warmUp }),
  });
  return { sample, headers, measure };
};

/** The bare servers at the same size. Their PostgreSQL is another one, so that neither takes buffers from the other. */
const bareAtSize = async (bench: Bench, size: number, { sample, headers }: AtSize): Promise<readonly Measure[]> => {
  const stack = await bench.open();
  const url = await bareDatabase(stack);
  await fillBareDatabase(url, size, sample);
  const start = async (serves: 'redirect' | 'registration') =>
    stack.use(await startBareServer(serves, { DATABASE_URL: url }));
  const [clicks, registration] = [await start('redirect'), await start('registration')];
  const requests = requestsAt({ clicksUrl: clicks.url, apiUrl: registration.url, headers, sample });
  await warmUpAt(bench, size, requests);
  const measure = (asked: Asked, { pid }: BareServer) =>
    underLoad(bench, asked, { 'node:http + pg': pid, PostgreSQL: stack.servers.PostgreSQL }, { warmUp });
  return steps({
    redirect: measure(requests.redirect, clicks),
    client: measure(requests.client, registration),
    conversion: measure(requests.conversion, registration),
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
    seconds.client.push(await measure(clientAt(stack.apiUrl, headers, leads, '{hash}')));
    const clients = await sampleClients(stack);
    seconds.conversion.push(await measure(conversionAt(stack.apiUrl, headers, clients, '{hash}')));
  }
  const figures = operations.map((operation) => named(operation, ofSeconds(seconds[operation])));
  return Object.fromEntries(figures.flatMap(Object.entries<number>));
};

/** The same three operations at several sizes of the tables, the servers of all sizes running side by side. */
export const growth: Part = {
  does: ({ sizes }) => `growth: redirect, client and conversion at ${sizes.map(rowsName).join(', ')}, and from empty`,
  goals: ({ sizes: [first = 0, ...others] }) =>
    operations.flatMap((operation) => {
      const figure = `${operation}: per second`;
      const later = [...others.map(rowsName), firstMinute];
      return [
        ...later.map((measurement) => ({ measurement, figure, beside: rowsName(first), target })),
        ...[first, ...others].map((size) => {
          const besideBare = { atLeast: targetsBesideBare[operation] };
          return { measurement: rowsName(size), figure, beside: bareName(size), target: besideBare };
        }),
      ];
    }),
  prepare: async (bench) => {
    const all: [number, AtSize][] = [];
    for (const size of bench.settings.sizes) all.push([size, await atSize(bench, size)]);
    const bare: [string, readonly Measure[]][] = [];
    // neighbours on the machine change within a minute: the largest is measured right after ours
    for (const [size, ours] of all.toReversed()) bare.push([bareName(size), await bareAtSize(bench, size, ours)]);
    return new Map<string, readonly Measure[]>([
      [firstMinute, [fromEmpty(bench)]],
      ...all.map(([size, { measure }]) => [rowsName(size), measure] as const),
      ...bare,
    ]);
  },
};
