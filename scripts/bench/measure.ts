import type { Pool } from 'pg';
import { z } from 'zod';
import { type Figures, medianOf, medians, meterCpu, type ProcessIds, say } from './figures.ts';
import type { Asked, Load, LoadGenerator, Rate } from './load.ts';
import type { BenchStack } from './stack.ts';

export interface Settings {
  /** How long each measurement lasts, without warm-up. */
  readonly seconds: number;
  readonly rounds: number;
  /** Connections of the load generator. */
  readonly callers: number;
  /** Due deliveries of the backlog. */
  readonly rows: number;
}

export interface Bench {
  readonly settings: Settings;
  readonly generator: LoadGenerator;
  /** Starts empty servers, which stay until the part has ended. */
  readonly open: () => Promise<BenchStack>;
}

export type Measure = () => Promise<Figures>;

/** What is measured in each round, by name. */
export type Measurements = ReadonlyMap<string, Measure>;

type Target = { readonly atLeast: number } | { readonly atMost: number };

/** A figure with a target, divided by the same figure of another measurement of the same round if there is one. */
interface Goal {
  readonly measurement: string;
  readonly figure: string;
  readonly beside?: string;
  readonly target: Target;
}

/** A part of the benchmark. It has servers of its own, so that its figures do not depend on the other parts. */
export interface Part {
  /** What it does, printed when it begins. */
  readonly does: (settings: Settings) => string;
  readonly goals: (settings: Settings) => readonly Goal[];
  readonly prepare: (bench: Bench) => Promise<Measurements>;
  /** Default: `--rounds`. */
  readonly rounds?: number;
}

interface GoalResult extends Goal {
  /** The figure, or the ratio, of each round. */
  readonly values: readonly number[];
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly isMet: boolean;
}

export interface MeasuredPart {
  readonly name: string;
  readonly does: string;
  /** The figures of each round, by measurement. */
  readonly measurements: Readonly<Record<string, readonly Figures[]>>;
  readonly goals: readonly GoalResult[];
}

const meets = (value: number, target: Target): boolean =>
  'atLeast' in target ? value >= target.atLeast : value <= target.atMost;

/** Compares within each round, because rounds differ more than what is compared: neighbours on the machine come and go. */
const goalResult = (goal: Goal, measurements: MeasuredPart['measurements']): GoalResult => {
  const { measurement, figure, beside, target } = goal;
  const valuesOf = (name: string) => (measurements[name] ?? []).map((figures) => figures[figure] ?? Number.NaN);
  const others = beside === undefined ? undefined : valuesOf(beside);
  const values = valuesOf(measurement).map((value, round) => (others ? value / (others[round] ?? Number.NaN) : value));
  const median = medianOf(values);
  return { ...goal, values, median, min: Math.min(...values), max: Math.max(...values), isMet: meets(median, target) };
};

/**
 * Measures everything once per round, so that all see the same neighbours on the machine. Every second round goes
 * backwards, so that nothing always comes first.
 */
export const measurePart = async (
  name: string,
  part: Part,
  bench: Omit<Bench, 'open'> & { readonly open: (ending: AsyncDisposableStack) => Promise<BenchStack> },
): Promise<MeasuredPart> => {
  const { settings } = bench;
  const start = performance.now();
  await using ending = new AsyncDisposableStack();
  const all = await part.prepare({ ...bench, open: () => bench.open(ending) });
  const measurements: Record<string, Figures[]> = Object.fromEntries([...all.keys()].map((own) => [own, []]));
  const rounds = part.rounds ?? settings.rounds;
  for (let round = 1; round <= rounds; round += 1) {
    for (const [own, measure] of round % 2 === 1 ? all : [...all].toReversed()) {
      const measured = await measure();
      say(`  round ${round} of ${rounds}, ${own}: ${measured['per second']?.toFixed() ?? ''}`);
      measurements[own]?.push(measured);
    }
  }
  say(`  took ${Math.round((performance.now() - start) / 1_000)} s`);
  // a baseline may need a program that this machine does not have
  const goals = part
    .goals(settings)
    .filter(({ beside }) => beside === undefined || measurements[beside] !== undefined)
    .map((goal) => goalResult(goal, measurements));
  return { name, does: part.does(settings), measurements, goals };
};

const shown = (value: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return '';
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
};

const table = (rows: readonly (readonly string[])[]): string => {
  const [head = [], ...others] = rows;
  return [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

/** Medians: a column per measurement. */
export const tableOf = ({ does, measurements }: MeasuredPart): string => {
  const columns = Object.entries(measurements).map(([name, rounds]) => ({ name, figures: medians(rounds) }));
  const labels = new Set(columns.flatMap(({ figures }) => Object.keys(figures)));
  const head = [does, ...columns.map(({ name }) => name)];
  return table([head, ...[...labels].map((label) => [label, ...columns.map(({ figures }) => shown(figures[label]))])]);
};

/** The targets: the median of what each round measured, with the lowest and the highest. */
export const goalsTable = (goals: readonly GoalResult[]): string => {
  const rows = goals.map(({ measurement, figure, beside, target, median, min, max, isMet }) => [
    figure === 'per second' ? measurement : `${measurement}: ${figure}`,
    beside ?? '',
    'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`,
    `${shown(median)} (${shown(min)} to ${shown(max)})`,
    isMet ? 'yes' : 'no',
  ]);
  return table([['path', 'beside', 'target', 'measured', 'met'], ...rows]);
};

interface Steady extends Pick<Load, 'polls'> {
  readonly seconds?: number;
}

/** Steady load on one URL. */
export const steadyLoad = (
  { generator, settings }: Bench,
  asked: Asked,
  { seconds = settings.seconds, polls }: Steady = {},
): Promise<Rate> =>
  generator.run({ asked, seconds, warmUpSeconds: 0.5, connections: settings.callers, ...(polls && { polls }) });

// until V8 has optimized what is called often
const warmUpSeconds = 5;

/** Some load, and up-to-date statistics. */
export const warmUp = async (bench: Bench, pool: Pool, asked: Asked): Promise<void> => {
  say('  warming up');
  await steadyLoad(bench, asked, { seconds: warmUpSeconds });
  await pool.query('vacuum analyze');
};

const newestLead = z.tuple([z.object({ id: z.string() })]);
const leadCount = z.tuple([z.object({ n: z.coerce.number() })]);

/** Starts to count the leads that are added. The function that it returns counts them, without those from before. */
const startLeadCount = async (pool: Pool): Promise<() => Promise<number>> => {
  const { rows } = await pool.query('select coalesce(max(id), 0) as id from lead');
  const [{ id }] = newestLead.parse(rows);
  return async () =>
    leadCount.parse((await pool.query('select count(*) as n from lead where id > $1', [id])).rows)[0].n;
};

interface Loaded extends Omit<Steady, 'seconds'> {
  /** Each response must have added a lead there: landing also redirects if it could store none. */
  readonly leadsIn?: Pool;
}

/** Returns the measurement of processes under load: throughput, latency and CPU time. */
export const underLoad =
  (bench: Bench, asked: Asked, processes: ProcessIds, { leadsIn, ...steady }: Loaded = {}): Measure =>
  async () => {
    const countAdded = leadsIn && (await startLeadCount(leadsIn));
    const cpu = meterCpu({ processes, apart: { 'load generator': bench.generator.pid } });
    const rate = await steadyLoad(bench, asked, steady);
    const figures = { 'per second': rate.perSecond, 'p50 ms': rate.p50, 'p99 ms': rate.p99, ...cpu(rate.operations) };
    const added = await countAdded?.();
    if (added !== undefined && added < rate.operations) {
      throw new Error(`${rate.operations} clicks added only ${added} leads: landing could not store the others`);
    }
    return figures;
  };
