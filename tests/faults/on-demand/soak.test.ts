import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@leadback/testing';
import { expect, it } from 'vitest';
import {
  type App,
  apps,
  type Containers,
  givenContainers,
  isHealthy,
  killWithin,
  metricsOf,
} from '../../support/containers.ts';
import { footprintIn, sumIn } from '../../support/metrics.ts';
import { randomFrom, say, since } from '../../support/long-run.ts';

const seconds = Number(process.env['SOAK_SECONDS'] ?? 600);
const seed = Number(process.env['SOAK_SEED'] ?? randomInt(2 ** 31));
const random = randomFrom(seed);
const between = (min: number, max: number) => min + random() * (max - min);

interface Fault {
  readonly name: string;
  /** What must be healthy again. */
  readonly service: string;
  /** Resolves when it is over; the stack may still be recovering. */
  readonly happen: (stack: Containers) => Promise<void>;
}

const killed = (service: string): Fault => ({
  name: `${service} is killed with -9`,
  service,
  happen: async (stack) => killWithin(await stack.container(service)),
});

const frozen = (service: string): Fault => ({
  name: `${service} hangs for some seconds`,
  service,
  happen: async ({ compose, tryCompose }) => {
    try {
      await compose('pause', service);
      await pause(between(2_000, 20_000));
    } finally {
      // also after a pause that failed, which on a busy machine may have stopped some of its processes
      await tryCompose('unpause', service);
    }
  },
});

const stopped = (service: string): Fault => ({
  name: `${service} is stopped and started`,
  service,
  happen: async ({ compose }) => {
    await compose('stop', service);
    await pause(between(500, 15_000));
    await compose('start', service);
  },
});

const closed: Fault = {
  name: 'rabbitmq closes all connections',
  service: 'rabbitmq',
  happen: async ({ compose }) => {
    const close = 'exec --no-TTY --user rabbitmq rabbitmq rabbitmqctl --quiet close_all_connections soak';
    await compose(...close.split(' '));
  },
};

const services = [...apps, 'rabbitmq', 'postgres'];
/** Faults of processes and of the network between them. The platforms' sandbox hangs, but is not killed: it would forget. */
const faults = [
  ...services.flatMap((service) => [killed(service), frozen(service), stopped(service)]),
  frozen('sandbox'),
  closed,
];

type Usage = Readonly<Record<'MB' | 'sockets' | 'timers', number>>;

/** What an app uses now, without what belongs to database connections: pools open as many as work at once needs. */
const usageIn = (metrics: string): Usage => {
  const open = (type: string) => sumIn(metrics, 'nodejs_active_resources', { type });
  const connections = (state: 'busy' | 'idle') => sumIn(metrics, 'leadback_database_connections', { state });
  const idle = connections('idle');
  return {
    MB: footprintIn(metrics).memoryMb,
    sockets: open('TCPSocketWrap') - connections('busy') - idle,
    timers: open('Timeout') - idle,
  };
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
// apps are restarted all the time, and a fresh one grows to its usual size first
const growthMax = 1.3;
/** Fewer say nothing: a quarter of an hour. */
const looksMin = 20;

/** Medians of the first and the last third that differ too much: memory that is not freed, sockets and timers that stay. */
const grown = (seen: ReadonlyMap<App, readonly Usage[]>): string[] =>
  [...seen].flatMap(([app, usages]) => {
    const third = Math.max(1, Math.floor(usages.length / 3));
    return (['MB', 'sockets', 'timers'] as const).flatMap((measure) => {
      const medianOf = (some: readonly Usage[]) => median(some.map((one) => one[measure]));
      const [before, after] = [medianOf(usages.slice(0, third)), medianOf(usages.slice(-third))];
      const line = `${app} ${before} → ${after} ${measure}`;
      say(line);
      return usages.length >= looksMin && after > before * growthMax ? [line] : [];
    });
  });

it(
  'loses, doubles and leaks nothing under random faults of all apps and servers, and no app grows',
  async () => {
    say(`soak of ${seconds} s, SOAK_SEED=${seed}`);
    await using stack = await givenContainers();
    const seen = new Map<App, Usage[]>(apps.map((app) => [app, []]));
    const look = async () => {
      for (const app of apps) {
        // one that does not respond is left out
        const metrics = await metricsOf(app, await stack.container(app)).catch(() => undefined);
        if (metrics !== undefined) seen.get(app)?.push(usageIn(metrics));
      }
    };
    const recovered = (service: string) =>
      eventually(async () => expect(isHealthy(await stack.container(service))).toBe(true), { timeout: 180_000 });
    // the sandbox keeps all events in memory
    const load = stack.load(8, 4);
    let happened = 0;
    for (const end = Date.now() + seconds * 1_000; Date.now() < end; happened += 1) {
      await look();
      await pause(30_000);
      const fault = faults[Math.floor(random() * faults.length)];
      if (!fault) throw new Error('there is no such fault');
      const before = stack.failed().length;
      await fault.happen(stack);
      const over = performance.now();
      await stack.accepts(8);
      const again = since(over);
      await recovered(fault.service);
      say(
        `${fault.name}: conversions accepted again ${again} later, ${stack.failed().length - before} requests failed`,
      );
    }
    for (const service of services) await recovered(service);
    await pause(30_000);
    await look();
    await load.stop();
    // a killed or frozen worker repeats what it held
    expect(await stack.violations(happened * 50)).toEqual([]);
    expect(grown(seen)).toEqual([]);
  },
  (seconds + 3_600) * 1_000,
);
