import { setTimeout as pause } from 'node:timers/promises';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from './metrics.ts';

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
