import { Delivery } from '@leadback/db';
import { eventually, givenConnection, givenManyDeliveries } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { allDelivered, expireClaimsOfKilled } from '../../support/deliveries.ts';
import { givenStack } from '../../support/given-stack.ts';
import { eventId } from '../../support/sandbox.ts';

const connections = 3;
const rows = 3_000;
// what a worker holds of one platform, and one parcel more of each connection
const heldMax = 5_000 + connections * 200;

describe('a backlog and worker crashes', () => {
  it('loses nothing and repeats only what was in flight if the worker is killed during a backlog', async () => {
    await using stack = await givenStack();
    const em = stack.database.em();
    await stack.sandbox.behave({ platform: 'meta', answer: 'ok', delayMs: 300 });
    for (let index = 0; index < connections; index += 1) {
      const connection = await givenConnection(em, { settings: { pixelId: `100000000${index}` } });
      await givenManyDeliveries(stack.database, { connection, rows, client: { email: 'ana@x.example' } });
    }
    const deliveredCount = () => stack.database.em().count(Delivery, { state: 'delivered' });

    const worker = await stack.start('feedback-worker');
    await eventually(async () => expect(await deliveredCount()).toBeGreaterThan(0), { interval: 20 });
    await worker.kill();
    const [claimed, delivered] = [await expireClaimsOfKilled(stack.database), await deliveredCount()];
    expect(claimed).toBeGreaterThan(0);
    expect(claimed).toBeLessThanOrEqual(heldMax);
    expect(delivered).toBeLessThan(connections * rows);

    await stack.start('feedback-worker');
    await allDelivered(stack.database);
    const events = await stack.sandbox.events();
    const distinct = new Set(events.map((event) => `${event.connection} ${eventId(event)}`));
    expect(distinct.size).toBe(connections * rows);
    expect(events.length - distinct.size).toBeLessThanOrEqual(claimed);
    expect((await stack.database.pool.query('select from delivery_due')).rowCount).toBe(0);
  });
});
