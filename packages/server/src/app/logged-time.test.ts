import { expect, it } from 'vitest';
import { loggedTime } from './logged-time.ts';

it('each log line has the time of its own millisecond, also after the clock was set back', () => {
  const times = [0, 0, 1_700_000_000_123, 1_700_000_000_122];
  const time = loggedTime(() => times.shift() ?? 0);
  expect([time(), time(), time(), time()]).toEqual([
    ',"time":"1970-01-01T00:00:00.000Z"',
    ',"time":"1970-01-01T00:00:00.000Z"',
    ',"time":"2023-11-14T22:13:20.123Z"',
    ',"time":"2023-11-14T22:13:20.122Z"',
  ]);
});
