import { expect, it } from 'vitest';
import { recoveryTable } from './recoveries.ts';

it('the table of a soak has a row for each kind of fault, with the median, the longest time and all failed requests', () => {
  const recoveries = [300, 100, 12_340].map((acceptedAgainMs) => ({
    fault: 'api',
    acceptedAgainMs,
    requestsFailed: 2,
  }));
  expect(recoveryTable([{ fault: 'rabbitmq', acceptedAgainMs: 0, requestsFailed: 0 }, ...recoveries])).toBe(
    [
      '| fault | times | accepted again: median | at the latest | requests failed |',
      '|---|---|---|---|---|',
      '| api | 3 | 0.3 s | 12.3 s | 6 |',
      '| rabbitmq | 1 | 0.0 s | 0.0 s | 0 |',
    ].join('\n'),
  );
});
