import { startBaseline } from '../baselines/baseline.ts';
import { baselineDatabase, fillBaseline } from '../baselines/baseline-database.ts';
import type { BenchStack } from '../bench-stack.ts';
import type { Figures } from '../figures.ts';
import { fillTables, type Sample } from '../fill-tables.ts';
import { clickAt, clientAt, conversionAt, givenAccount, warmUpSeconds } from '../given-account.ts';
import { type Asked, hashedRequestNumber } from '../load/load.ts';
import { steadyLoad, underLoad } from '../measure-load.ts';
import type { Bench, Measure } from '../part.ts';

export const operations = ['redirect', 'client', 'conversion'] as const;
export type Operation = (typeof operations)[number];

// PostgreSQL's usual state: soon after a checkpoint, the first change of each page still writes all of it to the WAL. The
// rows that this adds are few beside a million, but five seconds for the code of apps and baselines add some forty thousand.
const warmUpTurnsOf = (size: number): number => Math.min(60, Math.max(warmUpSeconds, Math.ceil(size / 50_000)));

/** The figures of an operation, as those of a measurement with several. */
export const named = (operation: string, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([label, value]) => [`${operation}: ${label}`, value]));

// A server is idle between its measurements: its code and data become cold. The apps have more of both. After two
// minutes, the first second of an api costs 2 to 3 times as much, the third 1.2 to 1.5 times.
const warmUp = 3;

export const startApps = async (stack: BenchStack) => {
  const [landing, api] = await Promise.all([stack.startApp('landing'), stack.startApp('api')]);
  return { landing: landing.pid, api: api.pid, ...stack.servers };
};

type Requests = Readonly<Record<Operation, Asked>>;

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
  client: clientAt(apiUrl, headers, sample.leads, hashedRequestNumber),
  conversion: conversionAt(apiUrl, headers, sample.clients, hashedRequestNumber),
});

const warmUpAt = async (bench: Bench, size: number, requests: Requests): Promise<void> => {
  for (let turn = 0; turn < warmUpTurnsOf(size); turn += 1) {
    for (const operation of operations) await steadyLoad(bench, requests[operation], { seconds: 1, warmUp: 0 });
  }
};

/** A step for each operation, which have figures of their own. */
const steps = (measures: Readonly<Record<Operation, Measure>>): readonly Measure[] =>
  operations.map((operation) => async () => named(operation, await measures[operation]()));

export interface AtSize extends Pick<At, 'headers' | 'sample'> {
  readonly measure: readonly Measure[];
}

/** All three operations on tables of a size; they grow a little with each round. */
export const atSize = async (bench: Bench, size: number): Promise<AtSize> => {
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
export const bareAtSize = async (
  bench: Bench,
  size: number,
  { sample, headers }: AtSize,
): Promise<readonly Measure[]> => {
  const stack = await bench.open();
  const url = await baselineDatabase(stack);
  await fillBaseline(url, size, sample);
  const start = async (name: 'redirect' | 'registration') =>
    stack.use(await startBaseline(name, { DATABASE_URL: url }));
  const [clicks, registration] = [await start('redirect'), await start('registration')];
  const requests = requestsAt({ clicksUrl: clicks.url, apiUrl: registration.url, headers, sample });
  await warmUpAt(bench, size, requests);
  const processesOf = ({ pid }: { readonly pid: number }) => ({
    'node:http + pg': pid,
    PostgreSQL: stack.servers.PostgreSQL,
  });
  return steps({
    redirect: underLoad(bench, requests.redirect, processesOf(clicks), { warmUp }),
    client: underLoad(bench, requests.client, processesOf(registration), { warmUp }),
    conversion: underLoad(bench, requests.conversion, processesOf(registration), { warmUp }),
  });
};
