import { givenAccount, givenApiKey, givenClient, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';

const created = z.object({ id: z.number() });
const results = z.object({ results: z.array(z.looseObject({ outcome: z.string(), id: z.number().optional() })) });
const format = 'expected 1 to 64 characters of A-Z a-z 0-9 . _ - and blanks';

describe("the partner's name for an event", async () => {
  const api = await shared(givenApi());

  const givenPartner = async () => {
    const account = await givenAccount(api.database.em());
    const key = await givenApiKey(api.database.em(), { account });
    await givenClient(api.database.em(), { account, externalReference: 'C1' });
    const sale = { amount: 10, currency: 'USD', clientExternalReference: 'C1' };
    const post = (sent: object) => api.send('POST', '/api/v1/client/conversion', { key, body: { ...sale, ...sent } });
    const read = async (id: number) => (await api.send('GET', `/api/v1/client/conversion/${id}`, { key })).body;
    const batch = (items: readonly object[]) =>
      api.send('POST', '/api/v1/client/conversion/batch', {
        key,
        body: { items: items.map((item) => ({ ...sale, conversionExternalReference: unique('order'), ...item })) },
      });
    return { post, read, batch };
  };

  it('is stored with the conversion and read back', async () => {
    const { post, read } = await givenPartner();
    const { id } = created.parse((await post({ eventName: ' Trial started_v1.2 ' })).body);
    expect(await read(id)).toMatchObject({ eventName: 'Trial started_v1.2' });
  });

  it.each([undefined, null, '', '  '])('is not in the response if %j was sent', async (eventName) => {
    const { post, read } = await givenPartner();
    const { id } = created.parse((await post({ eventName })).body);
    expect(await read(id)).not.toHaveProperty('eventName');
  });

  it.each(['ñ', 'a/b', 'x'.repeat(65), 7])('is refused with its format if it is %j', async (eventName) => {
    const { post } = await givenPartner();
    const { status, headers, body } = await post({ eventName });
    expect([status, headers.get('leadback-error'), body]).toEqual([
      400,
      'invalid-fields',
      { message: `eventName: ${format}` },
    ]);
  });

  it('is a field of the items of batches', async () => {
    const { batch, read } = await givenPartner();
    const { body } = await batch([{ eventName: 'trial' }, { eventName: '?' }]);
    const [first, second] = results.parse(body).results;
    expect(await read(first?.id ?? 0)).toMatchObject({ eventName: 'trial' });
    expect(second).toMatchObject({ outcome: 'refused', message: `eventName: ${format}` });
  });
});
