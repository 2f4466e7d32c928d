import { setTimeout as pause } from 'node:timers/promises';
import { type ComposeStack, killWithin, isHealthy, type App, type Usage, usageOf, until } from './stack.ts';
import { randomFrom } from '../../tests/support/random-from.ts';
import { checkStart } from './one-machine.ts';
import { assertNothingLost, givenLoadedPartner, steadyLoad } from './load.ts';
import type { Surroundings } from './run-checks.ts';

interface Fault {
  readonly name: string;
  /** Resolves when it is over; the stack may still be recovering. */
  readonly happen: (stack: ComposeStack, random: () => number) => Promise<void>;
  /** What must be healthy again. */
  readonly service: string;
}

const services = ['landing', 'api', 'feedback-worker', 'console', 'rabbitmq', 'postgres'] as const;
const frozenMs = { min: 2_000, max: 20_000 } as const;
const downMs = { min: 500, max: 15_000 } as const;

const between = ({ min, max }: { readonly min: number; readonly max: number }, random: () => number) =>
  min + random() * (max - min);

const killed = (service: string): Fault => ({
  name: `${service} is killed with -9`,
  service,
  happen: async (stack) => killWithin(await stack.container(service)),
});

const frozen = (service: string): Fault => ({
  name: `${service} hangs for some seconds`,
  service,
  happen: async (stack, random) => {
    try {
      await stack.compose('pause', service);
      await pause(between(frozenMs, random));
    } finally {
      // also after a pause that failed, which on a busy machine may have stopped some of its processes
      await stack.compose('unpause', service).catch(() => {});
    }
  },
});

const stopped = (service: string): Fault => ({
  name: `${service} is stopped and started`,
  service,
  happen: async (stack, random) => {
    await stack.compose('stop', service);
    await pause(between(downMs, random));
    await stack.compose('start', service);
  },
});

const closed: Fault = {
  name: 'rabbitmq closes all connections',
  service: 'rabbitmq',
  happen: async (stack) => {
    const close = 'rabbitmqctl --quiet close_all_connections soak';
    await stack.compose('exec', '--no-TTY', '--user', 'rabbitmq', 'rabbitmq', ...close.split(' '));
  },
};

/** Faults of processes and of the network between them. The platforms' sandbox hangs, but is not killed: it would forget. */
const faults: readonly Fault[] = [
  ...services.flatMap((service) => [killed(service), frozen(service), stopped(service)]),
  frozen('sandbox'),
  closed,
];

const apps = ['landing', 'api', 'feedback-worker', 'console'] as const satisfies readonly App[];

interface Growth {
  /** Remembers what each app uses now; one that does not respond is left out. */
  readonly look: () => Promise<void>;
  /** The medians of the first and the last third, as text. Throws if an app uses far more at the end of a long run. */
  readonly compare: () => string;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

// apps are restarted all the time, and a fresh one grows to its usual size first
const growthMax = 1.3;
/** Fewer say nothing: a quarter of an hour. */
const looksMin = 20;

/** Whether apps grow while they run: memory that is not freed, sockets that are not closed, timers that are not cleared. */
const growthOf = (stack: ComposeStack): Growth => {
  const seen = new Map<App, Usage[]>(apps.map((app) => [app, []]));
  return {
    look: async () => {
      for (const app of apps) {
        const usage = await usageOf(app, await stack.container(app)).catch(() => undefined);
        if (usage) seen.get(app)?.push(usage);
      }
    },
    compare: () => {
      const [lines, grown]: [string[], string[]] = [[], []];
      for (const [app, usages] of seen) {
        const third = Math.max(1, Math.floor(usages.length / 3));
        const [first, last] = [usages.slice(0, third), usages.slice(-third)];
        for (const [measure, unit] of [
          ['memoryMb', 'MB'],
          ['sockets', 'sockets'],
          ['timers', 'timers'],
        ] as const) {
          const [before, after] = [first, last].map((some) => median(some.map((one) => one[measure])));
          const line = `${app} ${before} → ${after} ${unit}`;
          lines.push(line);
          const isEnough = usages.length >= looksMin;
          if (isEnough && Number(after) > Number(before) * growthMax) grown.push(line);
        }
      }
      if (grown.length > 0) throw new Error(`grown: ${grown.join(', ')}; all: ${lines.join(', ')}`);
      return lines.join(', ');
    },
  };
};

/** How a stack recovered from one fault. */
interface Recovery {
  readonly fault: string;
  /** From the end of the fault until conversions were accepted again. */
  readonly acceptedAgainMs: number;
  /** From the beginning of the fault until its service was healthy again. */
  readonly requestsFailed: number;
}

const head = `| fault | times | accepted again: median | at the latest | requests failed |
|---|---|---|---|---|`;

const inSeconds = (ms = 0) => `${(ms / 1_000).toFixed(1)} s`;

/** A row for each kind of fault, in Markdown: docs/reliability-soak.md has it of a run. */
const recoveryTable = (recoveries: readonly Recovery[]): string => {
  const rows = [...Map.groupBy(recoveries, ({ fault }) => fault)].map(([fault, those]) => {
    const times = those.map(({ acceptedAgainMs }) => acceptedAgainMs).toSorted((one, other) => one - other);
    const failed = those.reduce((sum, { requestsFailed }) => sum + requestsFailed, 0);
    const middle = times[Math.floor(times.length / 2)];
    return `| ${fault} | ${those.length} | ${inSeconds(middle)} | ${inSeconds(times.at(-1))} | ${failed} |`;
  });
  return [head, ...rows.toSorted()].join('\n');
};

interface Options {
  readonly seconds: number;
  readonly seed: number;
}

// the sandbox keeps all events in memory
const load = { perSecond: 8, clicksPerSecond: 4 } as const;
const pauseMs = 30_000;
const recovery = { timeoutMs: 180_000, everyMs: 100 } as const;
// a killed or frozen worker repeats what it held
const duplicatesPerFault = 50;

/** Starts the stack and breaks one thing after another under load. Then compares what was promised with what is there. */
export const soak = async ({ stack, report }: Surroundings, { seconds, seed }: Options): Promise<void> => {
  const { begin, check } = report;
  const { demo, connections, requested } = await checkStart(stack, report);
  begin(`soak of ${seconds} s, seed ${seed}`);
  const random = randomFrom(seed);
  const growth = growthOf(stack);
  const partner = await givenLoadedPartner(demo);
  const running = steadyLoad(partner, connections, load);
  const recoveries: Recovery[] = [];
  let happened = 0;

  const recovered = (service: string) =>
    until(`${service} is healthy`, async () => isHealthy(await stack.container(service)), recovery);

  const breakOnce = ({ name, happen, service }: Fault) =>
    check(name, async () => {
      const before = running.soFar();
      const start = performance.now();
      await happen(stack, random);
      const over = performance.now();
      const accepted = async () => running.soFar().accepted > before.accepted + load.perSecond;
      await until('conversions are accepted', accepted, recovery);
      const acceptedAt = performance.now();
      await recovered(service);
      const after = running.soFar();
      const requestsFailed = after.failed - before.failed;
      recoveries.push({ fault: name, acceptedAgainMs: acceptedAt - over, requestsFailed });
      const [lasted, again] = [over - start, acceptedAt - over].map((ms) => (ms / 1_000).toFixed(1));
      return `lasted ${lasted} s, accepted again ${again} s later, ${requestsFailed} requests failed`;
    });

  for (const end = Date.now() + seconds * 1_000; Date.now() < end; happened += 1) {
    await growth.look();
    await pause(pauseMs);
    const fault = faults[Math.floor(random() * faults.length)];
    if (fault) await breakOnce(fault);
  }
  await check('everything is healthy after the last fault', async () => {
    for (const service of services) await recovered(service);
  });
  await pause(pauseMs);
  await growth.look();
  const sent = await running.stop();
  await check(`nothing was lost, doubled or leaked by ${happened} faults`, () =>
    assertNothingLost(stack, partner, sent, { duplicatesMax: happened * duplicatesPerFault, requested }),
  );
  await check('no app uses more memory, sockets or timers than in the beginning', async () => growth.compare());
  report.say(`recovery by kind of fault:\n${recoveryTable(recoveries)}`);
};
