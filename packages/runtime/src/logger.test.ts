import { describe, expect, it } from 'vitest';
import { loggedError } from './logger.ts';

describe('a logged error', () => {
  it('tells what happened and where', () => {
    const logged = loggedError(new TypeError('x is not a function'));
    expect(logged).toMatchObject({ type: 'TypeError', message: 'x is not a function' });
    expect(logged.at.length).toBeGreaterThan(0);
  });

  it('shows nothing of the values that a database error or a request carries', () => {
    const error = Object.assign(new Error('invalid input: "ana@example.com"'), {
      code: '22P02',
      detail: 'Key (email)=(ana@example.com) already exists.',
      options: { headers: { authorization: 'Bearer secret' } },
    });
    const text = JSON.stringify(loggedError(new Error('could not save', { cause: error })));
    expect(text).toContain('22P02');
    expect(text).not.toMatch(/ana@example|secret/);
  });
});
