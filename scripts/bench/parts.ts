import {
  clickAt,
  clientAt,
  conversionAt,
  type Delivery,
  givenAccount,
  givenClients,
  givenDelivery,
  givenLeads,
  givenShop,
  mostClosedAt,
  receiptsOf,
  reportAt,
  untilDelivered,
  untilWorked,
} from './account.ts';
import { bareServer, pgbench, startBareServer } from './beside.ts';
import { type Figures, meterCpu, meterMemory, quantile, say } from './figures.ts';
import { type Asked, type Rate, startLoadGenerator } from './load.ts';
import { type Bench, type Measurements, type Part, steadyLoad, underLoad, warmUp } from './measure.ts';
import { buildBacklog } from './backlog.ts';
import { type BenchStack, clearEvents, slowDown } from './stack.ts';

const samePage = 'bare node:http, same bytes';
const oneInsert = 'bare node:http + pg, one INSERT';
const oneByOne = 'bare node:http + pg, one by one';
const sameStatement = 'pgbench, same statement one by one';

const page: Part = {
  does: ({ callers }) => `page: ${callers} connections get a landing page`,
  goals: () => [{ measurement: 'page', figure: 'per second', beside: samePage, target: { atLeast: 0.3 } }],
  prepare: async (bench) => {
    const stack = await bench.open();
    await givenAccount(stack, { mode: 'page' });
    const { pid } = await stack.startApp('landing');
    const click = clickAt(stack.landingUrl, 200);
    await warmUp(bench, stack.pool, click);
    const env = { PAGE_URL: click.url, PAGE_HEADERS: JSON.stringify(click.headers) };
    const server = stack.use(await startBareServer('page', env));
    const same = { ...click, url: server.url };
    await warmUp(bench, stack.pool, same);
    // nothing but landing works for a page
    const polling = { polls: true };
    return new Map([
      ['page', underLoad(bench, click, { landing: pid, ...stack.servers }, polling)],
      [samePage, underLoad(bench, same, { 'node:http': server.pid }, polling)],
    ]);
  },
};

const redirect: Part = {
  does: ({ callers }) => `redirect: ${callers} connections click, a lead each`,
  goals: () => [{ measurement: 'redirect', figure: 'per second', beside: oneInsert, target: { atLeast: 1.3 } }],
  prepare: async (bench) => {
    const stack = await bench.open();
    await givenAccount(stack);
    const { pid } = await stack.startApp('landing');
    const click = clickAt(stack.landingUrl, 302);
    await warmUp(bench, stack.pool, click);
    return new Map([
      ['redirect', underLoad(bench, click, { landing: pid, ...stack.servers }, { leadsIn: stack.pool })],
      [oneInsert, await bareServer(bench, stack, 'redirect', (url) => clickAt(url, 302))],
    ]);
  },
};

const script: Part = {
  does: ({ callers }) => `script: ${callers} connections report clicks as the script does, a lead each`,
  goals: () => [{ measurement: 'script', figure: 'CPU µs: landing', beside: 'redirect', target: { atMost: 1 } }],
  prepare: async (bench) => {
    const stack = await bench.open();
    await givenAccount(stack);
    await stack.operator('page create --account 1 --slug bench-script --mode script --origins https://shop.example');
    const { pid } = await stack.startApp('landing');
    const [report, click] = [reportAt(stack.landingUrl), clickAt(stack.landingUrl, 302)];
    await warmUp(bench, stack.pool, report);
    await warmUp(bench, stack.pool, click);
    const measured = (asked: Asked) =>
      underLoad(bench, asked, { landing: pid, ...stack.servers }, { leadsIn: stack.pool });
    return new Map([
      ['script', measured(report)],
      ['redirect', measured(click)],
    ]);
  },
};

const client: Part = {
  does: ({ callers }) => `client: ${callers} connections register clients`,
  goals: () => [{ measurement: 'client', figure: 'per second', beside: oneByOne, target: { atLeast: 1.6 } }],
  prepare: async (bench) => {
    const stack = await bench.open();
    const headers = await givenAccount(stack);
    const leads = await givenLeads(stack);
    const { pid } = await stack.startApp('api');
    const asked = clientAt(stack.apiUrl, headers, leads);
    await warmUp(bench, stack.pool, asked);
    return new Map([
      ['client', underLoad(bench, asked, { api: pid, ...stack.servers })],
      [oneByOne, await bareServer(bench, stack, 'registration', (url) => clientAt(url, headers, leads))],
    ]);
  },
};

const conversion: Part = {
  does: ({ callers }) => `conversion: ${callers} connections register conversions of an account without platforms`,
  goals: () => [
    { measurement: 'conversion', figure: 'per second', beside: oneByOne, target: { atLeast: 1.6 } },
    { measurement: 'conversion', figure: 'per second', beside: sameStatement, target: { atLeast: 0.5 } },
  ],
  prepare: async (bench): Promise<Measurements> => {
    const stack = await bench.open();
    const { api, headers, clients, conversion: asked } = await givenClients(stack);
    await warmUp(bench, stack.pool, asked);
    return new Map([
      ['conversion', underLoad(bench, asked, { api: api.pid, ...stack.servers })],
      [oneByOne, await bareServer(bench, stack, 'registration', (url) => conversionAt(url, headers, clients))],
      ...(await pgbench(sameStatement, bench, stack, clients.length)),
    ]);
  },
};

// the deliveries that are open after the last request count for less
const deliveredSecondsFactor = 3;

/** What a conversion costs each process until both platforms have it. */
const untilBothHaveAll =
  (bench: Bench, { stack, conversion: asked, api, sandbox, worker }: Delivery) =>
  async (): Promise<Figures> => {
    await clearEvents(stack);
    const cpu = meterCpu({
      processes: { api: api.pid, ...stack.servers, 'feedback-worker': worker.pid },
      apart: { sandbox: sandbox.pid, 'load generator': bench.generator.pid },
    });
    const [memory, start] = [meterMemory('feedback-worker', worker.pid), Date.now()];
    const rate = await steadyLoad(bench, asked, { seconds: bench.settings.seconds * deliveredSecondsFactor });
    const loadEnd = Date.now();
    await untilDelivered(stack.pool);
    const draining = (Date.now() - loadEnd) / 1_000;
    // not until the last: a few that wait for their retry would hide how fast the others were
    const seconds = ((await mostClosedAt(stack.pool, start)) - start) / 1_000;
    return {
      'per second': (0.99 * rate.operations) / seconds,
      'seconds from the last request to the last delivery': draining,
      'registered per second meanwhile': rate.perSecond,
      'p50 ms': rate.p50,
      'p99 ms': rate.p99,
      ...cpu(rate.operations),
      ...memory(),
    };
  };

const delivered: Part = {
  does: ({ callers }) =>
    `delivered: ${callers} connections register conversions; counted once Meta and Google have them`,
  goals: () => [{ measurement: 'delivered', figure: 'per second', beside: oneByOne, target: { atLeast: 0.7 } }],
  prepare: async (bench) => {
    const delivery = await givenDelivery(bench);
    const { stack, headers, clients } = delivery;
    return new Map([
      ['delivered', untilBothHaveAll(bench, delivery)],
      [oneByOne, await bareServer(bench, stack, 'registration', (url) => conversionAt(url, headers, clients))],
    ]);
  },
};

const perSecond = 100;
// for a p99 of more than three values
const latencySecondsFactor = 2;

/** From the response of the api to the receipt at each platform. */
const receipts = async (stack: BenchStack, rate: Rate): Promise<Figures> => {
  const ofPlatforms = [...(await receiptsOf(stack, rate))].flatMap(([platform, waits]) => {
    if (waits.length !== rate.responses.length)
      throw new Error(`${platform} received ${waits.length} of ${rate.responses.length}`);
    return [
      [`until ${platform} has it: p50 ms`, quantile(waits, 0.5)] as const,
      [`until ${platform} has it: p99 ms`, quantile(waits, 0.99)] as const,
    ];
  });
  return Object.fromEntries(ofPlatforms);
};

const latency: Part = {
  does: () => `latency: ${perSecond} conversions a second, for two platforms`,
  goals: () => [
    { measurement: 'latency', figure: 'p50 ms', target: { atMost: 3 } },
    { measurement: 'latency', figure: 'p99 ms', target: { atMost: 15 } },
    { measurement: 'latency', figure: 'until meta has it: p50 ms', target: { atMost: 60 } },
  ],
  prepare: async (bench) => {
    const { stack, conversion: asked } = await givenDelivery(bench);
    const { callers: connections, seconds } = bench.settings;
    const measure = async (): Promise<Figures> => {
      await clearEvents(stack);
      const load = { asked, seconds: seconds * latencySecondsFactor, warmUpSeconds: 0.5, connections, perSecond };
      const rate = await bench.generator.run(load);
      await untilDelivered(stack.pool);
      return { 'p50 ms': rate.p50, 'p99 ms': rate.p99, ...(await receipts(stack, rate)) };
    };
    return new Map([['latency', measure]]);
  },
};

const eventsPerSecond = 200;

/** A shop sends orders at a fixed rate while conversions are registered at another. */
const sources: Part = {
  does: () =>
    `sources: ${perSecond} conversions a second, alone and while a shop sends ${eventsPerSecond} orders a second`,
  goals: () => [
    { measurement: 'beside a shop', figure: 'p99 ms', beside: 'alone', target: { atMost: 2 } },
    { measurement: 'beside a shop', figure: 'orders worked per second', target: { atLeast: 0.98 * eventsPerSecond } },
  ],
  prepare: async (bench) => {
    const stack = await bench.open();
    const { api, leads, conversion: asked } = await givenClients(stack);
    const order = await givenShop(stack, leads);
    const ofShop = { ...bench, generator: stack.use(startLoadGenerator()) };
    await warmUp(bench, stack.pool, asked);
    const { callers: connections, seconds: asSet } = bench.settings;
    const seconds = asSet * latencySecondsFactor;
    const load = { seconds, warmUpSeconds: 1, connections };
    const register = (): Promise<Rate> => bench.generator.run({ asked, ...load, perSecond });
    const meter = () =>
      meterCpu({
        processes: { api: api.pid, ...stack.servers },
        apart: { 'load generator': bench.generator.pid, 'load generator of the shop': ofShop.generator.pid },
      });
    const figuresOf = ({ p50, p99, operations }: Rate, cpu: ReturnType<typeof meter>): Figures => ({
      'p50 ms': p50,
      'p99 ms': p99,
      ...cpu(operations),
    });
    const alone = async (): Promise<Figures> => {
      const cpu = meter();
      return figuresOf(await register(), cpu);
    };
    const besideShop = async (): Promise<Figures> => {
      const [cpu, start] = [meter(), Date.now()];
      const [registered, sent] = await Promise.all([
        register(),
        ofShop.generator.run({ asked: order, ...load, perSecond: eventsPerSecond }),
      ]);
      const figures = figuresOf(registered, cpu);
      const { sales, atMs } = await untilWorked(stack.pool, start);
      if (sales !== sent.operations) throw new Error(`${sent.operations} orders came to ${sales} sales`);
      return {
        ...figures,
        'orders taken per second': sent.perSecond,
        'orders: p50 ms': sent.p50,
        'orders: p99 ms': sent.p99,
        'orders worked per second': (0.99 * sales) / ((atMs - start) / 1_000),
      };
    };
    // its first orders
    await besideShop();
    await stack.pool.query('vacuum analyze');
    return new Map([
      ['alone', alone],
      ['beside a shop', besideShop],
    ]);
  },
};

const platformMs = 200;

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
const backlog: Part = {
  does: ({ rows }) =>
    `backlog: ${rows} due deliveries over 40 connections to Meta, which takes ${platformMs} ms a request`,
  goals: () => [{ measurement: 'backlog', figure: 'MB: feedback-worker, highest', target: { atMost: 300 } }],
  rounds: 1,
  prepare: async ({ open, settings }) => {
    const stack = await open();
    await buildBacklog(stack, settings.rows);
    const sandbox = await stack.startApp('sandbox');
    await slowDown(stack, 'meta', platformMs);
    const api = await stack.startApp('api'); // it hands out deliveries whose message is lost
    return new Map([['backlog', untilEmpty(stack, settings.rows, { api: api.pid, sandbox: sandbox.pid })]]);
  },
};

/** In execution order. */
export const parts: ReadonlyMap<string, Part> = new Map(
  Object.entries({ page, redirect, script, client, conversion, delivered, latency, sources, backlog }),
);
