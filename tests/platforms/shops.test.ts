import { platformSandbox } from '@leadback/platform-sandbox';
import { eventually, givenServer, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from '../../apps/api/test/given-api.ts';
import {
  catchUpOnly,
  givenClick,
  givenSource,
  saleOf,
  type TestSource,
  workOff,
} from '../../apps/api/test/given-sources.ts';

const placedSchema = z.object({ id: z.string() });

describe('a source and the simulated shop that sends to it', async () => {
  const api = await shared(givenApi());
  const sandbox = await shared(givenServer(platformSandbox()));
  const settings = {
    WEBHOOKS_ALLOW_LOOPBACK: true,
    TIENDANUBE_API_URL: sandbox.url,
    MERCADOPAGO_API_URL: sandbox.url,
  };
  const request = async (method: string, path: string, body: object = {}): Promise<unknown> => {
    const sent = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(sandbox.url + path, sent);
    expect([path, response.ok]).toEqual([path, true]);
    return response.json();
  };
  /** `url`: where its messages go; the address of nobody loses them. */
  const connect = (kind: string, { url }: Pick<TestSource, 'url'>, its: object) =>
    request('PUT', `/shops/${kind}`, { url: `http://127.0.0.1:${api.port}${url}`, minuteMs: 1, ...its });
  const place = async (kind: string, lead: string) => {
    const order = { leadReference: lead, amount: '15400.50', currency: 'ARS', email: 'ana@x.example' };
    return placedSchema.parse(await request('POST', `/shops/${kind}/orders`, order)).id;
  };
  const refund = (kind: string, id: string, amount?: string) =>
    request('POST', `/shops/${kind}/orders/${id}/refund`, amount === undefined ? {} : { amount });

  // what was sent arrives a moment later, and the clock of the simulated shop is a second ahead
  const untilSold = (source: TestSource, id: string, totals: readonly string[], round: () => Promise<void>) =>
    eventually(async () => {
      await round();
      const found = await saleOf(api, source.account, id);
      expect([found?.sale.amount, found?.totals]).toEqual(['15400.50', totals]);
    });

  it('Tiendanube restates a sale by its partial refund, and retracts it by the rest', async () => {
    const content = { store: '5238476', secret: 'of the app', accessToken: 'good' };
    const source = await givenSource(api, { kind: 'tiendanube', content });
    await connect('tiendanube', source, { secret: content.secret, accessToken: content.accessToken });
    const id = await place('tiendanube', await givenClick(api, source.account));
    const worked = () => workOff(api, settings);
    await untilSold(source, id, [], worked);
    await refund('tiendanube', id, '400.50');
    await untilSold(source, id, ['restate 15000.00'], worked);
    await refund('tiendanube', id);
    await untilSold(source, id, ['restate 15000.00', 'retract 0.00'], worked);
    await request('POST', '/shops/tiendanube/data-request', { orderId: id });
    await request('POST', '/shops/tiendanube/redact', { orderId: id });
    await eventually(async () => {
      await worked();
      const asked = (await source.events()).filter(({ event }) => event.startsWith('customers/'));
      expect(asked).toMatchObject([
        { event: 'customers/data_request', reason: 'data-asked', message: `orders: ${id}` },
        { event: 'customers/redact', reason: 'erasure-asked' },
      ]);
    });
  });

  it('Mercado Pago counts an order of the newer API once, and restates it by its refund', async () => {
    const content = { secret: 'of the webhooks', accessToken: 'good' };
    const source = await givenSource(api, { kind: 'mercadopago', content });
    await connect('mercadopago', source, { ...content, makesOrders: true });
    const payment = await place('mercadopago', await givenClick(api, source.account));
    const worked = () => workOff(api, settings);
    const id = await eventually(async () => {
      await worked();
      const [sale] = (await source.events()).filter(({ outcome }) => outcome === 'sale');
      expect(sale?.order).toMatch(/^ORD01[0-9A-F]{21}$/);
      return sale?.order ?? '';
    });
    await refund('mercadopago', payment, '400.50');
    await untilSold(source, id, ['restate 15000.00'], worked);
  });

  it('Mercado Pago is asked for payments whose notes were lost', async () => {
    const content = { secret: 'of the webhooks', accessToken: 'good' };
    const source = await givenSource(api, { kind: 'mercadopago', content });
    await connect('mercadopago', { url: '/nobody' }, content);
    const id = await place('mercadopago', await givenClick(api, source.account));
    const asked = () => catchUpOnly(api, source, settings);
    await untilSold(source, id, [], asked);
    await refund('mercadopago', id, '400.50');
    await untilSold(source, id, ['restate 15000.00'], asked);
    const told = (await source.events()).filter(({ order }) => order === id);
    expect(told.map(({ outcome }) => outcome)).toEqual(['sale', 'adjusted']);
  });

  it('WooCommerce is asked for orders whose webhook was switched off', async () => {
    const keys = { consumerKey: 'ck_1', consumerSecret: 'cs_2' };
    const source = await givenSource(api, { kind: 'woocommerce', content: { shop: sandbox.url, ...keys } });
    await connect('woocommerce', { url: '/nobody' }, { secret: source.secret, ...keys });
    const id = await place('woocommerce', await givenClick(api, source.account));
    const asked = () => catchUpOnly(api, source, settings);
    await untilSold(source, id, [], asked);
    await refund('woocommerce', id, '400.50');
    await untilSold(source, id, ['restate 15000.00'], asked);
    const told = (await source.events()).filter(({ order }) => order === id);
    expect(told.map(({ outcome }) => outcome)).toEqual(['sale', 'adjusted']);
  });
});
