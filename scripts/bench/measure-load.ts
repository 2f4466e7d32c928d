import type { Pool } from 'pg';
import { meterCpu, type ProcessIds } from './cpu-meter.ts';
import type { Figures } from './figures.ts';
import type { Asked, Load, Rate } from './load/load.ts';
import type { Bench } from './part.ts';
import { startLeadCount } from './lead-count.ts';

const warmUpSeconds = 0.5;

interface Steady extends Pick<Load, 'polls'> {
  readonly seconds?: number;
  /** Seconds. */
  readonly warmUp?: number;
}

/** Steady load on one URL. */
export const steadyLoad = (
  { generator, settings }: Bench,
  asked: Asked,
  { seconds = settings.seconds, warmUp = warmUpSeconds, polls }: Steady = {},
): Promise<Rate> =>
  generator.run({ asked, seconds, warmUpSeconds: warmUp, connections: settings.callers, ...(polls && { polls }) });

const figuresOf = ({ perSecond, p50, p99 }: Rate): Figures => ({
  'per second': perSecond,
  'p50 ms': p50,
  'p99 ms': p99,
});

interface Loaded extends Omit<Steady, 'seconds'> {
  /** Each response must have added a lead there: landing also redirects if it could store none. */
  readonly leadsIn?: Pool;
}

/** Returns the measurement of processes under load: throughput, latency and CPU time. */
export const underLoad =
  (bench: Bench, asked: Asked, processes: ProcessIds, { leadsIn, ...steady }: Loaded = {}) =>
  async (): Promise<Figures> => {
    const countAdded = leadsIn && (await startLeadCount(leadsIn));
    const cpu = meterCpu({ processes, apart: { 'load generator': bench.generator.pid } });
    const rate = await steadyLoad(bench, asked, steady);
    const figures = { ...figuresOf(rate), ...cpu(rate.operations) };
    const added = await countAdded?.();
    if (added !== undefined && added < rate.operations) {
      throw new Error(`${rate.operations} clicks added only ${added} leads: landing could not store the others`);
    }
    return figures;
  };
