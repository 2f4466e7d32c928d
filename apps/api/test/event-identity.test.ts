import { Conversion } from '@leadback/db';
import { givenAccount, givenApiKey, givenClient, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';

const created = z.object({ id: z.number() });
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('the event id of a conversion', async () => {
  const api = await shared(givenApi());

  const givenPartner = async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const keys = { live: await givenApiKey(em, { account }), test: await givenApiKey(em, { account, isTest: true }) };
    const client = await givenClient(em, { account, externalReference: 'C1' });
    await givenClient(em, { account, externalReference: 'C1', isTest: true });
    const body = { amount: 10, currency: 'USD', clientExternalReference: 'C1' };
    const post = (sent: object, mode: keyof typeof keys = 'live') =>
      api.send('POST', '/api/v1/client/conversion', { key: keys[mode], body: { ...body, ...sent } });
    /** Registers a conversion and reads its event id. */
    const eventIdOf = async (sent: object, mode: keyof typeof keys = 'live') => {
      const { id } = created.parse((await post(sent, mode)).body);
      const { body: read } = await api.send('GET', `/api/v1/client/conversion/${id}`, { key: keys[mode] });
      return z.object({ eventId: z.string() }).parse(read).eventId;
    };
    return { account, client, post, eventIdOf };
  };

  it("uses the partner's eventId, otherwise the conversionExternalReference, otherwise a UUID as event id", async () => {
    const { eventIdOf } = await givenPartner();
    expect(await eventIdOf({ eventId: ' pixel-1 ', conversionExternalReference: 'order-1' })).toBe('pixel-1');
    expect(await eventIdOf({ conversionExternalReference: 'order-2' })).toBe('order-2');
    expect(await eventIdOf({ eventId: null })).toMatch(uuid);
  });

  it('answers 400 to an event id in use, with the id of the conversion in Leadback-Conversion-Id', async () => {
    const { post } = await givenPartner();
    const first = created.parse((await post({ eventId: 'sale-1', conversionExternalReference: 'order-1' })).body);
    const { status, headers, body } = await post({ eventId: 'sale-1', conversionExternalReference: 'order-2' });
    expect([status, body]).toEqual([
      400,
      { message: 'eventId: another conversion has this event id; use a different id for each sale' },
    ]);
    expect(headers.get('leadback-error')).toBe('conversion-repeated');
    expect(headers.get('leadback-conversion-id')).toBe(String(first.id));
    expect(headers.get('leadback-repeated-field')).toBe('eventId');
  });

  it('registers a sale with a UUID as event id if its reference is the event id of another conversion', async () => {
    const { eventIdOf } = await givenPartner();
    await eventIdOf({ eventId: 'order-2', conversionExternalReference: 'order-1' });
    expect(await eventIdOf({ conversionExternalReference: 'order-2' })).toMatch(uuid);
  });

  it('accepts an event id that another account uses', async () => {
    const [one, other] = [await givenPartner(), await givenPartner()];
    expect(await one.eventIdOf({ eventId: 'sale-1' })).toBe('sale-1');
    expect(await other.eventIdOf({ eventId: 'sale-1' })).toBe('sale-1');
  });

  it('never gives a test and a live conversion the same event id', async () => {
    const { eventIdOf } = await givenPartner();
    const order = { conversionExternalReference: 'order-1' };
    const ids = [
      await eventIdOf(order, 'test'),
      await eventIdOf(order),
      await eventIdOf({ eventId: 'sale-1' }, 'test'),
      await eventIdOf({ eventId: 'sale-1' }),
      await eventIdOf({}, 'test'),
      await eventIdOf({ conversionExternalReference: 'test:order-1' }),
    ];
    expect(ids.slice(0, 4)).toEqual(['test:order-1', 'order-1', 'test:sale-1', 'sale-1']);
    expect(ids[4]).toMatch(/^test:[0-9a-f-]{36}$/);
    expect(ids[5]).toMatch(uuid);
  });

  it('registers each event id once if it arrives many times concurrently, in both fields', async () => {
    const { account, post } = await givenPartner();
    const ids = Array.from({ length: 20 }, (_, index) => `sale-${index}`);
    const replies = await Promise.all(
      ids.flatMap((id) => [
        ...Array.from({ length: 5 }, () => post({ eventId: id })),
        post({ conversionExternalReference: id }),
      ]),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 400]));
    const stored = await api.database.em().find(Conversion, { account });
    // each reference is registered; each explicit id once, unless a reference used it first
    for (const id of ids) {
      expect(stored.filter(({ externalReference }) => externalReference === id)).toHaveLength(1);
      expect(stored.filter(({ eventId }) => eventId === id)).toHaveLength(1);
    }
  });

  it.each([
    ['a b', 'eventId: expected 1 to 64 characters of A-Z a-z 0-9 . _ : -'],
    ['ñ', 'eventId: expected 1 to 64 characters of A-Z a-z 0-9 . _ : -'],
    ['x'.repeat(65), 'eventId: expected 1 to 64 characters of A-Z a-z 0-9 . _ : -'],
    [7, 'eventId: expected 1 to 64 characters of A-Z a-z 0-9 . _ : -'],
    ['test:1', 'eventId: must not begin with "test:", which marks tests'],
  ])('answers 400 with the format to the event id %j', async (eventId, message) => {
    const { post } = await givenPartner();
    const { status, headers, body } = await post({ eventId });
    expect([status, headers.get('leadback-error'), body]).toEqual([400, 'invalid-fields', { message }]);
  });

  it('ignores the event id of a repeated conversionExternalReference and returns the first conversion with 400', async () => {
    const { post } = await givenPartner();
    const order = { conversionExternalReference: unique('order') };
    const first = created.parse((await post({ ...order, eventId: 'a' })).body);
    const again = await post({ ...order, eventId: 'b' });
    expect([again.status, again.headers.get('leadback-conversion-id')]).toEqual([400, String(first.id)]);
    expect(again.headers.get('leadback-repeated-field')).toBe('conversionExternalReference');
    expect(again.body).toEqual({
      message: 'conversionExternalReference: a conversion with this reference already exists',
    });
  });
});
