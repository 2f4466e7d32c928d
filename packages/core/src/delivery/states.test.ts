import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { deliveryStates, transitions } from './states.ts';

it('documents every transition of a delivery with the words of the code', async () => {
  const document = await readFile(new URL('./states.md', import.meta.url), 'utf8');
  const rows = document.split('\n').filter((line) => /^\| \d/.test(line));
  const expected = transitions.map(({ number, from, to, condition, where, afterCrash }) => {
    const cells = [number, from.join(', ') || '–', to.join(', '), condition, where, afterCrash];
    return `| ${cells.join(' | ')} |`;
  });
  expect(rows).toEqual(expected);
});

it('documents every state of a delivery', async () => {
  const document = await readFile(new URL('./states.md', import.meta.url), 'utf8');
  for (const state of deliveryStates) expect(document).toContain(state);
});
