import { setTimeout as pause } from 'node:timers/promises';
import { deleteConnection } from '@leadback/core/connections/delete';
import { pauseConnection, resumeConnection } from '@leadback/core/connections/store';
import { eventually, secretsKeys } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { violationsAfter } from '../support/facts.ts';
import { deliveriesOf } from '../support/deliveries-of.ts';
import { givenTroubledPlatform } from '../support/platform-front.ts';

// longer than a request takes before its connection counts as slow: the worker claims nothing more of it then
const slowMs = 1_000;

describe('pausing a connection with a backlog', () => {
  it('sends a paused connection only requests in flight, and the rest when it is resumed', async () => {
    await using given = await givenTroubledPlatform();
    const { stack, front, ledger } = given;
    const answered = Promise.withResolvers<'pass'>();
    const partner = await given.givenPartner((turn) => (turn === 0 ? answered.promise : 'pass'), 20);
    const { id } = partner.meta;
    const rows = async () => (await deliveriesOf(stack, partner)).map(({ state }) => state);
    await eventually(() => expect(front.requests(partner.pixelId).came).toBeGreaterThan(0));
    await pause(slowMs);
    await ledger.register(40, partner);

    const em = stack.database.em();
    await pauseConnection(em, id);
    answered.resolve('pass');
    const claimed = `select from delivery_due where connection_id = $1 and phase = 'claimed'`;
    await eventually(async () => expect((await stack.database.pool.query(claimed, [id])).rowCount).toBe(0));
    const sent = (await rows()).filter((state) => state === 'delivered').length;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(20);

    await ledger.register(1, partner); // waits like the others
    await given.areDelivered(61, partner, 'google');
    expect((await rows()).filter((state) => state === 'delivered')).toHaveLength(sent);
    await resumeConnection(em, id);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
    expect(await rows()).toEqual(Array(61).fill('delivered'));
  });
});

describe('deleting a connection with a backlog', () => {
  it('lets only requests in flight arrive; the workers skip the rest, also if the command that deleted it is killed', async () => {
    await using given = await givenTroubledPlatform();
    const { stack, front, ledger } = given;
    const answered = Promise.withResolvers<'pass'>();
    const partner = await given.givenPartner((turn) => (turn === 0 ? answered.promise : 'pass'), 20);
    const { id } = partner.meta;
    await eventually(() => expect(front.requests(partner.pixelId).came).toBeGreaterThan(0));
    await pause(slowMs);
    await ledger.register(40, partner);

    // it ends nothing that waits itself
    await deleteConnection(stack.database.pool, { secretsKeys }, { actor: 'operator', id, isDiscarding: true });
    answered.resolve('pass');
    const states = async () => {
      const rows = await deliveriesOf(stack, partner);
      return Object.groupBy(rows, ({ state }) => state);
    };
    await eventually(async () => expect(await states()).not.toHaveProperty('pending'), { timeout: 20_000 });
    const { delivered = [], skipped = [] } = await states();
    expect([delivered.length + skipped.length, skipped.length >= 40]).toEqual([60, true]);
    const came = front.requests(partner.pixelId).came;
    await ledger.register(1, partner);
    await given.areDelivered(61, partner, 'google');
    expect(await deliveriesOf(stack, partner)).toHaveLength(60);
    expect(front.requests(partner.pixelId).came).toBe(came);
  });
});
