import { pauseConnection } from '@leadback/core/connections/store';
import { Conversion, Delivery, DeliveryAttempt, PlatformConnection } from '@leadback/db';
import { givenAdjustment, givenConnection, givenDelivery, givenWebhook, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenOperator } from './given-operator.ts';

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('the operator', async () => {
  const operator = await shared(givenOperator());

  const given = (options: Parameters<typeof givenDelivery>[1] = {}) => givenDelivery(operator.database.em(), options);

  /** A delivery that failed at the second attempt. */
  const givenHistory = async () => {
    const delivery = await given({ state: 'failed', reason: '100: Invalid parameter' });
    const em = operator.database.em();
    const { account } = delivery;
    const attempt = { account, delivery, durationMs: 12 };
    em.create(DeliveryAttempt, { ...attempt, outcome: 'unavailable', reason: 'ECONNRESET' });
    await em.flush();
    em.create(DeliveryAttempt, {
      ...attempt,
      outcome: 'rejected',
      reason: '100: Invalid parameter',
      httpStatus: 400,
      answer: '{"error":{"code":100}}',
      platformRequest: 'r-1',
      requestPosition: 3,
    });
    await em.flush();
    return delivery;
  };

  it('shows a delivery with every attempt, oldest first', async () => {
    const { id, conversion, connection } = await givenHistory();
    expect(await operator.json(`delivery show ${id}`)).toMatchObject({
      id,
      conversionId: conversion?.id,
      connectionId: connection.id,
      platform: 'meta',
      connectionState: 'active',
      state: 'failed',
      reason: '100: Invalid parameter',
      note: null,
      confirmed: null,
      dueAt: null,
      waitsFor: null,
      closedAt: time,
      attempts: [
        {
          at: time,
          outcome: 'unavailable',
          reason: 'ECONNRESET',
          httpStatus: null,
          answer: null,
          durationMs: 12,
          platformRequest: null,
        },
        {
          at: time,
          outcome: 'rejected',
          reason: '100: Invalid parameter',
          httpStatus: 400,
          answer: '{"error":{"code":100}}',
          durationMs: 12,
          platformRequest: 'r-1',
          requestPosition: 3,
        },
      ],
    });
  });

  it('shows and lists the delivery of an adjustment with its conversion', async () => {
    const original = await given({ state: 'delivered' });
    const em = operator.database.em();
    const conversion = await em.findOneOrFail(Conversion, original.conversion?.id ?? 0);
    const occurredAt = new Date('2026-11-21T12:00:00.000Z');
    const adjustment = await givenAdjustment(em, { conversion, kind: 'restate', amount: '5.00', occurredAt });
    const connection = await em.findOneOrFail(PlatformConnection, original.connection.id);
    const skipped = { connection, state: 'skipped', reason: 'not_supported' } as const;
    const { id, account } = await givenDelivery(em, { adjustment, ...skipped });
    await em.nativeUpdate(Delivery, { id }, { eventNote: 'count kept', note: 'used with a warning' });
    const shown = { id, conversionId: conversion.id, event: 'restate', note: 'count kept. used with a warning' };
    expect(await operator.json(`delivery show ${id}`)).toMatchObject({
      ...shown,
      adjustmentId: adjustment.id,
      eventId: conversion.eventId,
      occurredAt: occurredAt.toISOString(),
      meaning: expect.stringContaining('--refund-event'),
    });
    const listed = await operator.json(`delivery list --account ${account.id} --conversion ${conversion.id}`);
    expect(listed).toMatchObject([shown, { id: original.id, conversionId: conversion.id, event: 'conversion' }]);
  });

  it('lists sales with their order numbers within 80 columns, and webhooks only if they are asked for', async () => {
    const delivery = await given({ state: 'failed', reason: '100: Invalid parameter' });
    const { account } = delivery;
    const em = operator.database.em();
    await em.nativeUpdate(Conversion, { id: delivery.conversion?.id ?? 0 }, { externalReference: 'order-4711' });
    const webhook = await givenWebhook(em, { account: await account.loadOrFail() });
    const conversion = await em.findOneOrFail(Conversion, delivery.conversion?.id ?? 0);
    await givenDelivery(em, { conversion, connection: webhook, state: 'delivered' });
    const list = `delivery list --account ${account.id}`;
    expect(await operator.json(`${list} --order order-4711`)).toHaveLength(2);
    expect((await operator.type(`${list} --order order-4712`)).err).toContain('no conversion with this reference');
    const { out } = await operator.type(list);
    expect(out).toContain('order-4711');
    expect(out).toContain('s ago');
    expect(out).not.toContain('webhook');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect((await operator.type(`${list} --webhooks`)).out).toContain('webhook');
    expect((await operator.type(`${list} --wide`)).out).toMatch(/destination +│/);
    expect(await operator.json(list)).toHaveLength(2);
  });

  it('prints the values of a delivery line by line, and its attempts as a table', async () => {
    const { id } = await givenHistory();
    const { out } = await operator.type(`delivery show ${id} --wide`);
    expect(out).toMatch(new RegExp(`│ id +│ ${id} +│`));
    expect(out).toMatch(/attempts\n┌.*\n│ at +│ outcome +│ reason +│ httpStatus +│/);
  });

  it('shows when a delivery is due, or that it waits for its connection', async () => {
    const { id, connection } = await given();
    expect(await operator.json(`delivery show ${id}`)).toMatchObject({ dueAt: time, waitsFor: null, attempts: [] });
    await pauseConnection(operator.database.em(), connection.id);
    expect(await operator.json(`delivery show ${id}`)).toMatchObject({
      dueAt: null,
      waitsFor: 'its connection to be resumed',
    });
    expect((await operator.type(`delivery show ${id}`)).out).toContain('its connection to be resumed');
  });

  it('shows that a worker is sending a delivery, also if its connection is paused meanwhile', async () => {
    const { id, connection } = await given();
    const setLease = (end: string) =>
      operator.database.pool.query(
        `update delivery_due set phase = 'claimed', claim = 1, not_before = now() + $2::interval where connection_id = $1`,
        [connection.id, end],
      );
    await setLease('1 hour');
    const sending = { dueAt: null, waitsFor: 'a worker, which is sending it' };
    expect(await operator.json(`delivery show ${id}`)).toMatchObject(sending);
    await pauseConnection(operator.database.em(), connection.id);
    expect(await operator.json(`delivery show ${id}`)).toMatchObject(sending);
    // its worker crashed
    await setLease('-1 hour');
    expect(await operator.json(`delivery show ${id}`)).toMatchObject({ waitsFor: 'its connection to be resumed' });
  });

  it('shows the event id of a delivery, when the conversion occurred, and whether it is a test', async () => {
    const { id, account, conversion } = await given({ state: 'skipped', reason: 'event_too_old' });
    const shown = async () => Object(await operator.json(`delivery show ${id}`));
    const { createdAt, eventId } = await operator.database.em().findOneOrFail(Conversion, conversion?.id ?? 0);
    const old = { eventId, occurredAt: createdAt.toISOString(), isTest: false };
    expect(await shown()).toMatchObject(old);
    await operator.database.pool.query(
      `update conversion set event_id = 'order-1042', occurred_at = '2026-01-31T23:30:00Z', is_test = true where id = $1`,
      [conversion?.id],
    );
    expect(await shown()).toMatchObject({
      eventId: 'order-1042',
      occurredAt: '2026-01-31T23:30:00.000Z',
      isTest: true,
    });
    expect(await operator.json(`delivery list --account ${account.id}`)).toMatchObject([{ id, isTest: true }]);
  });

  it.each([
    ['event_too_old', 'Meta accepts no event older than 7 days'],
    ['consent', 'did not agree to sharing'],
    ['consent_withdrawn', 'has withdrawn consent'],
    ['no_match_keys', 'no click id and no usable contact data'],
  ])('explains why a delivery was skipped with the reason %s', async (reason, words) => {
    const { id } = await given({ state: 'skipped', reason });
    const meaning = expect.stringContaining(words);
    expect(await operator.json(`delivery show ${id}`)).toMatchObject({ state: 'skipped', reason, meaning });
    const { out } = await operator.type(`delivery show ${id} --wide`);
    expect(out).toMatch(new RegExp(`│ state +│ skipped +│\\n.*\\n│ reason +│ ${reason} +│\\n.*\\n│ meaning +│`));
  });

  it('lists the note of a platform about a delivery', async () => {
    const { id, account } = await given({ state: 'delivered' });
    await operator.database.pool.query(`update delivery set note = 'matched 1 of 1' where id = $1`, [id]);
    expect(await operator.json(`delivery list --account ${account.id}`)).toMatchObject([
      { id, note: 'matched 1 of 1' },
    ]);
  });

  it('reports that the delivery to show does not exist', async () => {
    const { status, err } = await operator.type('delivery show 999999');
    expect([status, err]).toEqual([1, 'there is no delivery 999999\n']);
  });
});

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
    const { status, err } = await operator.type(`${retry} --reason no_match_key_`);
    expect([status, err]).toEqual([1, expect.stringContaining('ended with it; there are: no_match_keys')]);
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
