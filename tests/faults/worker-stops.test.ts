import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { violationsAfter } from '../support/facts.ts';
import { areDelivered } from '../support/feedback.ts';
import { givenPorts } from '../support/given-stack.ts';
import { givenTroubledPlatform } from '../support/given-troubled-platform.ts';
import type { Answered } from '../support/platform-front.ts';

const waitOptions = { timeout: 30_000, interval: 50 };
const stopsCount = 3;

// No test here ends a lease: what another worker delivers was left to it.
describe('a worker that stops', () => {
  let given: Awaited<ReturnType<typeof givenTroubledPlatform>>;
  beforeAll(async () => {
    given = await givenTroubledPlatform();
    await given.stack.kill('feedback-worker');
  }, 120_000);
  afterEach(() => given.stack.kill('feedback-worker'));
  afterAll(() => given[Symbol.asyncDispose]());

  const startWorker = async () =>
    given.stack.start('feedback-worker', { platformUrl: given.front.url, ports: await givenPorts() });

  it('leaves what it has not sent to other workers at once, and saves the responses that it waits for', async () => {
    const { stack, front, ledger } = given;
    const { pool } = stack.database;
    const answered = Promise.withResolvers<Answered>();
    const partner = await ledger.join();
    front.play(partner.pixelId, (turn) => (turn < 2 ? answered.promise : 'pass'));
    const stopping = await startWorker();
    // Meta gets two requests at a time: what comes meanwhile waits in the worker
    const inRequests = [];
    for (const requests of [1, 2]) {
      inRequests.push(...(await ledger.register(1, partner)));
      await vi.waitFor(() => expect(front.requests(partner.pixelId).came).toBe(requests), waitOptions);
    }
    const unsent = await ledger.register(10, partner);
    const held = async () => {
      const { rows } = await pool.query<{ phase: string }>('select phase from feedback_due where connection_id = $1', [
        partner.meta.id,
      ]);
      return rows.map(({ phase }) => phase);
    };
    await given.areDelivered(12, partner, 'google');
    const claimedBefore = (await held()).filter((phase) => phase === 'claimed').length;
    expect(claimedBefore).toBeGreaterThanOrEqual(2);

    process.kill(stopping.pid, 'SIGTERM');
    const other = await startWorker();
    await areDelivered(stack.database, unsent);
    // the requests of the other are not answered yet
    expect(await Promise.race([stopping.exited, pause(0, 'still running')])).toBe('still running');
    expect(await held()).toEqual(['claimed', 'claimed']);

    answered.resolve('pass');
    await areDelivered(stack.database, inRequests);
    expect(await stopping.exited).toBe('status 0');
    await other.stop();
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  }, 90_000);

  it('loses nothing and sends nothing twice under load, while another takes over', async () => {
    const { stack, ledger } = given;
    await stack.sandbox.behave({ platform: 'meta', answer: 'ok', delayMs: 200 });
    const load = ledger.load(150);
    let worker = await startWorker();
    for (let stops = 0; stops < stopsCount; stops += 1) {
      await load.more(100);
      const next = await startWorker();
      await load.more(100);
      process.kill(worker.pid, 'SIGTERM');
      await load.more(50);
      expect(await worker.exited).toBe('status 0');
      worker = next;
    }
    const entries = await load.stop();
    expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
    await areDelivered(stack.database, entries);
    await stack.sandbox.behave({ platform: 'meta', answer: 'ok' });
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  }, 120_000);
});
