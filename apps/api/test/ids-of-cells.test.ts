import { createCell } from '@leadback/db';
import { givenAccount, givenApiKey, givenClient, givenConnection, givenConversion, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';

const pageSchema = z.object({ items: z.array(z.object({ id: z.number() })), next: z.string().nullable() });
const createdSchema = z.object({ id: z.number() });

describe('the api of the cell with the largest ids', async () => {
  const api = await shared(givenApi());
  await createCell(api.database.ownerUrl, 8_999);

  const givenPartner = async () => {
    const account = await givenAccount(api.database.em());
    return { account, key: await givenApiKey(api.database.em(), { account }) };
  };

  it('registers a conversion with an id that JSON keeps, and reads it by that id', async () => {
    const { account, key } = await givenPartner();
    await givenClient(api.database.em(), { account, externalReference: 'C1' });
    await givenConnection(api.database.em(), { account });
    const body = { clientExternalReference: 'C1', conversionExternalReference: 'order-1', amount: 10, currency: 'USD' };
    const { id } = createdSchema.parse((await api.send('POST', '/api/v1/client/conversion', { key, body })).body);
    expect(id).toBeGreaterThan(8_999_000_000_000_000);
    const read = await api.send('GET', `/api/v1/client/conversion/${id}`, { key });
    expect([read.status, createdSchema.parse(read.body)]).toEqual([200, { id }]);
  });

  it('registers an order whose number is the id of a conversion without event id', async () => {
    const { account, key } = await givenPartner();
    await givenClient(api.database.em(), { account, externalReference: 'C1' });
    const older = await givenConversion(api.database.em(), { account });
    const body = {
      clientExternalReference: 'C1',
      conversionExternalReference: String(older.id),
      amount: 1,
      currency: 'USD',
    };
    expect((await api.send('POST', '/api/v1/client/conversion', { key, body })).status).toBe(201);
  });

  it('lists conversions page by page', async () => {
    const { account, key } = await givenPartner();
    const ids: number[] = [];
    for (let sale = 0; sale < 3; sale += 1) ids.unshift((await givenConversion(api.database.em(), { account })).id);
    const listed: number[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const query = new URLSearchParams({ limit: '1', after });
      const { body } = await api.send('GET', `/api/v1/client/conversions?${query.toString()}`, { key });
      const { items, next } = pageSchema.parse(body);
      listed.push(...items.map(({ id }) => id));
      after = next;
    }
    expect(listed).toEqual(ids);
  });
});
