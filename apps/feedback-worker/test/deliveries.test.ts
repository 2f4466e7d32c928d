import { Delivery, DeliveryDue, PlatformConnection } from '@leadback/db';
import { type PlatformName, platformNames } from '@leadback/domain';
import { eventually, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenWorker } from './given-worker.ts';

const worker = await shared(givenWorker());
const { givenDelivery, stored, attemptsOf, database } = worker;
const deliver = (deliveryId: number) => worker.deliver([deliveryId]);
/** What earlier tests have left waiting is not sent any more, and what was received is forgotten. */
const forgetEvents = async () => {
  const later = `update delivery_due set not_before = now() + interval '1 day'`;
  await database.pool.query(later);
  await eventually(() => expect(worker.delivery.held()).toBe(0));
  await database.pool.query(later); // what was being sent
  await fetch(`${worker.sandbox.url}/events`, { method: 'DELETE' });
};
const eventsReceived = async (): Promise<unknown> => (await fetch(`${worker.sandbox.url}/events`)).json();

describe('deliveries', () => {
  it.each(platformNames)('delivers deliveries to %s and records the attempt', async (platform) => {
    const { id } = await givenDelivery({ connection: { platform } });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'delivered', attempts: 1, reason: null });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: 'delivered', httpStatus: 200 }]);
  });

  it('sends deliveries once, however many copies of its hint arrive', async () => {
    const { id } = await givenDelivery();
    await Promise.all(Array.from({ length: 20 }, () => deliver(id)));
    await deliver(id);
    expect(await attemptsOf(id)).toHaveLength(1);
  });

  it('skips deliveries with a reason if it has no data to match on', async () => {
    const { id } = await givenDelivery({ connection: { platform: 'google' }, client: { externalReference: 'C' } });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'skipped', reason: 'no_match_keys', attempts: 0 });
    expect(await attemptsOf(id)).toEqual([]);
  });

  it.each([
    ['meta', { pixelId: '1234567890', testEventCode: 'TEST7' }],
    ['tiktok', { pixelCode: 'C17TA5JC77UDOT6CA5FG', testEventCode: 'TEST7' }],
  ] as const)(
    'sends a test conversion to %s as a test event, or skips it if no test event code is configured',
    async (platform, settings) => {
      await forgetEvents();
      const test = await givenDelivery({ isTest: true, connection: { platform, settings } });
      const live = await givenDelivery({ connection: { platform, settings } });
      const without = await givenDelivery({ isTest: true, connection: { platform } });
      for (const { id } of [test, live, without]) await deliver(id);
      expect(await stored(test.id)).toMatchObject({ state: 'delivered' });
      expect(await stored(live.id)).toMatchObject({ state: 'delivered' });
      expect(await stored(without.id)).toMatchObject({ state: 'skipped', reason: 'no_test_event_code', attempts: 0 });
      const events = z.array(z.object({ testEventCode: z.string().optional() }));
      const received = events.parse(await eventsReceived());
      expect(received.map(({ testEventCode }) => testEventCode)).toEqual([undefined, 'TEST7']);
    },
  );

  // the platform's clock says so, not that of the landing page
  const laterClick = `${(Date.now() + 3_600_000).toString(16).padStart(12, '0')}70008000012345678901`;

  it("fails a sale at once, in Microsoft's words, if its click came later, and leaves the connection active", async () => {
    const client = { lead: { clickParameters: { msclkid: laterClick } } };
    const { id, connectionId } = await givenDelivery({ connection: { platform: 'microsoft' }, client });
    await deliver(id);
    expect(await stored(id)).toMatchObject({
      state: 'failed',
      attempts: 1,
      reason: '5616: ConversionTimeEarlierThanClickTime: The conversion time must be later than the click time.',
    });
    expect(await database.em().findOneOrFail(PlatformConnection, connectionId)).toMatchObject({ state: 'active' });
  });

  it('sends a test conversion to Google for validation only', async () => {
    await forgetEvents();
    const { id } = await givenDelivery({ isTest: true, connection: { platform: 'google' } });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(await eventsReceived()).toEqual([]);
  });

  it.each(['linkedin', 'microsoft'] as const)(
    'skips a test conversion for %s, which would count it',
    async (platform) => {
      const { id } = await givenDelivery({ isTest: true, connection: { platform } });
      await deliver(id);
      expect(await stored(id)).toMatchObject({ state: 'skipped', reason: 'no_test_mode', attempts: 0 });
    },
  );

  it('sends Meta sales in other currencies with their value in whole units', async () => {
    const sold = [
      ['80.10', 'BRL'],
      ['1001', 'JPY'],
      ['1.235', 'KWD'],
    ] as const;
    await forgetEvents();
    for (const [amount, currency] of sold) {
      const { id } = await givenDelivery({ amount, currency });
      await deliver(id);
      expect(await stored(id)).toMatchObject({ state: 'delivered', eventNote: null });
    }
    const events = z.array(z.object({ event: z.object({ custom_data: z.unknown() }) }));
    const received = events.parse(await eventsReceived()).map(({ event }) => event.custom_data);
    expect(received.toReversed()).toMatchObject(
      sold.map(([amount, currency]) => ({ value: Number(amount), currency })),
    );
  });

  it('skips a sale in a currency that the platform does not take, or sends it without its value', async () => {
    await forgetEvents();
    const connection = { platform: 'tiktok', settings: { pixelCode: 'C17TA5JC77UDOT6CA5FG' } } as const;
    const sale = { amount: '1500.00', currency: 'UYU' } as const;
    const skipped = await givenDelivery({ ...sale, connection });
    await deliver(skipped.id);
    expect(await stored(skipped.id)).toMatchObject({ state: 'skipped', reason: 'currency_not_supported', attempts: 0 });
    const settings = { ...connection.settings, otherCurrency: 'without-value' };
    const sent = await givenDelivery({ ...sale, connection: { ...connection, settings } });
    await deliver(sent.id);
    expect(await stored(sent.id)).toMatchObject({
      state: 'delivered',
      eventNote: 'without value: TikTok does not take UYU',
    });
    const events = z.array(z.object({ event: z.object({ properties: z.unknown() }) }));
    expect(events.parse(await eventsReceived()).map(({ event }) => event.properties)).toEqual([
      { order_id: expect.any(String) },
    ]);
  });

  it('waits at least ten seconds before the next attempt while the platform is unavailable', async () => {
    await worker.behave({ platform: 'meta', answer: 'server-error', times: 1 });
    const { id } = await givenDelivery();
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'pending', attempts: 1 });
    const [attempt] = await attemptsOf(id);
    expect(attempt).toMatchObject({ outcome: 'unavailable', httpStatus: 503 });
    const { notBefore } = await worker.parcelOf(id);
    const waitMs = notBefore.getTime() - (attempt?.createdAt.getTime() ?? 0);
    expect(waitMs).toBeGreaterThanOrEqual(10_000);
    expect(waitMs).toBeLessThanOrEqual(20_000);
  });

  it.each([
    ['meta', { accessToken: 'revoked' }],
    ['google', { clientId: 'c', clientSecret: 's', refreshToken: 'revoked' }],
    ['tiktok', { accessToken: 'revoked' }],
    ['linkedin', { accessToken: 'revoked' }],
    ['microsoft', { developerToken: 'd', clientId: 'c', clientSecret: 's', refreshToken: 'revoked' }],
  ] as const)(
    'deliveries waits for the operator if %s rejects the credentials, and does not delay other connections',
    async (platform, credentials) => {
      const { id, connectionId } = await givenDelivery({ connection: { platform, credentials } });
      const other = await givenDelivery({ connection: { platform } });
      await Promise.all([deliver(id), deliver(other.id)]);
      // a slow machine may have postponed or retried one of them: the worker's search for due parcels delivers it
      await eventually(async () => {
        expect(await database.em().findOneOrFail(PlatformConnection, connectionId)).toMatchObject({
          state: 'needs_attention',
        });
        expect(await stored(other.id)).toMatchObject({ state: 'delivered' });
      });
      await deliver(id);
      expect(await stored(id)).toMatchObject({ state: 'pending' });
      const outcomes = (await attemptsOf(id)).map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome !== 'unavailable')).toEqual(['refused']);
    },
  );

  it('skips deliveries that is too old for its platform, without an attempt', async () => {
    const { id } = await givenDelivery({ occurredAt: new Date(Date.now() - 8 * 24 * 3_600_000) });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'skipped', reason: 'event_too_old', attempts: 0 });
    expect(await attemptsOf(id)).toEqual([]);
  });

  it('counts no attempt when the platform throttles', async () => {
    await worker.behave({ platform: 'meta', answer: 'rate-limited', times: 1 });
    const { id } = await givenDelivery();
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(await attemptsOf(id)).toMatchObject([{ outcome: 'throttled', httpStatus: 429 }]);
  });

  it('leaves deliveries of a connection that is not active untouched', async () => {
    const { id } = await givenDelivery({ connection: { state: 'needs_attention' } });
    await deliver(id);
    expect(await stored(id)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(await attemptsOf(id)).toEqual([]);
  });

  it('deliveries waits for the operator if the settings are invalid, and the connection names the setting', async () => {
    const { id, connectionId } = await givenDelivery({ connection: { settings: { pixelId: 'not digits' } } });
    await deliver(id);
    const connection = await database.em().findOneOrFail(PlatformConnection, connectionId);
    expect(connection.state).toBe('needs_attention');
    expect(connection.stateReason).toContain('pixelId');
    expect(await stored(id)).toMatchObject({ state: 'pending' });
  });

  it('retries deliveries after an internal error, and does not delay other connections', async () => {
    const { id, connectionId } = await givenDelivery({ connection: { state: 'paused' } });
    await database.pool.query(`update platform_connection set credentials = 'torn', state = 'active' where id = $1`, [
      connectionId,
    ]);
    const other = await givenDelivery();
    await Promise.all([deliver(id), deliver(other.id)]);
    expect(await stored(id)).toMatchObject({ state: 'pending', reason: 'internal_error', attempts: 1 });
    expect(await stored(other.id)).toMatchObject({ state: 'delivered' });
  });
});

describe('a backlog', () => {
  it('delivers many conversions in few requests, each event once', async () => {
    await forgetEvents();
    const { ids } = await worker.givenBacklog(60);
    await worker.deliver(ids);
    const rows = await worker.database.em().find(Delivery, { id: { $in: ids } });
    expect(rows.every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(true);
    expect(await eventsReceived()).toHaveLength(60);
  });

  it('fails only the rejected event and delivers the rest of the batch', async () => {
    // Meta takes no browser that looks hashed
    const { ids, connectionId } = await worker.givenBacklog(4);
    const bad = await worker.givenMore(1, connectionId, {
      client: { email: 'eva@x.example', lead: { userAgent: 'a'.repeat(64) } },
    });
    await worker.deliver([...bad, ...ids]);
    const rows = await Promise.all([...bad, ...ids].map(worker.stored));
    expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual([
      ['failed', 1],
      ...ids.map(() => ['delivered', 1]),
    ]);
    expect(rows[0]?.reason).toMatch(/^100: .*client_user_agent/);
  });

  it('the backlog of a rejected connection waits, and that of others is delivered once', async () => {
    const refused = await worker.givenBacklog(150, { credentials: { accessToken: 'revoked' } });
    const healthy = await worker.givenBacklog(50);
    await worker.deliver([...refused.ids, ...healthy.ids]);
    const connection = await worker.database.em().findOneOrFail(PlatformConnection, refused.connectionId);
    expect(connection).toMatchObject({ state: 'needs_attention' });
    expect(await worker.database.em().count(Delivery, { id: { $in: refused.ids }, state: 'pending' })).toBe(150);
    const parcels = await worker.database.em().find(DeliveryDue, { connectionId: refused.connectionId });
    expect(parcels.flatMap(({ deliveryIds }) => deliveryIds).toSorted((a, b) => a - b)).toEqual(refused.ids);
    expect(parcels.filter(({ phase }) => phase === 'claimed')).toEqual([]);
    const delivered = { id: { $in: healthy.ids }, state: 'delivered', attempts: 1 } as const;
    expect(await worker.database.em().count(Delivery, delivered)).toBe(50);
  });
});

const eventId = z.string().optional();
const receivedSchema = z.array(
  z.object({ event: z.looseObject({ event_id: eventId, transactionId: eventId, eventId }) }),
);

const receivedEvents = async () => receivedSchema.parse(await eventsReceived()).map(({ event }) => event);

/** Sends an event that the platform accepts twice, because its first response is lost. */
const deliverTwice = async (platform: PlatformName) => {
  await forgetEvents();
  await worker.behave({ platform, answer: 'accepted-but-lost', times: 1 });
  const { id: deliveryId } = await worker.givenDelivery({ connection: { platform }, eventId: 'order-8731' });
  await worker.deliver([deliveryId]);
  await worker.makeDue([deliveryId]);
  await worker.deliver([deliveryId]);
  // the worker may have found it by itself
  await eventually(async () =>
    expect(await worker.stored(deliveryId)).toMatchObject({ state: 'delivered', attempts: 2 }),
  );
};

const receivedIds = async () =>
  (await receivedEvents()).map((event) => event.event_id ?? event.transactionId ?? event.eventId);

describe('an event', () => {
  it.each(platformNames)('an event is the same at %s on every attempt', async (platform) => {
    await deliverTwice(platform);
    const [last, first, ...more] = await receivedEvents();
    expect(first).toEqual(last);
    expect(more).toEqual([]);
  });

  it.each(platformNames.filter((name) => name !== 'microsoft'))(
    'an event has the stored event id at %s, on every attempt',
    async (platform) => {
      await deliverTwice(platform);
      expect(await receivedIds()).toEqual(['order-8731', 'order-8731']);
    },
  );
});

const dayMs = 24 * 3_600_000;

const expiredCount = async () => {
  const count = /leadback_deliveries_expired_total\{[^}]*platform="meta"[^}]*\} (\d+)/;
  return Number(count.exec(await worker.metrics.metrics())?.[1]);
};

/** How much the expired count grows; times are in days ago. */
const counted = async (occurred: number, registered: number, isTest = false) => {
  const before = await expiredCount();
  const { id } = await worker.givenDelivery({
    isTest,
    connection: { settings: { pixelId: '1234567890', testEventCode: 'TEST7' } },
    occurredAt: new Date(Date.now() - occurred * dayMs),
    registeredAt: new Date(Date.now() - registered * dayMs),
  });
  await worker.deliver([id]);
  expect(await worker.stored(id)).toMatchObject({ state: 'skipped', reason: 'event_too_old', attempts: 0 });
  return (await expiredCount()) - before;
};

describe('deliveries that is too old for its platform', () => {
  it('a delivery too old for its platform counts as expired if it was registered in time', async () => {
    expect(await counted(8, 2)).toBe(1);
  });

  it('a delivery too old for its platform does not count as expired if it was too old when registered', async () => {
    expect(await counted(8, 0)).toBe(0);
  });

  it('a delivery too old for its platform does not count as expired if it is a test', async () => {
    expect(await counted(8, 2, true)).toBe(0);
  });
});

const timesSchema = z.array(z.object({ event: z.object({ ConversionTime: z.string() }) }));

describe('a request of which the platform accepts only some events', async () => {
  const clock = { behindMs: 0 };
  const behind = await shared(givenWorker({ sandboxNow: () => Date.now() - clock.behindMs }));
  beforeEach(() => fetch(`${behind.sandbox.url}/events`, { method: 'DELETE' }));

  /** Deliveries of one parcel, each with a time of its own an hour ago. */
  const givenParcel = async (rows: number) => {
    const { ids } = await behind.givenBacklog(rows, { platform: 'microsoft', parcelSize: rows });
    await behind.database.pool.query(
      `update conversion c set occurred_at = now() - interval '1 hour' - c.id * interval '1 s'
       from delivery f where f.conversion_id = c.id and f.id = any($1)`,
      [ids],
    );
    return ids;
  };
  const outcomesOf = (ids: readonly number[]) =>
    Promise.all(
      ids.map(async (id) => {
        const attempts = await behind.attemptsOf(id);
        return [(await behind.stored(id)).state, ...attempts.map(({ outcome }) => outcome)];
      }),
    );
  /** The time of each event that the platform accepted, which is its identity here. */
  const acceptedTimes = async () => {
    const received = timesSchema.parse(await (await fetch(`${behind.sandbox.url}/events`)).json());
    return received.map(({ event }) => event.ConversionTime);
  };

  it('fails only the rejected event of a request, and sends none twice', async () => {
    await behind.behave({ platform: 'microsoft', answer: 'bad-event', times: 1 });
    const ids = await givenParcel(5);
    await behind.deliver(ids);
    const delivered = ['delivered', 'delivered'];
    expect(await outcomesOf(ids)).toEqual([['failed', 'rejected'], delivered, delivered, delivered, delivered]);
    const times = await acceptedTimes();
    expect([times.length, new Set(times).size]).toEqual([4, 4]);
    expect(await behind.metrics.metrics()).toMatch(
      /leadback_platform_request_seconds_count\{[^}]*platform="microsoft",outcome="partial"[^}]*\} 1/,
    );
  });

  it('retries only the event that a platform did not accept yet, and sends none twice', async () => {
    const ids = await givenParcel(5);
    const [early = 0] = ids.slice(2);
    await behind.database.pool.query(
      `update conversion c set occurred_at = now() from delivery f where f.conversion_id = c.id and f.id = $1`,
      [early],
    );
    clock.behindMs = 30_000;
    await behind.deliver(ids);
    const delivered = ['delivered', 'delivered'];
    expect(await outcomesOf(ids)).toEqual([delivered, delivered, ['pending', 'unavailable'], delivered, delivered]);
    expect(await acceptedTimes()).toHaveLength(4);

    clock.behindMs = 0;
    await behind.makeDue([early]);
    await behind.deliver(ids);
    expect(await outcomesOf([early])).toEqual([['delivered', 'unavailable', 'delivered']]);
    const times = await acceptedTimes();
    expect([times.length, new Set(times).size]).toEqual([5, 5]);
  });
});

it('sends test events to TikTok one per request, because it shows no others, and those of Meta together', async () => {
  await using own = await givenWorker();
  const deliverThree = async (platform: 'meta' | 'tiktok', settings: unknown) => {
    const { ids } = await own.givenBacklog(3, { platform, settings, isTest: true });
    await own.deliver(ids);
    for (const id of ids) expect(await own.stored(id)).toMatchObject({ state: 'delivered', attempts: 1 });
  };
  await deliverThree('tiktok', { pixelCode: 'C17TA5JC77UDOT6CA5FG', testEventCode: 'TEST7' });
  await deliverThree('meta', { pixelId: '1234567890', testEventCode: 'TEST7' });

  const metrics = await own.metrics.metrics();
  const requests = (platform: string, outcome: string) =>
    Number(
      new RegExp(
        `leadback_platform_request_seconds_count\\{[^}]*platform="${platform}",outcome="${outcome}"[^}]*\\} (\\d+)`,
      ).exec(metrics)?.[1] ?? 0,
    );
  expect([requests('tiktok', 'delivered'), requests('tiktok', 'rejected')]).toEqual([3, 0]);
  expect(requests('meta', 'delivered')).toBeLessThan(3);
});
