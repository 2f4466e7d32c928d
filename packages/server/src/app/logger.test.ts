import { describe, expect, it } from 'vitest';
import { loggedError, loggedTime } from './logger.ts';

describe('a logged error', () => {
  it('logs the type, message and stack frames of an error', () => {
    const logged = loggedError(new TypeError('x is not a function'));
    expect(logged).toMatchObject({ type: 'TypeError', message: 'x is not a function' });
    expect(logged.at.length).toBeGreaterThan(0);
  });

  it('logs no values from database errors or requests', () => {
    const error = Object.assign(new Error('invalid input: "ana@example.com"'), {
      code: '22P02',
      detail: 'Key (email)=(ana@example.com) already exists.',
      options: { headers: { authorization: 'Bearer secret' } },
    });
    const text = JSON.stringify(loggedError(new Error('failed to save', { cause: error })));
    expect(text).toContain('22P02');
    expect(text).not.toMatch(/ana@example|secret/);
  });
});

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
