import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/code-blocks.ts';

const rows = readFileSync(join(root, 'docs/limits.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| limit |'))
  .map((line) => line.slice(1, -1).split('|'));

it('names, for each limit that a stranger can meet, what it counts, whom it hits, how to get past it, and a test', () => {
  expect(rows.length).toBeGreaterThan(10);
  const incomplete = rows.filter((cells) => {
    const files = Array.from((cells[4] ?? '').matchAll(/`([^`]+\.test\.ts)`/g), ([, file = '']) => file);
    const isWhole = cells.length === 5 && cells.every((cell) => cell.trim() !== '');
    return !isWhole || files.length === 0 || files.some((file) => !existsSync(join(root, file)));
  });
  expect(incomplete).toEqual([]);
});
