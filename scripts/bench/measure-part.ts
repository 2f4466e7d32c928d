import { benchStack, type StackOptions } from './bench-stack.ts';
import type { Checkout } from './checkout.ts';
import type { Figures } from './figures.ts';
import { type GoalResult, goalResult } from './goal-result.ts';
import type { LoadGenerator } from './load/load-generator.ts';
import type { Bench, Measure, Measurements, Part, PartSettings } from './part.ts';
import { say } from './say.ts';

export interface MeasuredPart {
  readonly name: string;
  readonly does: string;
  /** The figures of each round, by measurement; those of another checkout have its folder in their name. */
  readonly measurements: Readonly<Record<string, readonly Figures[]>>;
  readonly goals: readonly GoalResult[];
}

export interface Measured {
  readonly checkout: Checkout;
  readonly options: StackOptions;
}

interface Measuring {
  readonly settings: PartSettings;
  readonly generator: LoadGenerator;
  /** The first is this one; another one is compared with it. */
  readonly checkouts: readonly Measured[];
}

/** The name of a measurement of another checkout. */
const nameAt = (measurement: string, { checkout }: Measured): string => `${measurement} (${checkout.root})`;

/** How many per second, of each operation if there are several. */
const ratesOf = (figures: Figures): string =>
  Object.entries(figures)
    .filter(([label]) => label.endsWith('per second'))
    .map(([, rate]) => rate.toFixed())
    .join(', ');

/** All steps, in the order in which a round takes them. */
const stepsOf = (all: Measurements) => {
  const steps = [...all].flatMap(([own, measure]) => [measure].flat().map((step, index) => ({ own, step, index })));
  return steps.toSorted((one, other) => one.index - other.index);
};

/**
 * Measures everything once per round, so that all see the same neighbours on the machine. Every second round goes
 * backwards, so that nothing always comes first.
 */
export const measurePart = async (name: string, part: Part, measuring: Measuring): Promise<MeasuredPart> => {
  const { settings, generator, checkouts } = measuring;
  const start = performance.now();
  await using ending = new AsyncDisposableStack();
  const prepareAt = ({ checkout, options }: Measured) => {
    const bench: Bench = { settings, generator, open: (until = ending) => benchStack(checkout, options, until) };
    return part.prepare(bench);
  };
  const all = new Map<string, Measure | readonly Measure[]>();
  for (const [index, measured] of checkouts.entries()) {
    say(`  preparing ${measured.checkout.root}`);
    const { measurements, baselines } = await prepareAt(measured);
    for (const [own, measure] of measurements) all.set(index === 0 ? own : nameAt(own, measured), measure);
    if (index === 0) for (const [own, measure] of (await baselines?.()) ?? []) all.set(own, measure);
  }

  const steps = stepsOf(all);
  const figures = new Map([...all.keys()].map((own) => [own, new Array<Figures>()]));
  const rounds = part.rounds ?? settings.rounds;
  for (let round = 1; round <= rounds; round += 1) {
    const ofRound = new Map<string, Figures>([...all.keys()].map((own) => [own, {}]));
    for (const { own, step } of round % 2 === 1 ? steps : steps.toReversed()) {
      const measured = await step();
      say(`  round ${round} of ${rounds}, ${own}: ${ratesOf(measured)}`);
      ofRound.set(own, { ...ofRound.get(own), ...measured });
    }
    for (const [own, measured] of ofRound) figures.get(own)?.push(measured);
  }
  say(`  took ${Math.round((performance.now() - start) / 1_000)} s`);
  const measurements = Object.fromEntries(figures);
  // a baseline may need a program that this machine does not have
  const goals = part
    .goals(settings)
    .filter(({ beside }) => beside === undefined || measurements[beside] !== undefined)
    .map((goal) => goalResult(goal, measurements));
  return { name, does: part.does(settings), measurements, goals };
};
