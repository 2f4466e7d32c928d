import type { Footprint } from '../../../tests/support/metrics.ts';
import type { ComposeStack } from '../stack/compose-stack.ts';
import { type App, footprintOf } from '../stack/work-of.ts';

const apps = ['landing', 'api', 'feedback-worker', 'console'] as const satisfies readonly App[];

export interface Growth {
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

/** Whether apps grow while they run: memory that is not freed, sockets that are not closed. */
export const growthOf = (stack: ComposeStack): Growth => {
  const seen = new Map<App, Footprint[]>(apps.map((app) => [app, []]));
  return {
    look: async () => {
      for (const app of apps) {
        const footprint = await footprintOf(app, await stack.container(app)).catch(() => undefined);
        if (footprint) seen.get(app)?.push(footprint);
      }
    },
    compare: () => {
      const [lines, grown]: [string[], string[]] = [[], []];
      for (const [app, footprints] of seen) {
        const third = Math.max(1, Math.floor(footprints.length / 3));
        const [first, last] = [footprints.slice(0, third), footprints.slice(-third)];
        for (const [measure, unit] of [
          ['memoryMb', 'MB'],
          ['resources', 'handles'],
        ] as const) {
          const [before, after] = [first, last].map((some) => median(some.map((one) => one[measure])));
          const line = `${app} ${before} → ${after} ${unit}`;
          lines.push(line);
          const isEnough = footprints.length >= looksMin;
          if (isEnough && Number(after) > Number(before) * growthMax) grown.push(line);
        }
      }
      if (grown.length > 0) throw new Error(`grown: ${grown.join(', ')}`);
      return lines.join(', ');
    },
  };
};
