import { Delivery, DeliveryAttempt } from '@leadback/db';
import { givenConnection, givenDelivery, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenOperator } from './given-operator.ts';

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('the operator', async () => {
  const operator = await shared(givenOperator());

  const given = (options: Parameters<typeof givenDelivery>[1] = {}) => givenDelivery(operator.database.em(), options);
  const stateOf = async (id: number) => (await operator.database.em().findOneOrFail(Delivery, id)).state;

  it('retries several deliveries, and records the retry as an attempt', async () => {
    const { id: failed, connection } = await given({ state: 'failed', reason: '100: Invalid parameter' });
    const { id: skipped } = await given({
      connection: await connection.loadOrFail(),
      state: 'skipped',
      reason: 'no_match_keys',
    });
    expect(await operator.json(`delivery retry ${failed} ${skipped} ${failed}`)).toEqual({
      requeued: [failed, skipped],
    });
    expect(await operator.json(`delivery show ${failed}`)).toMatchObject({
      state: 'pending',
      reason: null,
      dueAt: time,
      retriedSince: time,
      closedAt: null,
      attempts: [{ at: time, outcome: 'requeued', reason: 'was failed: 100: Invalid parameter' }],
    });
  });

  it('retries none of the given deliveries if one cannot be retried, and says why', async () => {
    const { id: failed } = await given({ state: 'failed' });
    const { id: delivered } = await given({ state: 'delivered' });
    const { id: pending } = await given();
    const paused = await givenConnection(operator.database.em(), { state: 'paused' });
    const { id: waiting } = await given({ connection: paused, state: 'failed' });
    const line = `delivery retry ${failed} ${delivered} ${pending} ${waiting} 999999`;
    const { status, out, err } = await operator.type(`${line} --json`);
    expect([status, out]).toEqual([1, '']);
    expect(err.trim().split('\n')).toEqual([
      `delivery ${delivered} was delivered and has no note from the platform; a retry would change nothing`,
      `delivery ${pending} is already pending`,
      `delivery ${waiting}: its connection is not active (paused); run \`connection resume ${paused.id}\` first`,
      'there is no delivery 999999',
    ]);
    expect(await stateOf(failed)).toBe('failed');
    expect(await operator.database.em().count(DeliveryAttempt, { delivery: failed })).toBe(0);
  });

  it('retries all deliveries of a connection, or only those with a reason', async () => {
    const connection = await givenConnection(operator.database.em());
    const ofToken = await given({ connection, state: 'failed', reason: '190/460: expired' });
    const ofEvent = await given({ connection, state: 'skipped', reason: 'no_match_keys' });
    const retry = `delivery retry --connection ${connection.id}`;
    expect(await operator.json(`${retry} --reason 190`)).toEqual({ connection: connection.id, requeued: 1 });
    expect([await stateOf(ofToken.id), await stateOf(ofEvent.id)]).toEqual(['pending', 'skipped']);
    expect(await operator.json(retry)).toEqual({ connection: connection.id, requeued: 1 });
    expect(await operator.json(retry)).toEqual({ connection: connection.id, requeued: 0 });
  });

  it('retries no delivery of a connection that is not active', async () => {
    const { id } = await givenConnection(operator.database.em(), { state: 'needs_attention' });
    const { status, err } = await operator.type(`delivery retry --connection ${id}`);
    expect(err).toContain(`connection ${id} is not active (needs_attention); run \`connection resume ${id}\` first`);
    expect(status).toBe(1);
  });

  it.each([
    ['delivery retry', 'give either ids or --connection ID'],
    ['delivery retry 1 --connection 1', 'give either ids or --connection ID'],
    ['delivery retry 1 --reason x', '--reason: needs --connection'],
    ['delivery retry 1 x', 'ID: expected a whole number, 1 or more'],
    ['delivery retry --connection 999999', 'there is no connection 999999'],
  ])('rejects "%s" with exit status 1 and says what to fix', async (line, message) => {
    const { status, out, err } = await operator.type(line);
    expect(err).toContain(message);
    expect([status, out]).toEqual([1, '']);
  });
});
