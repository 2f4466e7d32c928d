import { eventually } from '@leadback/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsAfter } from '../../support/facts.ts';
import { areDelivered, expireLeases } from '../../support/deliveries.ts';
import { givenPorts } from '../../support/given-stack.ts';
import { givenTroubledPlatform, type HttpResponse } from '../../support/platform-front.ts';
import { sendBatch } from '../../support/send-batch.ts';

const accepts = 'pass';
const fails = { status: 500 };
const rejects = { status: 400, body: { error: { message: 'no', code: 100, is_transient: false } } };

/** Everything about deliveries that a settlement may change. */
const stored = `select
  (select json_agg(f order by f.id) from delivery f) as deliveries,
  (select json_agg(d order by d.id) from delivery_due d) as parcels,
  (select json_agg(a order by a.id) from delivery_attempt a) as attempts,
  (select json_agg(json_build_array(c.id, c.state, c.state_reason) order by c.id) from platform_connection c) as connections`;

describe('a worker that is stopped past its lease and continues', () => {
  let given: Awaited<ReturnType<typeof givenTroubledPlatform>>;
  let duplicatesMax = 0;
  beforeAll(async () => {
    given = await givenTroubledPlatform();
    await given.stack.kill('feedback-worker');
  });
  afterEach(() => given.stack.kill('feedback-worker'));
  afterAll(() => given[Symbol.asyncDispose]());

  const startWorker = async () =>
    given.stack.start('feedback-worker', { platformUrl: given.front.url, ports: await givenPorts() });
  const snapshot = async () => (await given.stack.database.pool.query(stored)).rows;
  const settledCount = () => given.stack.timesLogged('feedback-worker', '"msg":"parcel settled"');

  /**
   * The deliveries of a partner to Meta, of one batch and so in the only request of a worker, which is stopped then: the
   * platform responds to it with `first`, and to the request of a second worker with `second`, once these promises resolve.
   */
  const givenFrozenWorker = async (
    conversions: number,
    first: Promise<HttpResponse>,
    second: Promise<HttpResponse>,
  ) => {
    const { stack, front, ledger } = given;
    const partner = await given.givenPartner((turn) => (turn === 0 ? first : second), 0);
    const entries = ledger.enter(conversions, partner);
    await sendBatch(entries);
    const frozen = await startWorker();
    await eventually(() => expect(front.requests(partner.pixelId).came).toBe(1));
    await given.areDelivered(conversions, partner, 'google');
    process.kill(frozen.pid, 'SIGSTOP');
    await expireLeases(stack.database);
    const other = await startWorker();
    await eventually(() => expect(front.requests(partner.pixelId).came).toBe(2));
    return { frozen, other, entries };
  };

  // of several rejected events, those that are right would be found by more requests
  it.each<[string, HttpResponse, number]>([
    ['are accepted', accepts, 20],
    ['fail', fails, 20],
    ['are rejected', rejects, 1],
  ])('changes nothing that another worker has closed since, if its events %s', async (_how, answered, conversions) => {
    const first = Promise.withResolvers<HttpResponse>();
    const { frozen, other, entries } = await givenFrozenWorker(conversions, first.promise, Promise.resolve(accepts));
    await areDelivered(given.stack.database, entries);
    await eventually(async () => expect(await snapshot()).toMatchObject([{ parcels: null }]));
    const [before, settled] = [await snapshot(), await settledCount()];

    first.resolve(answered);
    process.kill(frozen.pid, 'SIGCONT');
    await eventually(async () => expect(await settledCount()).toBeGreaterThan(settled));
    expect(await snapshot()).toEqual(before);
    await Promise.all([frozen.stop(), other.stop()]);
    if (answered === accepts) duplicatesMax += conversions;
    expect(await violationsAfter(given.stack, given.ledger, { duplicatesMax })).toEqual([]);
  });

  it.each<[string, HttpResponse, number]>([
    ['fail', fails, 20],
    ['are rejected', rejects, 1],
  ])('changes nothing that another worker has claimed since, if its events %s', async (_how, answered, conversions) => {
    const [first, second] = [Promise.withResolvers<HttpResponse>(), Promise.withResolvers<HttpResponse>()];
    const { frozen, other, entries } = await givenFrozenWorker(conversions, first.promise, second.promise);
    const [before, settled] = [await snapshot(), await settledCount()];

    first.resolve(answered);
    process.kill(frozen.pid, 'SIGCONT');
    await eventually(async () => expect(await settledCount()).toBeGreaterThan(settled));
    expect(await snapshot()).toEqual(before);

    second.resolve(accepts);
    await areDelivered(given.stack.database, entries);
    await Promise.all([frozen.stop(), other.stop()]);
    expect(await violationsAfter(given.stack, given.ledger, { duplicatesMax })).toEqual([]);
  });
});
