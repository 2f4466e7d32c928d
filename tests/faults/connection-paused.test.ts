import { setTimeout as pause } from 'node:timers/promises';
import { pauseConnection, resumeConnection } from '@leadback/core/connections/store';
import { eventually } from '@leadback/testing';
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
