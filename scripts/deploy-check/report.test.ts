import { expect, it } from 'vitest';
import { openReport, tableOf } from './report.ts';

it('a table has the part, the result, the time and the first line of what was seen', () => {
  const rows = [
    { part: 'images', claim: 'all build', isHeld: true, seconds: 12.34, seen: '227 MB' },
    { part: 'kill -9', claim: 'nothing is lost', isHeld: false, seconds: 1, seen: 'O1\nmore' },
    { part: 'compose', claim: 'starts', isHeld: true, seconds: 0, seen: '' },
  ];
  expect(tableOf(rows)).toBe(
    [
      'images   ok      12.3 s  all build: 227 MB',
      'kill -9  FAILED   1.0 s  nothing is lost: O1',
      'compose  ok       0.0 s  starts',
    ].join('\n'),
  );
});

it('a claim that fails is kept, and the checks after it go on', async () => {
  const lines: string[] = [];
  const { begin, check, hasFailed, table } = openReport((line) => lines.push(line));
  begin('part');
  const held = [
    await check('first', async () => {
      throw new Error('it broke');
    }),
    await check('second', async () => 'seen'),
  ];
  expect([held, hasFailed()]).toEqual([[false, true], true]);
  expect(table()).toMatch(/FAILED .* first: it broke\n.* ok .* second: seen$/);
  expect(lines).toHaveLength(3);
});
