import { setTimeout as pause } from 'node:timers/promises';
import { collectDefaultMetrics, Registry, Counter, Gauge, Histogram } from 'prom-client';

export type Metrics = Registry;

/** Includes the default metrics of the Node.js process. */
export const createMetrics = (app: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ app });
  collectDefaultMetrics({ register: registry });
  return registry;
};

interface Instrument<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** All possible values of each label. */
  readonly labels?: Readonly<Record<Label, readonly string[]>>;
}

interface WantedGauge<Label extends string> extends Instrument<Label> {
  /** Called whenever metrics are read. If it fails or takes longer than 500 ms, the gauge keeps its value. */
  readonly refresh?: (gauge: Gauge<Label>) => void | Promise<void>;
}

interface WantedHistogram<Label extends string> extends Instrument<Label> {
  /** In the unit of the metric name. */
  readonly buckets: readonly number[];
}

// other metrics must not wait for a slow refresh; Prometheus gives up after ten seconds
const refreshMaxMs = 500;

const combinationsOf = (labels: Readonly<Record<string, readonly string[]>> = {}): Record<string, string>[] =>
  Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [label, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );

/** Shares one run of `work` between concurrent calls and waits for it at most 500 ms. Never throws. */
const shareRun = (work: () => void | Promise<void>) => {
  let underWay: Promise<void> | undefined;
  const start = async () => {
    try {
      await work();
    } catch {
    } finally {
      underWay = undefined;
    }
  };
  return async (): Promise<void> => {
    underWay ??= start();
    await Promise.race([underWay, pause(refreshMaxMs, undefined, { ref: false })]);
  };
};

/**
 * Creates metrics. Every combination of labels is exported from the start, at zero: Prometheus sees no increase in a
 * series that begins with its first event.
 */
export const instruments = (metrics: Metrics) => {
  const configuration = ({ name, help, labels = {} }: Instrument<string>) => ({
    name,
    help,
    labelNames: Object.keys(labels),
    registers: [metrics],
  });
  return {
    counter: <Label extends string = never>(wanted: Instrument<Label>): Counter<Label> => {
      const counter: Counter = new Counter(configuration(wanted));
      for (const labels of combinationsOf(wanted.labels)) counter.inc(labels, 0);
      return counter;
    },
    gauge: <Label extends string = never>({ refresh, ...wanted }: WantedGauge<Label>): Gauge<Label> => {
      const collect = refresh && shareRun(() => refresh(gauge));
      const gauge: Gauge = new Gauge({ ...configuration(wanted), ...(collect && { collect }) });
      for (const labels of combinationsOf(wanted.labels)) gauge.set(labels, 0);
      return gauge;
    },
    histogram: <Label extends string = never>({ buckets, ...wanted }: WantedHistogram<Label>): Histogram<Label> => {
      const histogram: Histogram = new Histogram({ ...configuration(wanted), buckets: [...buckets] });
      for (const labels of combinationsOf(wanted.labels)) histogram.zero(labels);
      return histogram;
    },
  };
};

interface WatchedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

interface WatchedDatabase {
  /** May throw. */
  readonly answers: () => Promise<boolean>;
  readonly pool: WatchedPool;
}

/** Exports whether the database responds, how fast, and the use of its connections, with those of other pools. */
export const watchDatabase = (
  metrics: Metrics,
  { answers, pool }: WatchedDatabase,
  ...others: readonly WatchedPool[]
): void => {
  const sum = (countOf: (one: WatchedPool) => number) =>
    [pool, ...others].reduce((total, one) => total + countOf(one), 0);
  const { gauge } = instruments(metrics);
  // first, because the check below takes a connection too
  gauge({
    name: 'leadback_database_connections',
    help: 'Database connections: busy, idle, and requests that wait for one',
    labels: { state: ['busy', 'idle', 'awaited'] },
    refresh(connections) {
      connections.set(
        { state: 'busy' },
        sum(({ totalCount, idleCount }) => totalCount - idleCount),
      );
      connections.set(
        { state: 'idle' },
        sum(({ idleCount }) => idleCount),
      );
      connections.set(
        { state: 'awaited' },
        sum(({ waitingCount }) => waitingCount),
      );
    },
  });

  const check = async () => {
    const since = performance.now();
    const isUp = await answers().catch(() => false);
    return { isUp, seconds: (performance.now() - since) / 1000 };
  };
  let running: ReturnType<typeof check> | undefined;
  const checkOnce = () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };
  gauge({
    name: 'leadback_database_up',
    help: 'Whether the database responded to the last check: 1 or 0',
    refresh: async (up) => up.set((await checkOnce()).isUp ? 1 : 0),
  });
  gauge({
    name: 'leadback_database_answer_seconds',
    help: 'Duration of a minimal statement, including the wait for a connection',
    refresh: async (answer) => answer.set((await checkOnce()).seconds),
  });
};

export const watchBroker = (metrics: Metrics, isUp: () => boolean): void => {
  instruments(metrics).gauge({
    name: 'leadback_broker_up',
    help: 'Whether RabbitMQ accepts messages of the app: 1 or 0',
    refresh: (up) => up.set(isUp() ? 1 : 0),
  });
};
