import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../start/data-folder.ts';
import { tallyOf } from './run-round.ts';
import { closingLines } from './tally.ts';

const fileWith = (name: string, assertionResults: readonly object[], message = '') => ({
  name: join(root, name),
  status: assertionResults.length > 0 ? 'passed' : 'failed',
  message,
  assertionResults,
});

it('names each test that did not pass with its whole message, counting a skipped test and a file that does not load as failed', () => {
  const report = {
    testResults: [
      fileWith('a.test.ts', [
        { fullName: 'orders are kept', status: 'passed', failureMessages: [] },
        { fullName: 'orders are sorted', status: 'failed', failureMessages: ['Error: expected 1\n    at a.test.ts:3'] },
        { fullName: 'orders are sent', status: 'skipped' },
      ]),
      fileWith('b.test.ts', [], 'Cannot find b.ts\nImported from b.test.ts'),
      { ...fileWith('c.test.ts', [{ fullName: 'orders are found', status: 'skipped' }]), status: 'failed' },
    ],
  };
  expect(tallyOf(report)).toEqual({
    passed: 1,
    failures: [
      'a.test.ts: orders are sorted: Error: expected 1',
      'a.test.ts: orders are sent: skipped',
      'b.test.ts: Cannot find b.ts\n    Imported from b.test.ts',
      'c.test.ts: failed outside its tests',
      'c.test.ts: orders are found: skipped',
    ],
  });
});

it('ends with what failed, the seconds of each part and of all, and the totals', () => {
  const tallies = [
    { name: 'checks', seconds: 90.04, passed: 7, failures: [] },
    { name: 'tests', seconds: 1000, passed: 6000, failures: ['a.test.ts: orders are sent: skipped'] },
  ];
  expect(closingLines(tallies, 1100)).toEqual([
    '✗ a.test.ts: orders are sent: skipped',
    '    90.0 s  checks',
    '  1000.0 s  tests',
    '1100.0 s',
    '6007 passed, 1 failed',
  ]);
});
