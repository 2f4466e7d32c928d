import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client, Conversion } from '@leadback/db';
import { givenLead, givenServer } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenApi, type TestApi } from '../../apps/api/test/given-api.ts';
import { givenPartner } from '../support/given-partner.ts';
import { givenSdk, languages } from './languages.ts';

/** A proxy to the API that drops the first response of each path, when the API has done what it was told. */
const givenLossyProxy = (apiUrl: string) => {
  const seen = new Set<string>();
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/' } = request;
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      ['x-api-key', 'content-type', 'idempotency-key'].includes(name) ? [[name, String(value)]] : [],
    );
    const body = await text(request);
    const options = { method, headers: Object.fromEntries(headers), ...(body !== '' && { body }) };
    const forwarded = await fetch(apiUrl + url, options);
    const reply = await forwarded.text();
    if (seen.has(url)) response.writeHead(forwarded.status, Object.fromEntries(forwarded.headers)).end(reply);
    else request.socket.destroy();
    seen.add(url);
  };
  return givenServer((request, response) => {
    void pass(request, response);
  });
};

describe.each(languages)('the SDK for $language with the API', (language) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await givenApi();
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
  });

  it('registers clients and conversions once although first responses are lost, and reads them back', async () => {
    const em = api.database.em();
    const apiUrl = `http://127.0.0.1:${api.port}/api/v1`;
    const { account, key } = await givenPartner({ database: api.database, apiUrl });
    const lead = await givenLead(em, { account });
    await using proxy = await givenLossyProxy(apiUrl);
    const options = { apiKey: key, baseUrl: proxy.url };
    await using sdk = givenSdk(language);
    const call = (name: string, ...args: unknown[]) => sdk.call({ options, call: name, arguments: args });

    expect(await call('checkKey')).toMatchObject({ result: { message: expect.any(String) } });
    const click = { url: 'https://www.shop.example/?gclid=Cj0KCQiA7NO7BhDs', ip: '203.0.113.7', cookies: {} };
    const own = await call('registerLead', click);
    expect(own).toMatchObject({
      result: { leadReference: expect.any(String), setCookie: expect.stringMatching(/^leadback=/), isRepeated: false },
    });
    expect(await call('registerLead', click)).toMatchObject({
      result: { leadReference: Object(Object(own).result).leadReference, isRepeated: true },
    });
    const none = await call('registerLead', { url: 'https://www.shop.example/' });
    expect(none).toEqual({ result: { leadReference: null, warnings: [], isRepeated: false } });
    const client = { leadReference: lead.reference, email: 'ana@example.com' };
    expect(await call('registerClient', client)).toMatchObject({ result: { isRepeated: false } });
    const order = { email: 'ana@example.com', conversionExternalReference: 'order-1', amount: 149.9, currency: 'USD' };
    const first = await call('registerConversion', order);
    expect(first).toMatchObject({ result: { id: expect.any(Number), leadId: lead.id, isRepeated: false } });
    // another call has another idempotency key
    const again = await call('registerConversion', order);
    const { result } = { result: undefined, ...first };
    expect(again).toEqual({ result: { id: Object(result).id, warnings: [], isRepeated: true } });
    expect(
      await call('registerConversions', [order, { ...order, conversionExternalReference: 'order-2' }]),
    ).toMatchObject({
      result: { counts: { created: 0, repeated: 2, differs: 0, refused: 0 } },
    });
    expect(await call('registerClients', [{ ...client, leadReference: 'Zk3vT9qLm2XcB7nRw5YdHs' }])).toMatchObject({
      result: { results: [{ index: 0, outcome: 'refused', code: 'lead-unknown' }] },
    });

    const refund = { conversionExternalReference: 'order-2', adjustmentExternalReference: 'note-1', kind: 'restate' };
    const adjusted = await call('adjustConversion', { ...refund, amount: 99.999 });
    const warnings = [{ code: 'rounded', field: 'amount' }];
    expect(adjusted).toMatchObject({ result: { id: expect.any(Number), warnings, isRepeated: false } });
    const { conversionId } = Object(Object(adjusted).result);
    expect(await call('adjustConversion', { ...refund, amount: 100 })).toEqual({
      result: { conversionId, warnings: [], isRepeated: true },
    });
    const other = await call('adjustConversion', { ...refund, amount: 149.9 });
    expect(other).toMatchObject({ error: { status: 400, code: 'invalid-fields' } });
    expect(await call('registerConversion', { ...order, amount: 999 })).toMatchObject({
      error: { status: 400, code: 'conversion-differs' },
    });

    expect(await call('findConversion', 'order-2')).toMatchObject({
      result: { amount: 100, deliveries: [{ platform: 'meta', state: 'pending' }, { platform: 'google' }] },
    });
    expect(await call('listConversions', { platform: 'meta', limit: 1 })).toMatchObject({
      result: [{ conversionExternalReference: 'order-2' }, { conversionExternalReference: 'order-1' }],
    });
    expect(await call('getClient', 2 ** 40)).toMatchObject({
      error: { status: 404, code: 'client-unknown', requestId: expect.any(String) },
    });
    expect(await em.count(Client, { account })).toBe(1);
    expect(await em.count(Conversion, { account })).toBe(2);
  });
});
