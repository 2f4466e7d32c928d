import { setTimeout as pause } from 'node:timers/promises';
import { Conversion, DeliveryAttempt } from '@leadback/db';
import { localUrl } from '@leadback/testing/stack';
import { givenClient } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allDelivered } from '../support/deliveries.ts';
import { enough } from '../support/long-run.ts';
import { givenPartner, type Partner } from '../support/given-partner.ts';
import { givenPorts, givenStack, type TestStack } from '../support/given-stack.ts';

/** A status, or why there was no response: the code of the socket's error, or what `fetch` says. */
type Outcome = number | string;

const failureOf = (error: unknown): string => {
  const { cause = error } = error instanceof Error ? error : {};
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause ? String(cause.code) : cause.message;
};
const countIn = (outcomes: readonly Outcome[], wanted: Outcome) => outcomes.filter((one) => one === wanted).length;

// enough to have requests in progress all the time; each conversion costs two deliveries
const betweenMs = enough(10, 0);
// the api goes on for half a second longer
const noticedMaxMs = 1_000;

describe('graceful shutdown', () => {
  let stack: TestStack;
  let ports: Awaited<ReturnType<typeof givenPorts>>;
  let partner: Partner;
  beforeAll(async () => {
    stack = await givenStack();
    ports = await givenPorts();
    partner = await givenPartner({ database: stack.database, apiUrl: `${localUrl(ports.api)}/api/v1` });
    await givenClient(stack.database.em(), { account: partner.account, externalReference: 'C1', email: 'a@x.example' });
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  const startApi = () => stack.start('api', { ports });
  const countConversions = () => stack.database.em().count(Conversion, { account: partner.account });

  /** Callers that keep their connections open. Each stops after an outcome that is the last one. */
  const call = async (isLast: (outcome: Outcome) => boolean): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    const body = { clientExternalReference: 'C1', amount: 10, currency: 'USD' };
    const register = () => partner.post('/client/conversion', body).then(({ status }) => status, failureOf);
    const callers = Array.from({ length: enough(8, 64) }, async () => {
      for (let isOver = false; !isOver; ) {
        const outcome = await register();
        outcomes.push(outcome);
        isOver = isLast(outcome);
        await pause(betweenMs);
      }
    });
    await Promise.all(callers);
    return outcomes;
  };

  /** Checks /ready, as a load balancer does, until it fails. Returns how long that went unnoticed, at most. */
  const drainNoticed = async (): Promise<number> => {
    for (let readyAt = performance.now(); ; await pause(100)) {
      const sentAt = performance.now();
      const isReady = await fetch(`${localUrl(ports.operations.api)}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (!isReady) return performance.now() - readyAt;
      readyAt = sentAt;
    }
  };

  /** Stops both apps under calls that end once /ready fails. */
  const stopUnderCalls = async () => {
    const [api, worker] = [await startApi(), await stack.start('feedback-worker')];
    let isTakenOut = false;
    const called = call(() => isTakenOut);
    const noticed = drainNoticed().then((ms) => {
      isTakenOut = true;
      return ms;
    });
    await worker.stop();
    await api.stop();
    const [outcomes, unnoticedMs] = await Promise.all([called, noticed]);
    expect([await worker.exited, await api.exited]).toEqual(['status 0', 'status 0']);
    return { outcomes, unnoticedMs };
  };

  it('fails no request before a load balancer sees that /ready fails, and loses and repeats no delivery', async () => {
    const before = await countConversions();
    let registered = 0;
    for (let times = 1; ; times += 1) {
      const { outcomes, unnoticedMs } = await stopUnderCalls();
      registered += countIn(outcomes, 201);
      // a busy machine sees it late now and then
      if (unnoticedMs > noticedMaxMs && times < 20) continue;
      expect(unnoticedMs).toBeLessThanOrEqual(noticedMaxMs);
      expect(new Set(outcomes)).toEqual(new Set([201]));
      break;
    }
    expect(await countConversions()).toBe(before + registered);

    await using _api = await startApi();
    await using _worker = await stack.start('feedback-worker');
    await allDelivered(stack.database);
    expect(await stack.database.em().count(DeliveryAttempt)).toBe(2 * (await countConversions()));
  });

  it('executes each request that it reads and responds to it, if callers go on until connections are refused', async () => {
    const before = await countConversions();
    const api = await startApi();
    const called = call((outcome) => outcome === 'ECONNREFUSED');
    await api.stop();
    const outcomes = await called;
    // Linux resets connections that it established and that the api never saw; undici says UND_ERR_SOCKET if it was idle
    const unread = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
    expect(outcomes.filter((outcome) => outcome !== 201 && !unread.includes(String(outcome)))).toEqual([]);
    expect(await countConversions()).toBe(before + countIn(outcomes, 201));
  });
});
