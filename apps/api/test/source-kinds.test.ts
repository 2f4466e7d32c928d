import { createHmac } from 'node:crypto';
import { givenAccount, shared, unique } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';
import { givenClick, givenSource, hmac, saleOf, salesOf, type TestSource, workOff } from './given-sources.ts';

describe('a generic webhook', async () => {
  const api = await shared(givenApi());

  /** Sends as Standard Webhooks say. */
  const send = (
    source: TestSource,
    message: unknown,
    { id = unique('msg'), at = Date.now(), secret = source.secret ?? '' } = {},
  ) => {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const time = String(Math.floor(at / 1000));
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
    return api.send('POST', source.url, {
      body,
      headers: { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1a,x v1,AAAA v1,${signature}` },
    });
  };

  it('reads the fields that a map names, and takes a sale back', async () => {
    const map = {
      conversionExternalReference: 'data.order.id',
      amount: 'data.total',
      currency: '=ARS',
      email: 'data.buyer.email',
      occurredAt: 'data.paid_at',
      when: { path: 'type', is: ['order.paid'] },
      retractWhen: { path: 'type', is: ['order.refunded'] },
    };
    const source = await givenSource(api, { kind: 'webhook', content: { map } });
    const lead = await givenClick(api, source.account);
    const data = { order: { id: '900719925474099312' }, total: '15.400,50', buyer: { email: 'ana@x.example' } };
    const paidAt = new Date(Date.now() - 3_600_000).toISOString();
    const body = JSON.stringify({ type: 'order.paid', data: { ...data, paid_at: paidAt, note: `ref ${lead}` } });
    // an id beyond 2^53, as a number
    await send(source, body.replace('"900719925474099312"', '900719925474099312'));
    await send(source, { type: 'order.created', data });
    await workOff(api);
    const found = await saleOf(api, source.account, '900719925474099312');
    expect(found?.sale).toMatchObject({ amount: '15400.50', occurredAt: new Date(paidAt) });
    await send(source, { type: 'order.refunded', data });
    await workOff(api);
    expect((await saleOf(api, source.account, '900719925474099312'))?.totals).toEqual(['retract 0.00']);
    expect(await source.outcomes()).toEqual(['sale', 'ignored', 'adjusted']);
  });

  it('finds our names without a map, and each element of a list by itself', async () => {
    const source = await givenSource(api, { kind: 'webhook' });
    const leadReference = await givenClick(api, source.account);
    const sale = { amount: 10, currency: 'USD', leadReference };
    await send(source, [{ ...sale, orderId: 'A-1' }, { orderId: 'A-2' }, { data: { ...sale, order_id: 'A-3' } }]);
    await workOff(api);
    expect(await source.events()).toMatchObject([
      { order: 'A-1', outcome: 'sale' },
      { outcome: 'failed', reason: 'fields-wrong', message: expect.stringContaining('amount') },
      { order: 'A-3', outcome: 'sale' },
    ]);
  });

  it('refuses messages that are older than five minutes, or from as far ahead, and repeats none', async () => {
    const source = await givenSource(api, { kind: 'webhook' });
    const message = { amount: 1, currency: 'USD', orderId: 'B-1' };
    const minutes = 60_000;
    for (const off of [-6, 6]) {
      expect((await send(source, message, { at: Date.now() + off * minutes })).status).toBe(401);
    }
    const id = unique('msg');
    for (const off of [-4, 4])
      expect((await send(source, message, { id, at: Date.now() + off * minutes })).status).toBe(200);
    await workOff(api);
    expect((await source.outcomes()).toSorted()).toEqual(['repeated', 'without-click']);
  });

  it('lets a refund that comes before its sale wait for it', async () => {
    const source = await givenSource(api, { kind: 'webhook' });
    const leadReference = await givenClick(api, source.account);
    await send(source, { type: 'order.refunded', data: { orderId: 'C-1' } });
    await workOff(api);
    expect(await source.outcomes()).toEqual([null]);
    await send(source, { type: 'order.paid', data: { orderId: 'C-1', amount: 5, currency: 'USD', leadReference } });
    await workOff(api);
    expect(await source.outcomes()).toEqual(['adjusted', 'sale']);
    expect((await saleOf(api, source.account, 'C-1'))?.totals).toEqual(['retract 0.00']);
  });

  it('takes an HMAC in a header, and the body of a form', async () => {
    const content = { signature: 'hmac', header: 'X-Signature', prefix: 'sha256=', encoding: 'hex', secret: 'geheim' };
    const source = await givenSource(api, { kind: 'webhook', content });
    const lead = await givenClick(api, source.account);
    const body = `order[id]=7&order[ref]=${lead}&amount=1.234%2C50&currency=USD&reference=7`;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-signature': `sha256=${hmac('geheim', body, 'hex')}`,
    };
    expect((await api.send('POST', source.url, { body, headers })).status).toBe(200);
    expect((await api.send('POST', source.url, { body: `${body}1`, headers })).status).toBe(401);
    await workOff(api);
    expect((await saleOf(api, source.account, '7'))?.sale).toMatchObject({ amount: '1234.50' });
  });

  it('keeps what cannot be read, and says so', async () => {
    const source = await givenSource(api, { kind: 'webhook' });
    for (const body of ['{"half', '', '\u0000', '[]', '{"__proto__": {"amount": 1}}', 'null']) {
      expect((await send(source, body)).status).toBe(200);
    }
    await workOff(api);
    const outcomes = await source.outcomes();
    expect(outcomes.every((outcome) => outcome === 'failed')).toBe(true);
  });

  it('makes tests of a source for tests', async () => {
    const source = await givenSource(api, { kind: 'webhook', isTest: true });
    const leadReference = await givenClick(api, source.account);
    await send(source, { orderId: 'T-1', amount: 5, currency: 'USD', leadReference });
    await workOff(api);
    expect(await saleOf(api, source.account, 'T-1')).toBeUndefined();
    expect((await saleOf(api, source.account, 'T-1', true))?.sale).toMatchObject({ isTest: true });
  });
});

describe('a postback', async () => {
  const api = await shared(givenApi());
  const call = (source: TestSource, query: string, method = 'GET') => api.send(method, `${source.url}?${query}`);

  it('registers a sale of the click that a tracker reports, once for each transaction, and takes it back', async () => {
    const source = await givenSource(api, { kind: 'postback' });
    const ref = await givenClick(api, source.account);
    expect(source.secret).toBeUndefined();
    const sale = `ref=${ref}&order=O-1&amount=12.50&currency=USD&status=approved`;
    for (const query of [sale, sale, `clickid=${ref}&txid=O-2&payout=3&currency=USD`]) {
      const reply = await call(source, query);
      expect([reply.status, reply.body]).toEqual([200, { ok: true }]);
    }
    await call(source, `ref=${ref}&order=O-3&amount=1&currency=USD&status=pending`);
    await workOff(api);
    expect(await salesOf(api, source.account)).toBe(2);
    await call(source, `ref=${ref}&order=O-1&status=rejected`);
    await workOff(api);
    expect((await saleOf(api, source.account, 'O-1'))?.totals).toEqual(['retract 0.00']);
    expect((await source.outcomes()).toSorted()).toEqual(['adjusted', 'ignored', 'repeated', 'sale', 'sale']);
  });

  it('is no sale with HEAD, and none with placeholders that nobody has filled', async () => {
    const source = await givenSource(api, { kind: 'postback' });
    const ref = await givenClick(api, source.account);
    expect((await call(source, `ref=${ref}&order=H-1&amount=1&currency=USD`, 'HEAD')).status).toBe(200);
    await call(source, 'ref={subid}&order=H-2&amount=1&currency=USD');
    await call(source, `ref=${ref}&order={tid}&amount={payout}&currency=USD`);
    await workOff(api);
    expect(await source.events()).toMatchObject([
      { outcome: 'without-click' },
      { outcome: 'failed', message: expect.stringContaining('amount') },
    ]);
  });

  it('is for a kind that takes GET alone: the address of another one refuses it', async () => {
    const account = await givenAccount(api.database.em());
    const source = await givenSource(api, { kind: 'woocommerce', account });
    expect((await call(source, 'x=1')).status).toBe(405);
  });
});
