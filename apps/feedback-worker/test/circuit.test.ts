import type { Outcome } from '@leadback/platforms';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCircuit } from '../src/circuit.ts';

const unavailable: Outcome = { kind: 'unavailable', reason: 'ETIMEDOUT' };
const delivered: Outcome = { kind: 'delivered' };

const givenCircuit = () => {
  const rests: number[] = [];
  const circuit = createCircuit((restMs) => rests.push(restMs));
  const state = { requests: 0 };
  const send = async (outcome: Outcome) => {
    const answer = await circuit.send(() => {
      state.requests += 1;
      return Promise.resolve({ outcome, httpStatus: null, body: null, durationMs: 1 });
    });
    return answer.outcome;
  };
  const fail = async (times: number) => {
    for (let time = 0; time < times; time += 1) await send(unavailable);
  };
  return { circuit, rests, state, send, fail };
};

describe("a connection's circuit", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('rests when most of its latest requests have failed, and sends nothing meanwhile', async () => {
    const { circuit, rests, state, send, fail } = givenCircuit();
    await fail(9);
    expect(circuit.isCircuitOpen()).toBe(false);
    await fail(1);
    expect(circuit.isCircuitOpen()).toBe(true);
    expect(await send(delivered)).toEqual({ kind: 'postponed', reason: 'connection_rests', retryAfterMs: 30_000 });
    expect([rests, state.requests]).toEqual([[30_000], 10]);
  });

  it('does not rest for a few failures among successes', async () => {
    const { circuit, send, fail } = givenCircuit();
    for (let round = 0; round < 20; round += 1) {
      await fail(1);
      await send(delivered);
    }
    expect(circuit.isCircuitOpen()).toBe(false);
  });

  it('tries one request when it has rested, and rests twice as long each time that fails, at most 15 minutes', async () => {
    const { rests, send, fail } = givenCircuit();
    await fail(10);
    for (let round = 0; round < 6; round += 1) {
      vi.advanceTimersByTime(rests.at(-1) ?? 0);
      await fail(1);
    }
    expect(rests.map((ms) => ms / 1000)).toEqual([30, 60, 120, 240, 480, 900, 900]);
    vi.advanceTimersByTime(900_000);
    expect(await send(delivered)).toEqual(delivered);
    await fail(8);
    expect(rests).toHaveLength(7);
  });

  it.each([
    ['30 s', 30_000, 30_000],
    ['a day, for an hour', 86_400_000, 3_600_000],
  ])('rests at once when the platform asks for it: %s', async (_name, retryAfterMs, restMs) => {
    const { rests, state, send } = givenCircuit();
    await send({ kind: 'throttled', reason: '429', retryAfterMs });
    expect(await send(delivered)).toMatchObject({ kind: 'postponed' });
    expect([rests, state.requests]).toEqual([[restMs], 1]);
    vi.advanceTimersByTime(restMs);
    expect(await send(delivered)).toEqual(delivered);
  });

  it('takes what was not sent for no sign of life', async () => {
    const { rests, send, fail } = givenCircuit();
    const notSent: Outcome = { kind: 'postponed', reason: 'quota', retryAfterMs: 0 };
    for (let time = 0; time < 20; time += 1) await send(notSent);
    await fail(10);
    vi.advanceTimersByTime(30_000);
    await send(notSent);
    expect(rests).toEqual([30_000, 60_000]);
  });

  it('does not rest for what is wrong with events', async () => {
    const { circuit, send } = givenCircuit();
    for (let time = 0; time < 30; time += 1) await send({ kind: 'rejected', reason: 'bad' });
    expect(circuit.isCircuitOpen()).toBe(false);
  });

  it('rests a moment when the credentials are refused, so that nothing more is sent before that is known', async () => {
    const { rests, state, send } = givenCircuit();
    await send({ kind: 'refused', reason: 'revoked' });
    expect(await send(delivered)).toMatchObject({ kind: 'postponed' });
    expect([rests, state.requests]).toEqual([[5_000], 1]);
  });
});
