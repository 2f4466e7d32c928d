import type { Account } from '@leadback/db';
import type { Currency } from '@leadback/domain';
import {
  givenAccount,
  givenAdjustment,
  givenConnection,
  givenConversion,
  givenDelivery,
  shared,
} from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { task } from '../src/contract/undelivered.ts';
import { givenConsole } from './given-console.ts';

describe('what was not delivered, in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const path = (rest: string) => `/api/accounts/${account.id}/${rest}`;
  const states = async (ids: readonly number[]) => {
    const { rows } = await console.database.pool.query<{ state: string }>(
      'select state from delivery where id = any($1) order by id',
      [ids],
    );
    return rows.map(({ state }) => state);
  };
  const given = async (connectionOptions: Parameters<typeof givenConnection>[1] = {}) => {
    const em = console.database.em();
    const connection = await givenConnection(em, { account, ...connectionOptions });
    const fail = async (amount: string, currency: Currency, reason: string, more = {}) => {
      const conversion = await givenConversion(em, { account, amount, currency, ...more });
      return givenDelivery(em, { connection, conversion, state: 'failed', reason });
    };
    return { em, connection, fail };
  };
  const done = async (id: number) => {
    await expect.poll(async () => task.parse((await person.get(path(`tasks/${id}`))).body).state).toBe('done');
    return task.parse((await person.get(path(`tasks/${id}`))).body);
  };

  it("has a total of each currency, in the account's order, and adds none to another", async () => {
    const { fail } = await given();
    const failed = [
      ['BRL', '1.50'],
      ['USD', '2.50'],
      ['JPY', '1001'],
      ['ARS', '4'],
      ['KWD', '0.125'],
      ['BRL', '1.50'],
    ] as const;
    for (const [currency, amount] of failed) await fail(amount, currency, 'HTTP 400: bad event');
    const money = [
      { currency: 'USD', amount: '2.50' },
      { currency: 'ARS', amount: '4.00' },
      { currency: 'BRL', amount: '3.00' },
      { currency: 'JPY', amount: '1001' },
      { currency: 'KWD', amount: '0.125' },
    ];
    expect((await person.get(path('undelivered'))).body).toMatchObject({ groups: [{ money }] });
  });

  it('is grouped by connection and reason, with the money of each currency', async () => {
    const { em, connection, fail } = await given();
    await fail('10.50', 'USD', 'HTTP 400: bad event');
    await fail('20.25', 'USD', 'HTTP 400: another bad event');
    await fail('3000', 'ARS', 'HTTP 400: bad event');
    const skipped = await givenConversion(em, { account, amount: '7', currency: 'USD' });
    await givenDelivery(em, { connection, conversion: skipped, state: 'skipped', reason: 'consent' });
    await givenDelivery(em, { connection, state: 'delivered' });
    await fail('99', 'USD', 'HTTP 400: a test', { isTest: true });
    const { body } = await person.get(path('undelivered'));
    const { id: connectionId, destination } = connection;
    const own = { connectionId, platform: 'meta', label: destination, destination, connectionState: 'active' };
    expect(body).toEqual({
      groups: [
        {
          ...own,
          isFinal: false,
          state: 'failed',
          code: 'HTTP 400',
          example: 'HTTP 400: bad event',
          deliveries: 3,
          conversions: 3,
          money: [
            { currency: 'USD', amount: '30.75' },
            { currency: 'ARS', amount: '3000.00' },
          ],
          isPartial: false,
        },
        {
          ...own,
          isFinal: true,
          state: 'skipped',
          code: 'consent',
          example: 'consent',
          deliveries: 1,
          conversions: 1,
          money: [{ currency: 'USD', amount: '7.00' }],
          isPartial: false,
        },
      ],
      onTheirWay: [],
    });
  });

  it('shows what is on its way apart, with its money', async () => {
    const { em, connection } = await given();
    const conversion = await givenConversion(em, { account, amount: '12.34', currency: 'USD' });
    const delivery = await givenDelivery(em, { connection, conversion, state: 'failed' });
    await person.post(path('deliveries/retry'), { ids: [delivery.id] });
    expect((await person.get(path('undelivered'))).body).toEqual({
      groups: [],
      onTheirWay: [
        {
          connectionId: connection.id,
          platform: 'meta',
          label: connection.destination,
          destination: connection.destination,
          deliveries: 1,
          conversions: 1,
          money: [{ currency: 'USD', amount: '12.34' }],
          isPartial: false,
        },
      ],
    });
  });

  it('leaves what nobody can change, unless it is asked for by its code', async () => {
    const { em, connection, fail } = await given();
    const failed = await fail('1', 'USD', 'HTTP 500');
    const refund = await givenAdjustment(em, { conversion: await givenConversion(em, { account }), kind: 'retract' });
    const final = await givenDelivery(em, {
      connection,
      adjustment: refund,
      state: 'skipped',
      reason: 'not_supported',
    });
    expect((await person.post(path('undelivered/count'), {})).body).toMatchObject({ deliveries: 1 });
    const { id } = task.parse((await person.post(path('undelivered/retry'), {})).body);
    expect(await done(id)).toMatchObject({ done: 1, total: 1 });
    expect(await states([failed.id, final.id])).toEqual(['pending', 'skipped']);
    const code = 'not_supported';
    expect((await person.post(path('undelivered/count'), { code })).body).toMatchObject({ deliveries: 1 });
  });

  it('tells what waits for a person: why, how it is fixed, until when, and sales that no connection took', async () => {
    const em = console.database.em();
    const connection = await givenConnection(em, { account, state: 'needs_attention' });
    const { pool } = console.database;
    await pool.query(`update platform_connection set state_reason = '190: expired' where id = $1`, [connection.id]);
    const conversion = await givenConversion(em, { account, amount: '12.50', currency: 'USD' });
    await givenDelivery(em, { connection, conversion });
    const untold = await givenConversion(em, { account, amount: '3', currency: 'ARS' });
    await pool.query('update conversion set is_untold = true where id = $1', [untold.id]);
    const { body } = await person.get(path('attention'));
    expect(body).toEqual({
      connections: [
        {
          connectionId: connection.id,
          platform: 'meta',
          label: connection.destination,
          destination: connection.destination,
          state: 'needs_attention',
          since: expect.any(String),
          reason: '190: expired',
          remedy: {
            words: {
              en: expect.stringContaining('Generate a new one'),
              es: expect.stringContaining('Genera uno nuevo'),
              pt: expect.stringContaining('Gere um novo'),
            },
            change: ['accessToken'],
          },
          deliveries: 1,
          conversions: 1,
          money: [{ currency: 'USD', amount: '12.50' }],
          isPartial: false,
          tooOldAt: expect.any(String),
        },
      ],
      sources: [],
      untold: {
        conversions: 1,
        money: [{ currency: 'ARS', amount: '3.00' }],
        isPartial: false,
        connectionIds: [connection.id],
      },
    });
    expect((await person.get(path('undelivered'))).body).toEqual({ groups: [], onTheirWay: [] });
  });

  it('counts a conversion that two connections did not deliver once, and what an inactive connection holds back apart', async () => {
    const first = await given();
    const second = await givenConnection(first.em, { account, platform: 'google' });
    const paused = await givenConnection(first.em, { account, platform: 'tiktok', state: 'paused' });
    const { conversion } = await first.fail('100', 'USD', 'HTTP 500');
    const sale = await conversion?.loadOrFail();
    for (const connection of [second, paused]) {
      await givenDelivery(first.em, {
        connection,
        ...(sale && { conversion: sale }),
        state: 'failed',
        reason: 'HTTP 500',
      });
    }
    expect((await person.post(path('undelivered/count'), {})).body).toEqual({
      deliveries: 2,
      conversions: 1,
      money: [{ currency: 'USD', amount: '100.00' }],
      isPartial: false,
      held: [{ connectionId: paused.id, connectionState: 'paused', deliveries: 1 }],
    });
  });

  it('sends again exactly what was counted, as a task that tells its progress', async () => {
    const { em, connection, fail } = await given();
    const wanted = [await fail('10', 'USD', 'HTTP 500: x'), await fail('20', 'USD', 'HTTP 500: y')];
    const others = [
      await fail('30', 'USD', 'HTTP 400: z'),
      await fail('40', 'USD', 'HTTP 500: a test', { isTest: true }),
      await givenDelivery(em, { connection, state: 'delivered' }),
    ];
    const filter = { connectionId: connection.id, state: 'failed', code: 'HTTP 500' };
    const counted = await person.post(path('undelivered/count'), filter);
    expect(counted.body).toMatchObject({ deliveries: 2, money: [{ currency: 'USD', amount: '30.00' }] });
    const started = await person.post(path('undelivered/retry'), filter);
    expect(started).toMatchObject({ status: 202, body: { kind: 'retry', total: 2, startedBy: person.email, filter } });
    expect(await done(task.parse(started.body).id)).toMatchObject({ done: 2, total: 2, message: null });
    expect(await states(wanted.map(({ id }) => id))).toEqual(['pending', 'pending']);
    expect(await states(others.map(({ id }) => id))).toEqual(['failed', 'failed', 'delivered']);
    expect((await person.get(path('tasks'))).body).toMatchObject({ items: [{ state: 'done', done: 2 }] });
  });

  it('takes what a connection did not deliver from a delivery on, whatever the reason', async () => {
    const { fail } = await given();
    const older = await fail('1', 'USD', 'HTTP 500');
    const first = await fail('2', 'USD', 'HTTP 500');
    const last = await fail('4', 'USD', 'HTTP 400');
    const other = await (await given({ platform: 'google' })).fail('8', 'USD', 'HTTP 500');
    const filter = { connectionId: first.connection.id, since: first.id };
    expect((await person.post(path('undelivered/count'), filter)).body).toMatchObject({
      deliveries: 2,
      money: [{ amount: '6.00' }],
      isPartial: false,
    });
    const { id } = task.parse((await person.post(path('undelivered/retry'), filter)).body);
    expect(await done(id)).toMatchObject({ done: 2, filter });
    expect(await states([older.id, first.id, last.id, other.id])).toEqual(['failed', 'pending', 'pending', 'failed']);
  });

  it('leaves what failed after the retry was asked for', async () => {
    const { fail } = await given();
    const before = await fail('10', 'USD', 'HTTP 500');
    const { body } = await person.post(path('undelivered/retry'), {});
    await done(task.parse(body).id);
    const after = await fail('20', 'USD', 'HTTP 500');
    expect(await states([before.id, after.id])).toEqual(['pending', 'failed']);
  });

  it('ends a retry of nothing at once', async () => {
    const { body } = await person.post(path('undelivered/retry'), {});
    expect(body).toMatchObject({ state: 'done', total: 0, done: 0, finishedAt: expect.any(String) });
  });

  it('sends the adjustments of a conversion again after it', async () => {
    const { em, connection } = await given();
    const conversion = await givenConversion(em, { account });
    const original = await givenDelivery(em, { connection, conversion, state: 'failed', reason: 'HTTP 500' });
    const adjustment = await givenAdjustment(em, { conversion });
    const reason = 'original_not_delivered';
    const follower = await givenDelivery(em, { connection, adjustment, state: 'skipped', reason });
    const started = await person.post(path('undelivered/retry'), { state: 'failed' });
    expect(await done(task.parse(started.body).id)).toMatchObject({ total: 1, done: 2 });
    expect(await states([original.id, follower.id])).toEqual(['pending', 'pending']);
  });

  it('writes who asked for a retry to the audit log', async () => {
    const { fail } = await given();
    const delivery = await fail('10', 'USD', 'HTTP 500');
    await person.post(path('deliveries/retry'), { ids: [delivery.id] });
    const { body } = await person.post(path('undelivered/retry'), { code: 'consent' });
    const { rows } = await console.database.pool.query(
      'select actor, action, target, details from audit_entry where account_id = $1 order by id',
      [account.id],
    );
    const actor = person.email;
    const { id } = task.parse(body);
    expect(rows).toEqual([
      { actor, action: 'delivery.retry', target: `delivery ${delivery.id}`, details: {} },
      {
        actor,
        action: 'undelivered.retry',
        target: `task ${id}`,
        details: { filter: { code: 'consent' }, deliveries: 0 },
      },
    ]);
  });
});
