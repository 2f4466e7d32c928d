import type { Outcome } from '@leadback/domain';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCircuit } from './send.ts';

const unavailable: Outcome = { kind: 'unavailable', reason: 'ETIMEDOUT' };
const delivered: Outcome = { kind: 'delivered' };

const givenCircuit = () => {
  const pauses: number[] = [];
  const quotaPauses: number[] = [];
  const circuit = createCircuit({
    onOpen: (openMs) => pauses.push(openMs),
    onQuotaUsedUp: (pauseMs) => quotaPauses.push(pauseMs),
  });
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
  return { circuit, pauses, quotaPauses, state, send, fail };
};

describe("a connection's circuit", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('the circuit opens when most of the latest requests have failed, and nothing is sent meanwhile', async () => {
    const { circuit, pauses, state, send, fail } = givenCircuit();
    await fail(9);
    expect(circuit.isCircuitOpen()).toBe(false);
    await fail(1);
    expect(circuit.isCircuitOpen()).toBe(true);
    expect(await send(delivered)).toEqual({ kind: 'postponed', reason: 'connection_rests', retryAfterMs: 30_000 });
    expect([pauses, state.requests]).toEqual([[30_000], 10]);
  });

  it('the circuit does not open for a few failures among successes', async () => {
    const { circuit, send, fail } = givenCircuit();
    for (let round = 0; round < 20; round += 1) {
      await fail(1);
      await send(delivered);
    }
    expect(circuit.isCircuitOpen()).toBe(false);
  });

  it('the circuit allows one trial request after each pause, and each failure doubles the pause up to 15 minutes', async () => {
    const { pauses, send, fail } = givenCircuit();
    await fail(10);
    for (let round = 0; round < 6; round += 1) {
      vi.advanceTimersByTime(pauses.at(-1) ?? 0);
      await fail(1);
    }
    expect(pauses.map((ms) => ms / 1000)).toEqual([30, 60, 120, 240, 480, 900, 900]);
    vi.advanceTimersByTime(900_000);
    expect(await send(delivered)).toEqual(delivered);
    await fail(8);
    expect(pauses).toHaveLength(7);
  });

  it.each([
    ['30 s', 30_000, 30_000],
    ['a day, for an hour', 86_400_000, 3_600_000],
  ])('the circuit opens at once when the platform requests a pause: %s', async (_name, retryAfterMs, openMs) => {
    const { pauses, state, send } = givenCircuit();
    await send({ kind: 'throttled', reason: '429', retryAfterMs });
    expect(await send(delivered)).toMatchObject({ kind: 'postponed' });
    expect([pauses, state.requests]).toEqual([[openMs], 1]);
    vi.advanceTimersByTime(openMs);
    expect(await send(delivered)).toEqual(delivered);
  });

  it('a quota that is used up pauses the connection, and does not open the circuit', async () => {
    const { circuit, pauses, quotaPauses, state, send } = givenCircuit();
    await send({ kind: 'postponed', reason: 'quota', retryAfterMs: 5_000 });
    expect(await send(delivered)).toEqual({ kind: 'postponed', reason: 'quota', retryAfterMs: 5_000 });
    expect([circuit.isPaused(), circuit.isCircuitOpen()]).toEqual([true, false]);
    expect([pauses, quotaPauses, state.requests]).toEqual([[], [5_000], 1]);
    vi.advanceTimersByTime(5_000);
    expect([await send(delivered), circuit.isPaused()]).toEqual([delivered, false]);
  });

  it('a request that was not sent does not close the circuit', async () => {
    const { pauses, send, fail } = givenCircuit();
    const notSent: Outcome = { kind: 'postponed', reason: 'quota', retryAfterMs: 0 };
    for (let time = 0; time < 20; time += 1) await send(notSent);
    await fail(10);
    vi.advanceTimersByTime(30_000);
    await send(notSent);
    expect(pauses).toEqual([30_000, 60_000]);
  });

  it('rejected events do not open the circuit', async () => {
    const { circuit, send } = givenCircuit();
    for (let time = 0; time < 30; time += 1) await send({ kind: 'rejected', reason: 'bad' });
    expect(circuit.isCircuitOpen()).toBe(false);
  });

  it('rejected credentials open the circuit for five seconds, until the rejection is saved', async () => {
    const { pauses, state, send } = givenCircuit();
    await send({ kind: 'refused', reason: 'revoked' });
    expect(await send(delivered)).toMatchObject({ kind: 'postponed' });
    expect([pauses, state.requests]).toEqual([[5_000], 1]);
  });
});
