import { expect, it } from 'vitest';
import { awaitedConfirms } from './publisher.ts';

it('tells which message was returned, and remembers none afterwards', () => {
  const awaited = awaitedConfirms();
  awaited.begin('bound');
  awaited.begin('unbound');
  awaited.returned('unbound');
  expect(awaited.count()).toBe(2);
  expect([awaited.end('bound'), awaited.end('unbound')]).toEqual([false, true]);
  expect([awaited.count(), awaited.end('unbound')]).toEqual([0, false]);
});

it('remembers no message that is returned after its time-out', () => {
  const awaited = awaitedConfirms();
  awaited.begin('late');
  expect(awaited.end('late')).toBe(false);
  awaited.returned('late');
  expect([awaited.count(), awaited.end('late')]).toEqual([0, false]);
});
