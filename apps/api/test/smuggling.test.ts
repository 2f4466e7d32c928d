import { Conversion } from '@leadback/db';
import { givenAccount, givenApiKey, givenClient, rawAnswer, smugglingCorpus, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';

const path = '/api/v1/client/conversion';
const sale = JSON.stringify({ amount: 1, currency: 'USD', clientExternalReference: 'C1' });

const headersOf = (key: string) => [`x-api-key: ${key}`, 'Content-Type: application/json'];
const registering = (key: string) =>
  [`POST ${path} HTTP/1.1`, 'Host: x', ...headersOf(key), `Content-Length: ${sale.length}`, '', sale].join('\r\n');
const corpus = (key: string) => smugglingCorpus({ path, headers: headersOf(key), hidden: registering(key) });

describe('the API behind a proxy', async () => {
  const api = await shared(givenApi());
  const account = await givenAccount(api.database.em());
  await givenClient(api.database.em(), { account, externalReference: 'C1' });
  const key = await givenApiKey(api.database.em(), { account });

  it.each(corpus('').map(({ name }, index) => [name, index] as const))(
    'closes the connection after a request with %s, and does not run the request inside',
    async (_name, index) => {
      const answer = await rawAnswer(api.port, corpus(key)[index]?.wire ?? '');
      expect(answer.match(/^HTTP\/1\.1 \d{3}/gm)).toEqual(['HTTP/1.1 400']);
      expect(await api.database.em().count(Conversion)).toBe(0);
    },
  );

  // after the others: what they hide may run late
  it('runs the request that the others hide only if it is sent alone', async () => {
    const alone = registering(key).replace('Host: x', 'Host: x\r\nConnection: close');
    expect(await rawAnswer(api.port, alone)).toMatch(/^HTTP\/1\.1 201/);
    expect(await api.database.em().count(Conversion)).toBe(1);
  });
});
