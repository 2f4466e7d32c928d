import { describe, expect, it } from 'vitest';
import { keepRunning, type Runs } from './keep-running.ts';

/** A fake process. */
const givenRunning = (pid: number) => {
  const ended = Promise.withResolvers<void>();
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    ended.resolve();
  };
  const running: Runs = {
    pid,
    exited: ended.promise,
    [Symbol.asyncDispose]: () => {
      end();
      return ended.promise;
    },
  };
  return { running, end, hasEnded: () => hasEnded };
};

describe('keepRunning', () => {
  it('restarts a process that has ended, and stops it for good when disposed', async () => {
    const [first, second] = [givenRunning(1), givenRunning(2)];
    const startedAgain: number[] = [];
    const keeping = keepRunning({
      name: 'api',
      running: first.running,
      startAgain: () => Promise.resolve(second.running),
      onStartedAgain: (pid) => startedAgain.push(pid),
      say: () => {},
    });
    first.end();
    await expect.poll(() => startedAgain).toEqual([2]);
    await keeping[Symbol.asyncDispose]();
    expect(second.hasEnded()).toBe(true);
    expect(startedAgain).toEqual([2]);
  });

  it('stops a process that is being restarted when disposed, without reporting the restart', async () => {
    const [first, second] = [givenRunning(1), givenRunning(2)];
    const starting = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<Runs>();
    const startedAgain: number[] = [];
    const keeping = keepRunning({
      name: 'api',
      running: first.running,
      startAgain: () => {
        starting.resolve();
        return gate.promise;
      },
      onStartedAgain: (pid) => startedAgain.push(pid),
      say: () => {},
    });
    first.end();
    await starting.promise;
    const stopped = keeping[Symbol.asyncDispose]();
    gate.resolve(second.running);
    await stopped;
    expect(second.hasEnded()).toBe(true);
    expect(startedAgain).toEqual([]);
  });
});
