import { ConversionAdjustment, Delivery, DeliveryDue, PlatformConnection } from '@leadback/db';
import { givenApiKey, givenConnection, givenConversion, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi, givenPartner, idOf, order, type Reply } from './given-api.ts';

const hourMs = 3_600_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

/** What a refused adjustment has otherwise than the one with its reference. */
const differs = async (reply: Promise<Reply>) => {
  const { status, headers, body } = await reply;
  expect([status, headers.get('leadback-error')]).toEqual([400, 'invalid-fields']);
  return String(Object(body).message).split(':')[0];
};

describe('POST /client/conversion/adjustment', async () => {
  const api = await shared(givenApi());

  const given = async ({ isTest = false } = {}) => {
    const partner = await givenPartner(api, { isTest, platforms: ['meta', 'google'] });
    const adjust = (body: object, headers = {}) => partner.post('/client/conversion/adjustment', body, { headers });
    const restate = (conversionId: number, amount: number, more = {}) =>
      adjust({ conversionId, kind: 'restate', amount, ...more });
    const sell = (more: object = {}) => partner.sell(order({ amount: 100, ...more }));
    return { ...partner, sell, adjust, restate };
  };

  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

  it('changes the total of a conversion, and shows the adjustments with their deliveries', async () => {
    const { sell, adjust, restate, conversion } = await given();
    const id = await sell({ conversionExternalReference: 'order-9' });
    const reply = await restate(id, 60.005, { adjustmentExternalReference: ' note-1 ' });
    expect([reply.status, reply.body]).toEqual([201, { id: expect.any(Number), conversionId: id }]);
    const occurredAt = inMs(60_000);
    await adjust({ conversionExternalReference: 'order-9', kind: 'retract', occurredAt });

    const pending = {
      state: 'pending',
      reason: null,
      attempts: 0,
      nextAttemptAt: time,
      closedAt: null,
      note: null,
      confirmed: null,
    };
    const deliveries = [
      { platform: 'meta', ...pending },
      { platform: 'google', ...pending },
    ];
    expect(await conversion(id)).toMatchObject({
      amount: 0,
      originalAmount: 100,
      deliveries,
      adjustments: [
        {
          id: idOf(reply),
          kind: 'restate',
          amount: 60.01,
          occurredAt: time,
          adjustmentExternalReference: 'note-1',
          createdAt: time,
          deliveries,
        },
        { kind: 'retract', amount: 0, occurredAt, adjustmentExternalReference: null, deliveries },
      ],
    });
  });

  it('refuses an amount in another currency than the conversion, and takes one in the same', async () => {
    const { sell, restate, conversion } = await given();
    const id = await sell();
    const refused = await restate(id, 80, { currency: 'ARS' });
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: 'currency: expected the currency of the conversion; an adjustment does not change it' },
    ]);
    expect(await conversion(id)).toMatchObject({ amount: 100, currency: 'USD' });
    expect((await restate(id, 80, { currency: 'USD' })).status).toBe(201);
    expect(await conversion(id)).toMatchObject({ amount: 80, currency: 'USD' });
  });

  it('announces a parcel for each connection to which the conversion has a delivery, paused or not', async () => {
    const { account, connections, sell, restate } = await given();
    const em = api.database.em();
    const id = await sell();
    const [paused] = connections;
    await em.nativeUpdate(PlatformConnection, { id: paused?.id ?? 0 }, { state: 'paused' });
    await givenConnection(em, { account, platform: 'tiktok' });
    const before = api.announced.length;
    await restate(id, 1);
    const announced = api.announced.slice(before);
    expect(new Set(announced.map(({ connectionId }) => connectionId))).toEqual(
      new Set(connections.map((one) => one.id)),
    );
    const parcels = await em.find(DeliveryDue, { id: { $in: announced.map((parcel) => parcel.id) } });
    expect(parcels).toHaveLength(2);
    expect(await em.count(Delivery, { adjustment: { conversion: id } })).toBe(2);
  });

  it.each([
    [{ kind: 'retract' }, 'conversionId: conversionId or conversionExternalReference is needed to find the conversion'],
    [{ conversionId: 1, kind: 'restate' }, 'amount: restate needs the new total'],
    [{ conversionId: 1, kind: 'retract', amount: 0 }, 'amount: retract takes no amount; it always means 0'],
    [{ conversionId: 1, kind: 'refund' }, 'kind: expected restate or retract'],
    [{ conversionId: '1', kind: 'retract' }, 'conversionId: expected a positive whole number'],
    [{ conversionId: 1, kind: 'restate', amount: -1 }, 'amount: must not be negative'],
  ])('answers 400 to the adjustment %j', async (body, message) => {
    const { adjust } = await given();
    const reply = await adjust(body);
    expect([reply.status, reply.body]).toEqual([400, { message }]);
  });

  it('takes no more adjustments of a retracted conversion, and repeats say that they are repeated', async () => {
    const { sell, adjust, restate, conversion } = await given();
    const id = await sell();
    const retract = { conversionId: id, kind: 'retract', adjustmentExternalReference: 'cancelled' };
    expect((await adjust(retract)).status).toBe(201);
    const again = await adjust(retract);
    expect([again.status, again.headers.get('leadback-error')]).toEqual([400, 'adjustment-repeated']);
    expect(again.headers.get('leadback-conversion-id')).toBe(String(id));
    for (const more of [await restate(id, 5), await adjust({ conversionId: id, kind: 'retract' })]) {
      expect([more.status, more.headers.get('leadback-error'), more.body]).toEqual([
        400,
        'conversion-retracted',
        { message: expect.stringMatching(/^the conversion is retracted and takes no more adjustments/) },
      ]);
    }
    expect(await conversion(id)).toMatchObject({ amount: 0, adjustments: [{ kind: 'retract' }] });
  });

  it('takes at most 100 adjustments of a conversion, however many are sent at once, and a last one that retracts it', async () => {
    const { sell, adjust, restate, conversion } = await given();
    const id = await sell();
    await api.database.pool.query(
      `insert into conversion_adjustment (account_id, conversion_id, is_test, kind, amount, previous_amount, occurred_at)
       select account_id, id, false, 'restate', 50, 50, now() from conversion, generate_series(1, 95) where id = $1`,
      [id],
    );
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) => restate(id, index, { adjustmentExternalReference: `n-${index}` })),
    );
    const counts = Map.groupBy(replies, ({ status }) => status);
    expect([counts.size, counts.get(201)?.length, counts.get(400)?.length]).toEqual([2, 5, 7]);
    const refused = replies.find(({ status }) => status === 400);
    expect([refused?.headers.get('leadback-error'), refused?.body]).toEqual([
      'invalid-fields',
      {
        message:
          'conversionId: the conversion has 100 adjustments and takes no more totals; retract it, and register a new conversion with the right total',
      },
    ]);
    const done = replies.findIndex(({ status }) => status === 201);
    const again = await restate(id, done, { adjustmentExternalReference: `n-${done}` });
    expect(again.headers.get('leadback-error')).toBe('adjustment-repeated');
    expect((await adjust({ conversionId: id, kind: 'retract' })).status).toBe(201);
    expect(await conversion(id)).toMatchObject({ amount: 0, adjustments: { length: 101 } });
  });

  it('shows no delivery of an adjustment if retention has deleted those of its conversion', async () => {
    const { sell, restate, conversion } = await given();
    const id = await sell();
    await api.database.pool.query(
      `with gone as (delete from delivery where conversion_id = $1 returning parcel_id)
       delete from delivery_due where id in (select parcel_id from gone)`,
      [id],
    );
    expect((await restate(id, 5)).status).toBe(201);
    expect(await conversion(id)).toMatchObject({
      amount: 5,
      deliveries: [],
      adjustments: [{ amount: 5, deliveries: [] }],
    });
  });

  it('finds a conversion only if its id and its reference match', async () => {
    const { sell, adjust } = await given();
    const conversionId = await sell({ conversionExternalReference: 'order-a' });
    await sell({ conversionExternalReference: 'order-b' });
    const both = (conversionExternalReference: string) =>
      adjust({ conversionId, conversionExternalReference, kind: 'restate', amount: 1 });
    expect((await both('order-b')).status).toBe(404);
    expect((await both('order-a')).status).toBe(201);
  });

  it('refuses times outside of the range, or before the conversion', async () => {
    const { sell, restate, conversion } = await given();
    const id = await sell({ occurredAt: inMs(-24 * hourMs) });
    for (const [ms, field] of [
      [10 * 60_000, 'expected a time at most 5 minutes ahead'],
      [-401 * 24 * hourMs, 'expected a time at most 5 minutes ahead'],
      [-25 * hourMs, 'expected a time that is not before the conversion'],
    ] as const) {
      const { status, body } = await restate(id, 1, { occurredAt: inMs(ms) });
      expect([status, body]).toEqual([400, { message: expect.stringContaining(`occurredAt: ${field}`) }]);
    }
    // clocks differ: it occurred with the conversion
    expect((await restate(id, 1, { occurredAt: inMs(-24 * hourMs - 60_000) })).status).toBe(201);
    const { occurredAt, adjustments } = Object(await conversion(id));
    expect(adjustments).toMatchObject([{ occurredAt }]);
  });

  it('registers concurrent adjustments of one conversion one after the other, each with the exact total before', async () => {
    const { sell, restate, conversion } = await given();
    const id = await sell();
    const amounts = Array.from({ length: 24 }, (_, index) => index + 1);
    const replies = await Promise.all(
      amounts.map((amount) =>
        restate(id, amount, amount % 2 === 0 ? { adjustmentExternalReference: `n-${amount}` } : {}),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    const rows = await api.database.em().find(ConversionAdjustment, { conversion: id }, { orderBy: { id: 'asc' } });
    expect(rows.map(({ previousAmount }) => previousAmount)).toEqual([
      '100.00',
      ...rows.slice(0, -1).map(({ amount }) => amount),
    ]);
    expect(await conversion(id)).toMatchObject({ amount: Number(rows.at(-1)?.amount), adjustments: { length: 24 } });
  });

  it('registers one of concurrent adjustments with the same reference, and tells repeats from others', async () => {
    const { sell, restate } = await given();
    const ids = [await sell(), await sell(), await sell()];
    const sent = ids.flatMap((id) =>
      [1, 2, 2].map((amount) => restate(id, amount, { adjustmentExternalReference: 'n' })),
    );
    const replies = await Promise.all(sent);
    const codes = replies.map(({ headers }) => headers.get('leadback-error'));
    const first = codes.indexOf(null);
    const isAlike = (index: number) =>
      Math.floor(index / 3) === Math.floor(first / 3) && (index % 3 === 0) === (first % 3 === 0);
    const codeOf = (index: number) => (isAlike(index) ? 'adjustment-repeated' : 'invalid-fields');
    expect(codes).toEqual(codes.map((_, index) => (index === first ? null : codeOf(index))));
  });

  it('says what another adjustment with a known reference has otherwise, and changes nothing', async () => {
    const { sell, adjust, restate, conversion } = await given();
    const [id, other] = [await sell(), await sell()];
    const sent = { adjustmentExternalReference: 'note-1' };
    expect((await restate(id, 70.001, sent)).status).toBe(201);
    expect((await restate(id, 70, sent)).headers.get('leadback-error')).toBe('adjustment-repeated');
    expect(await differs(restate(id, 71, sent))).toBe('amount');
    expect(await differs(restate(other, 70, sent))).toBe('conversion');
    expect(await differs(adjust({ conversionId: id, kind: 'retract', ...sent }))).toBe('kind, amount');
    expect(await conversion(id)).toMatchObject({ amount: 70, adjustments: { length: 1 } });
  });

  it('returns the first response to a repeated Idempotency-Key, and changes the total once', async () => {
    const { sell, adjust, conversion } = await given();
    const conversionId = await sell();
    const headers = { 'idempotency-key': unique('key') };
    const send = (amount: number) => adjust({ conversionId, kind: 'restate', amount }, headers);
    const replies = [await send(70), await send(70)];
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies[1]?.body).toEqual(replies[0]?.body);
    expect((await send(80)).status).toBe(422);
    expect(await conversion(conversionId)).toMatchObject({ amount: 70, adjustments: { length: 1 } });
  });

  it('keeps tests apart: their references, totals and deliveries', async () => {
    const { account, sell, post, restate, conversion } = await given({ isTest: true });
    const em = api.database.em();
    const live = await givenConversion(em, { account });
    const id = await sell();
    expect((await restate(live.id, 1)).status).toBe(404);
    const before = api.announced.length;
    expect((await restate(id, 1, { adjustmentExternalReference: 'n' })).status).toBe(201);
    expect(api.announced.slice(before)).toMatchObject([{ isTest: true }, { isTest: true }]);
    expect(await conversion(id)).toMatchObject({ amount: 1, adjustments: [{ adjustmentExternalReference: 'n' }] });
    const key = await givenApiKey(em, { account });
    const body = { conversionId: live.id, kind: 'retract', adjustmentExternalReference: 'n' };
    expect((await post('/client/conversion/adjustment', body, { key })).status).toBe(201);
    const { rows } = await api.database.pool.query(
      `select measure, sum(change)::float8 as value from metric_increment where account_id = $1 and change <> 0
       and measure ~ '^(amount|refunded)' group by 1 having sum(change) <> 0 order by 1`,
      [account.id],
    );
    expect(rows).toEqual([{ measure: 'refunded.USD', value: 10 }]);
  });
});
