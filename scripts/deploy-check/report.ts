import { styleText } from 'node:util';

interface Result {
  readonly part: string;
  readonly claim: string;
  readonly isHeld: boolean;
  readonly seconds: number;
  /** What was measured, or why it failed. */
  readonly seen: string;
}

export interface Report {
  /** Prints a line of progress. */
  readonly say: (text: string) => void;
  /** Checks a claim; what it returns is shown beside it. A failure is kept for the table, and resolves to false. */
  readonly check: (claim: string, run: () => Promise<string | void>) => Promise<boolean>;
  /** The checks that follow belong to this part. */
  readonly begin: (part: string) => void;
  /** No more checks begin or end: everything is being taken down. */
  readonly end: () => void;
  readonly hasFailed: () => boolean;
  readonly table: () => string;
}

const firstLine = (text: string) => text.split('\n')[0] ?? '';

/** The results as a table. */
const tableOf = (results: readonly Result[]): string => {
  const rows = results.map(({ part, claim, isHeld, seconds, seen }) => [
    part,
    isHeld ? 'ok' : 'FAILED',
    `${seconds.toFixed(1)} s`,
    firstLine(seen) === '' ? claim : `${claim}: ${firstLine(seen)}`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((cell, column) => (column === 2 ? cell.padStart(widths[2] ?? 0) : cell.padEnd(widths[column] ?? 0))),
    )
    .map((cells) => cells.join('  ').trimEnd())
    .join('\n');
};

export const openReport = (print: (text: string) => void): Report => {
  const results: Result[] = [];
  let part = '';
  let isEnding = false;
  const untilTakenDown = new Promise<never>(() => {});
  const startedAt = performance.now();
  const clock = () => `${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s`;
  const say = (text: string) => print(`${clock()}  ${text}`);
  return {
    say,
    begin: (name) => {
      part = name;
      say(styleText('bold', name));
    },
    check: async (claim, run) => {
      if (isEnding) return untilTakenDown;
      const start = performance.now();
      const keep = (isHeld: boolean, seen: string) => {
        results.push({ part, claim, isHeld, seconds: (performance.now() - start) / 1_000, seen });
        say(`  ${isHeld ? 'ok' : 'FAILED'}  ${claim}${seen === '' ? '' : `: ${seen}`}`);
        return isHeld;
      };
      try {
        return keep(true, (await run()) ?? '');
      } catch (error) {
        if (isEnding) return untilTakenDown;
        return keep(false, error instanceof Error ? error.message : String(error));
      }
    },
    end: () => {
      isEnding = true;
    },
    hasFailed: () => results.some(({ isHeld }) => !isHeld),
    table: () => tableOf(results),
  };
};
