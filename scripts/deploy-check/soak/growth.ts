import type { ComposeStack } from '../stack/compose-stack.ts';
import { type App, type Usage, usageOf } from '../stack/work-of.ts';

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

/** Whether apps grow while they run: memory that is not freed, sockets that are not closed, timers that are not cleared. */
export const growthOf = (stack: ComposeStack): Growth => {
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
