import { setTimeout as pause } from 'node:timers/promises';
import type { Surroundings } from '@leadback/testing/stack';
import { eventually, tcpProxy } from '@leadback/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsAfter } from '../support/facts.ts';
import { areDelivered } from '../support/deliveries.ts';
import { enough, firstOf } from '../support/long-run.ts';
import { givenPorts } from '../support/given-stack.ts';
import type { Partner } from '../support/given-partner.ts';
import { givenTroubledPlatform, type HttpResponse } from '../support/platform-front.ts';

const stopsCount = 3;
// a worker claims nothing more for a connection whose requests take long: to this one, none does
const noTimePasses = 'data:text/javascript,performance.now = () => 0';

// No test here ends a lease: what another worker delivers was left to it.
describe('a worker that stops', () => {
  let given: Awaited<ReturnType<typeof givenTroubledPlatform>>;
  beforeAll(async () => {
    given = await givenTroubledPlatform();
    await given.stack.kill('feedback-worker');
  });
  afterEach(() => given.stack.kill('feedback-worker'));
  afterAll(() => given[Symbol.asyncDispose]());

  const startWorker = async (other?: Partial<Surroundings>) =>
    given.stack.start('feedback-worker', { platformUrl: given.front.url, ports: await givenPorts(), ...other });
  const phasesOf = async ({ meta }: Partner): Promise<string[]> => {
    const statement = 'select phase from delivery_due where connection_id = $1';
    const { rows } = await given.stack.database.pool.query<{ phase: string }>(statement, [meta.id]);
    return rows.map(({ phase }) => phase);
  };

  /** A worker with two requests to Meta, as many as a connection gets at a time, and with deliveries that wait for them. */
  const givenUnsent = async (answered: Promise<HttpResponse>, other?: Partial<Surroundings>) => {
    const { front, ledger } = given;
    const stopping = await startWorker({ imports: [noTimePasses], ...other });
    const partner = await ledger.join();
    front.play(partner.pixelId, (turn) => (turn < 2 ? answered : 'pass'));
    const inRequests = [];
    for (const requests of [1, 2]) {
      inRequests.push(...(await ledger.register(1, partner)));
      await eventually(() => expect(front.requests(partner.pixelId).came).toBe(requests));
    }
    const unsent = await ledger.register(10, partner);
    await eventually(async () => expect(await phasesOf(partner)).not.toContain('waiting'));
    await given.areDelivered(12, partner, 'google');
    return { stopping, partner, inRequests, unsent };
  };

  it('leaves what it has not sent to other workers at once, and saves the responses that it waits for', async () => {
    const { stack, ledger } = given;
    const answered = Promise.withResolvers<HttpResponse>();
    const { stopping, partner, inRequests, unsent } = await givenUnsent(answered.promise);

    process.kill(stopping.pid, 'SIGTERM');
    const other = await startWorker();
    await areDelivered(stack.database, unsent);
    // the requests of the other are not answered yet
    expect(await Promise.race([stopping.exited, pause(0, 'still running')])).toBe('still running');
    expect(await phasesOf(partner)).toEqual(['claimed', 'claimed']);

    answered.resolve('pass');
    await areDelivered(stack.database, inRequests);
    expect(await stopping.exited).toBe('status 0');
    await other.stop();
    expect(await violationsAfter(stack, ledger)).toEqual([]);
  });

  /**
   * How long after SIGTERM another worker has delivered what a worker has not sent, by PostgreSQL's clock. Neither the
   * platform nor RabbitMQ responds to the worker that stops; it notices the latter only after ten seconds.
   */
  const secondsToTakeOver = async (): Promise<number> => {
    const { stack } = given;
    const { pool } = stack.database;
    await using toBroker = await tcpProxy(stack.broker.url);
    const answered = Promise.withResolvers<HttpResponse>();
    const { stopping, inRequests, unsent } = await givenUnsent(answered.promise, { amqpUrl: toBroker.url });
    const other = await startWorker();
    toBroker.blackHole();
    const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
    process.kill(stopping.pid, 'SIGTERM');
    await areDelivered(stack.database, unsent);
    const { rows: delivered } = await pool.query<{ seconds: number }>(
      `select extract(epoch from max(closed_at) - $2)::float8 as seconds from delivery
       where conversion_id = any($1::bigint[])`,
      [unsent.flatMap(({ ids }) => ids), rows[0]?.now],
    );

    answered.resolve('pass');
    await areDelivered(stack.database, inRequests);
    await toBroker.heal();
    expect(await stopping.exited).toBe('status 0');
    await other.stop();
    return delivered[0]?.seconds ?? 0;
  };

  it('leaves what it has not sent to another within two seconds, even if RabbitMQ does not respond', async () => {
    let seconds = Number.POSITIVE_INFINITY;
    // a busy machine may take longer, but not each time
    for (let tries = 0; tries < 10 && seconds >= 2; tries += 1) seconds = await secondsToTakeOver();
    expect(seconds).toBeLessThan(2);
    expect(await violationsAfter(given.stack, given.ledger)).toEqual([]);
  });

  it.each(firstOf(0, ['under load']))(
    'loses nothing and sends nothing twice %s, while another takes over',
    async () => {
      const { stack, ledger } = given;
      await stack.sandbox.behave({ platform: 'meta', answer: 'ok', delayMs: 200 });
      const load = ledger.load(enough(60, 150));
      let worker = await startWorker();
      for (let stops = 0; stops < stopsCount; stops += 1) {
        await load.more(enough(40, 100));
        const next = await startWorker();
        await load.more(enough(40, 100));
        process.kill(worker.pid, 'SIGTERM');
        await load.more(enough(20, 50));
        expect(await worker.exited).toBe('status 0');
        worker = next;
      }
      const entries = await load.stop();
      expect(entries.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
      await areDelivered(stack.database, entries);
      await stack.sandbox.behave({ platform: 'meta', answer: 'ok' });
      expect(await violationsAfter(stack, ledger)).toEqual([]);
    },
  );
});
