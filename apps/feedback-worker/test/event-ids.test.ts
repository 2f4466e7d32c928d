import { conversionRegistrar } from '@leadback/core/conversions/register';
import { Account, Conversion, Delivery } from '@leadback/db';
import { givenAccount, givenClient, givenConnection, givenContacts, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenWorker } from './given-worker.ts';

const receivedSchema = z.array(z.object({ event: z.looseObject({ event_id: z.string() }) }));
const settings = { pixelId: '555555555555555' };

describe('the prefix of event ids', async () => {
  const worker = await shared(givenWorker());
  const register = conversionRegistrar(worker.database.pool, { contacts: givenContacts(), announce: () => {} });
  const em = () => worker.database.em();

  /** An account that reports to a data set that others report to as well. */
  const givenShop = async (eventIdPrefix = '', isTest = false) => {
    const account = await givenAccount(em(), { eventIdPrefix });
    await givenConnection(em(), { account, settings });
    await givenClient(em(), { account, isTest, externalReference: 'C1', email: 'ana@x.example' });
    const sell = async (sale: object = {}) => {
      const sold = { amount: '10', currency: 'USD', clientExternalReference: 'C1', ...sale } as const;
      const { id } = await register({ accountId: account.id, isTest }, sold);
      return id;
    };
    const eventIdOf = async (id: number) => (await em().findOneOrFail(Conversion, id)).eventId;
    return { account, sell, eventIdOf };
  };

  const received = async (conversions: readonly number[]) => {
    await fetch(`${worker.sandbox.url}/events`, { method: 'DELETE' });
    const rows = await em().find(Delivery, { conversion: { $in: [...conversions] } });
    await worker.deliver(rows.map(({ id }) => id));
    const events = receivedSchema.parse(await (await fetch(`${worker.sandbox.url}/events`)).json());
    // the worker may send those of other tests meanwhile
    const own = await em().find(Conversion, { id: { $in: [...conversions] } });
    const ids = new Set(own.map(({ eventId }) => eventId));
    return events
      .map(({ event }) => event.event_id)
      .filter((id) => ids.has(id))
      .toSorted();
  };

  it('makes the ids differ of two accounts that report the same order number to one data set', async () => {
    const [one, other, prefixed] = [await givenShop(), await givenShop(), await givenShop('shop-b-')];
    const order = { conversionExternalReference: '10368761' };
    expect(await received([await one.sell(order), await other.sell(order)])).toEqual(['10368761', '10368761']);
    expect(await received([await prefixed.sell(order)])).toEqual(['shop-b-10368761']);
  });

  it('is in front of each kind of id, behind the mark of tests, and never twice', async () => {
    const { sell, eventIdOf } = await givenShop('b:');
    expect(await eventIdOf(await sell({ eventId: 'pixel-7' }))).toBe('b:pixel-7');
    expect(await eventIdOf(await sell({ eventId: 'b:pixel-8' }))).toBe('b:pixel-8');
    expect(await eventIdOf(await sell())).toMatch(/^b:[0-9a-f-]{36}$/);
    expect(await eventIdOf(await sell({ conversionExternalReference: 'test:1' }))).toMatch(/^b:[0-9a-f-]{36}$/);
    const tests = await givenShop('b:', true);
    expect(await tests.eventIdOf(await tests.sell({ conversionExternalReference: 'o-1' }))).toBe('test:b:o-1');
  });

  it('holds for sales that are registered from now on: a stored id never changes', async () => {
    const { account, sell, eventIdOf } = await givenShop();
    const [reference, eventId] = [unique('order'), unique('event')];
    const before = await sell({ conversionExternalReference: reference, eventId });
    await em().nativeUpdate(Account, { id: account.id }, { eventIdPrefix: 'new-' });
    expect(await eventIdOf(before)).toBe(eventId);
    expect(await received([before, await sell({ conversionExternalReference: 'next' })])).toEqual(
      [eventId, 'new-next'].toSorted(),
    );
    await expect(sell({ conversionExternalReference: reference })).rejects.toMatchObject({
      code: 'conversion-repeated',
    });
  });
});
