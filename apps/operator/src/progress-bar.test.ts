import { describe, expect, it } from 'vitest';
import { progressBar } from './progress.ts';

const given = (isTTY: boolean) => {
  const written: string[] = [];
  const lines: string[] = [];
  const terminal = { isTTY, write: (text: string) => written.push(text) > 0 };
  return { written, lines, show: progressBar({ terminal, line: (line) => lines.push(line) }) };
};

describe('progressBar', () => {
  it('redraws one line on a terminal and ends it once', () => {
    const { written, show } = given(true);
    show(0, 2_000, 'rows');
    show(1_000, 2_000, 'rows');
    show(2_000, 2_000, 'rows');
    show(2_000, 2_000, 'rows');
    expect(written).toEqual([
      `\r[${'-'.repeat(30)}] 0 %, 0 of 2,000 rows\u001B[K`,
      `\r[${'#'.repeat(15)}${'-'.repeat(15)}] 50 %, 1,000 of 2,000 rows\u001B[K`,
      `\r[${'#'.repeat(30)}] 100 %, 2,000 of 2,000 rows\u001B[K\n`,
    ]);
  });

  it('writes lines where there is no terminal', () => {
    const { written, lines, show } = given(false);
    show(1, 2, 'rows');
    expect([written, lines]).toEqual([[], ['1 of 2 rows']]);
  });
});
