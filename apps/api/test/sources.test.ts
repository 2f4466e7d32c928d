import { randomBytes } from 'node:crypto';
import { deleteOldEvents } from '@leadback/core/sources/work';
import {
  changeSource,
  deleteSource,
  pauseSource,
  renewSourceUrl,
  replaySource,
  resumeSource,
} from '@leadback/core/sources/sources';
import { readHeldSources } from '@leadback/core/sources/attention';
import { sourceReceiver } from '@leadback/core/sources/receive';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { openSource, readSource } from '@leadback/core/sources/open';
import {
  eventually,
  givenAccount,
  givenApiKey,
  givenClient,
  givenContacts,
  secretsKeys,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi, givenPartner } from './given-api.ts';
import {
  givenClick,
  givenSource,
  hmac,
  makeDue,
  minutesAgoGmt,
  saleOf,
  salesOf,
  sendWoo,
  wooOrder,
  workOff,
} from './given-sources.ts';

describe('a WooCommerce shop', async () => {
  const api = await shared(givenApi());
  const { pool } = api.database;

  it('brings a paid order as a sale with its click, by the first page of the visit that WooCommerce keeps', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const reference = await givenClick(api, source.account);
    const order = wooOrder({ landingUrl: `https://shop.example/p?serviceId=${reference}&utm_source=x` });
    const reply = await sendWoo(api, source, order);
    expect([reply.status, reply.body]).toEqual([200, { ok: true }]);
    expect(await source.outcomes()).toEqual([null]);
    await workOff(api);
    const found = await saleOf(api, source.account, String(order.id));
    expect(found?.sale).toMatchObject({ amount: '15400.50', currency: 'ARS', isTest: false });
    expect(found?.lead).toMatchObject({ reference });
    expect(await source.events()).toMatchObject([
      { event: 'order.updated', outcome: 'sale', conversionId: found?.sale.id, order: String(order.id) },
    ]);
  });

  it('counts an order once, however often it is sent, and in each later state', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const landingUrl = `https://shop.example/?serviceId=${await givenClick(api, source.account)}`;
    const order = wooOrder({ landingUrl });
    await Promise.all([sendWoo(api, source, order), sendWoo(api, source, order), sendWoo(api, source, order)]);
    await sendWoo(api, source, { ...order, status: 'completed', date_modified_gmt: minutesAgoGmt(1) });
    await workOff(api);
    expect(await salesOf(api, source.account)).toBe(1);
    expect(await source.sorted()).toEqual(['repeated', 'repeated', 'repeated', 'sale']);
  });

  it('restates a sale after a part was refunded, and takes it back after all was', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const landingUrl = `https://shop.example/?serviceId=${await givenClick(api, source.account)}`;
    const order = { ...wooOrder({ landingUrl }), id: 4821 };
    await sendWoo(api, source, order);
    await workOff(api);
    const part = { refunds: [{ id: 1, total: '-400.50' }], date_modified_gmt: minutesAgoGmt(5) };
    await sendWoo(api, source, { ...order, ...part });
    await workOff(api);
    await sendWoo(api, source, { ...order, ...part, status: 'refunded', date_modified_gmt: minutesAgoGmt(2) });
    await workOff(api);
    expect((await saleOf(api, source.account, '4821'))?.totals).toEqual(['restate 15000.00', 'retract 0.00']);
    expect(await source.outcomes()).toEqual(['sale', 'adjusted', 'adjusted']);
  });

  it('comes to the same, in whichever order its messages arrive', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const landingUrl = `https://shop.example/?serviceId=${await givenClick(api, source.account)}`;
    const paid = wooOrder({ landingUrl, modifiedAt: minutesAgoGmt(9) });
    const part = { ...paid, refunds: [{ id: 1, total: '-400.50' }], date_modified_gmt: minutesAgoGmt(5) };
    for (const message of [part, paid]) {
      await sendWoo(api, source, message);
      await workOff(api);
    }
    expect((await saleOf(api, source.account, String(paid.id)))?.totals).toEqual(['restate 15000.00']);
    expect(await source.outcomes()).toEqual(['sale', 'ignored']);
  });

  it('ignores what was never paid, also once it is cancelled', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const landingUrl = `https://shop.example/?serviceId=${await givenClick(api, source.account)}`;
    const order = wooOrder({ landingUrl, status: 'on-hold', paidAt: null });
    await sendWoo(api, source, order);
    await sendWoo(api, source, { ...order, status: 'cancelled', date_modified_gmt: minutesAgoGmt(1) });
    await workOff(api);
    expect(await salesOf(api, source.account)).toBe(0);
    expect(await source.events()).toMatchObject([
      { outcome: 'ignored', reason: 'not-paid' },
      { outcome: 'ignored', reason: 'not-paid' },
    ]);
  });

  it('counts an order without a click as that, and registers nobody', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    await sendWoo(api, source, wooOrder());
    await workOff(api);
    expect(await salesOf(api, source.account)).toBe(0);
    expect(await source.counts()).toMatchObject({ received: 1, sales: 0, withoutClick: 1 });
  });

  it('counts an order without a click once, however often it is sent, and as a sale once it has one', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const order = wooOrder({ modifiedAt: minutesAgoGmt(9) });
    await sendWoo(api, source, order);
    await workOff(api);
    await sendWoo(api, source, { ...order, status: 'completed', date_modified_gmt: minutesAgoGmt(5) });
    await workOff(api);
    expect(await source.counts()).toMatchObject({ received: 2, sales: 0, withoutClick: 1 });
    const note = { key: 'leadback', value: await givenClick(api, source.account) };
    await sendWoo(api, source, { ...order, meta_data: [note], date_modified_gmt: minutesAgoGmt(2) });
    await workOff(api);
    expect(await source.outcomes()).toEqual(['without-click', 'repeated', 'sale']);
    expect(await source.counts()).toMatchObject({ received: 3, sales: 1, withoutClick: 0 });
  });

  it('finds the client of an order without a click by its email, whom the account has registered', async () => {
    const account = await givenAccount(api.database.em());
    const client = await givenClient(api.database.em(), { account, email: 'ana@x.example' });
    const source = await givenSource(api, { kind: 'woocommerce', account });
    const order = wooOrder({ email: ' Ana@X.example ' });
    await sendWoo(api, source, order);
    await workOff(api);
    expect((await saleOf(api, account, String(order.id)))?.sale.client.id).toBe(client.id);
  });

  it('finds the client of an order without a click by its phone number, with or without a reference, but no erased one', async () => {
    const partner = await givenPartner(api);
    const { account } = partner;
    await partner.register({ externalReference: 'C7', phoneNumber: '+54 9 11 5555-0101' });
    const source = await givenSource(api, { kind: 'woocommerce', account });
    const order = wooOrder();
    await sendWoo(api, source, order);
    await workOff(api);
    const known = await saleOf(api, account, String(order.id));
    expect(known?.sale.client.unwrap()).toMatchObject({ externalReference: 'C7' });
    const em = api.database.em();
    const own = await givenAccount(em);
    const leadReference = await givenClick(api, own);
    const key = await givenApiKey(em, { account: own });
    const body = { leadReference, phoneNumber: '011 5555-0101' };
    expect((await api.send('POST', '/api/v1/client', { key, body })).status).toBe(201);
    const other = await givenSource(api, { kind: 'woocommerce', account: own });
    const second = wooOrder({ email: '' });
    await sendWoo(api, other, second);
    await workOff(api);
    expect((await saleOf(api, own, String(second.id)))?.lead).toMatchObject({ reference: leadReference });
    await pool.query('update client set contact = null where account_id = $1', [own.id]);
    await sendWoo(api, other, wooOrder());
    await workOff(api);
    expect((await other.outcomes()).at(-1)).toBe('without-click');
  });

  it('makes a lead of the click id with which the visit began, if there is no lead reference', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const gclid = 'Cj0KCQjw_abcDEF123456789';
    const first = wooOrder({ landingUrl: `https://shop.example/p?gclid=${gclid}&utm_source=google` });
    const second = { ...wooOrder(), meta_data: first.meta_data };
    for (const order of [first, second]) await sendWoo(api, source, order);
    await workOff(api);
    const one = await saleOf(api, source.account, String(first.id));
    const other = await saleOf(api, source.account, String(second.id));
    expect(one?.lead).toMatchObject({ clickParameters: { gclid, utm_source: 'google' } });
    expect(other?.lead.id).toBe(one?.lead.id);
  });

  it('finds the lead of the click id that the script or the server of the shop reported, of any visitor', async () => {
    const partner = await givenPartner(api);
    const { account } = partner;
    const source = await givenSource(api, { kind: 'woocommerce', account });
    for (const click of ['fbclid=IwAR2abcDEF123456789', 'gclid=Cj0KCQjw_abcDEF987654321']) {
      const url = `https://shop.example/p?${click}`;
      const reported = await api.send('POST', '/api/v1/lead', {
        key: partner.key,
        body: { url, ip: '198.51.100.7', userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0' },
      });
      expect(reported.status).toBe(201);
      const order = wooOrder({ landingUrl: `${url}&utm_source=x` });
      await sendWoo(api, source, order);
      await workOff(api);
      const found = await saleOf(api, account, String(order.id));
      expect(reported.body).toMatchObject({ leadReference: found?.lead.reference });
    }
  });

  it('is not counted twice with what the backend reports, and keeps the total of the backend', async () => {
    const partner = await givenPartner(api);
    const source = await givenSource(api, { kind: 'woocommerce', account: partner.account });
    const order = wooOrder({ email: 'ana@x.example', total: '121.00' });
    await partner.sell({ amount: 100, currency: 'ARS', conversionExternalReference: String(order.id) });
    await sendWoo(api, source, order);
    await workOff(api);
    expect(await saleOf(api, partner.account, String(order.id))).toMatchObject({
      sale: { amount: '100.00' },
      totals: [],
    });
    expect(await source.events()).toMatchObject([{ outcome: 'repeated', reason: 'known-sale' }]);
  });

  it('answers the greeting of a new webhook with 200, and keeps nothing of it', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const reply = await api.send('POST', source.url, {
      body: 'webhook_id=7',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([reply.status, await source.events()]).toEqual([200, []]);
  });

  it('reports a currency that the account does not take as failed, and a replay registers it once it does', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const landingUrl = `https://shop.example/?serviceId=${await givenClick(api, source.account)}`;
    await sendWoo(api, source, wooOrder({ landingUrl, currency: 'CLP', total: '15400' }));
    await workOff(api);
    expect(await source.events()).toMatchObject([{ outcome: 'failed', reason: 'currency-not-allowed' }]);
    await pool.query(`update account set currencies = '{CLP}' where id = $1`, [source.account.id]);
    expect(await replaySource(pool, { actor: 'test', id: source.id })).toBe(1);
    await workOff(api);
    expect(await source.outcomes()).toEqual(['sale']);
  });
});

describe('the address of a source', async () => {
  const api = await shared(givenApi());
  const { pool } = api.database;

  it('refuses a wrong signature with 401, and keeps nothing', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const wrong = await sendWoo(api, source, wooOrder(), { secret: 'another' });
    const none = await api.send('POST', source.url, { body: wooOrder() });
    expect([wrong.status, none.status]).toEqual([401, 401]);
    expect(wrong.headers.get('leadback-error')).toBe('signature-wrong');
    expect(await source.events()).toEqual([]);
  });

  it('is unknown if it is invented, mistyped, or of a source that was deleted', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    await deleteSource(pool, secretsKeys, { actor: 'test', id: source.id });
    for (const url of ['/source/x', `/source/${'0'.repeat(32)}`, source.url, '/source']) {
      expect((await api.send('POST', url, { body: wooOrder() })).status).toBe(404);
    }
  });

  it('refuses more than 1 MiB with 413', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const reply = await sendWoo(api, source, { ...wooOrder(), more: 'x'.repeat(1024 * 1024) });
    expect(reply.status).toBe(413);
    const fits = await sendWoo(api, source, { ...wooOrder(), more: 'x'.repeat(1000 * 1024) });
    expect(fits.status).toBe(200);
  });

  it('asks its senders to come again while too much waits to be stored, and keeps what it has taken', async () => {
    const source = await givenSource(api, { kind: 'postback' });
    const stored = await readSource(pool, source.id);
    if (!stored) throw new Error('there is no source');
    const referenceKeys = leadReferenceKeys(secretsKeys);
    const receive = sourceReceiver(api.pool, { secretsKeys, referenceKeys, contacts: givenContacts(), heldMax: 55 });
    // what is stored is compressed: half a megabyte that cannot be
    const body = Buffer.from(`note=${randomBytes(375_000).toString('base64')}`);
    const send = (order: number) => receive(stored, { method: 'POST', headers: {}, query: `order=${order}`, body });
    // nothing is stored until one is refused
    const holder = await api.database.pool.connect();
    await holder.query('begin');
    await holder.query('lock table source_event in share mode');
    const sent = [send(1), send(2), send(3)];
    await Promise.any(
      sent.map((one) =>
        one.then(
          () => Promise.reject(new Error('kept')),
          () => 'refused',
        ),
      ),
    );
    await holder.query('commit');
    holder.release();
    const outcomes = await Promise.allSettled(sent);
    expect(outcomes.map(({ status }) => status).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(await source.events()).toHaveLength(2);
    expect(await send(3)).toMatchObject({ events: 1 });
  });

  it('keeps what a paused source is sent, and works on it once it is resumed', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const landingUrl = `https://shop.example/?serviceId=${await givenClick(api, source.account)}`;
    await pauseSource(pool, { actor: 'test', id: source.id });
    expect((await sendWoo(api, source, wooOrder({ landingUrl }))).status).toBe(200);
    await workOff(api);
    expect(await source.outcomes()).toEqual([null]);
    await resumeSource(pool, { actor: 'test', id: source.id });
    await workOff(api);
    expect(await source.outcomes()).toEqual(['sale']);
  });

  it('tells how many requests it refused since the last genuine one, writes that once a minute, and begins again with another secret', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const held = async () => (await readHeldSources(pool, source.account.id, 10)).map(({ trouble }) => trouble);
    const refuse = async (times: number) => {
      for (let time = 0; time < times; time += 1) await sendWoo(api, source, wooOrder(), { secret: 'another' });
    };
    const now = Date.now();
    await refuse(2);
    await api.refusals.save(api.pool, now);
    expect([await source.counts(), await held()]).toMatchObject([{ refused: 2, isRefused: false }, []]);
    await refuse(1);
    await api.refusals.save(api.pool, now + 59_000);
    expect(await source.counts()).toMatchObject({ refused: 2 });
    await api.refusals.save(api.pool, now + 61_000);
    expect(await source.counts()).toMatchObject({ refused: 3, refusedAt: expect.any(Date), isRefused: true });
    expect(await held()).toEqual(['refused']);
    await sendWoo(api, source, wooOrder());
    expect([await source.counts(), await held()]).toMatchObject([{ isRefused: false }, []]);
    await refuse(3);
    await api.refusals.save(api.pool, now + 122_000);
    expect([await source.counts(), await held()]).toMatchObject([{ refused: 3, isRefused: true }, ['refused']]);
    await changeSource(pool, secretsKeys, { actor: 'test', id: source.id, content: { secret: 'another' } });
    expect([await source.counts(), await held()]).toMatchObject([{ refused: 0, isRefused: false }, []]);
  });

  it('asks the shop to send again, and waits for an operator, if its own secrets cannot be read', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    await pool.query(`update source set secrets = '\\x00' where id = $1`, [source.id]);
    expect((await sendWoo(api, source, wooOrder())).status).toBe(503);
    expect(await readHeldSources(pool, source.account.id, 10)).toMatchObject([
      { id: source.id, trouble: 'needs_attention', reason: expect.stringContaining('SECRETS_KEY'), waiting: 0 },
    ]);
  });

  it('accepts the secret before a change for one more day, and not longer', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const change = { actor: 'test', id: source.id, content: { secret: 'the new one' } };
    await changeSource(pool, secretsKeys, change);
    expect((await sendWoo(api, source, wooOrder())).status).toBe(200);
    expect((await sendWoo(api, source, wooOrder(), { secret: 'the new one' })).status).toBe(200);
    const stored = await readSource(pool, source.id);
    const body = Buffer.from('{}');
    const isAccepted = (secret: string, hours: number) => {
      if (!stored) throw new Error('there is no source');
      const nowMs = Date.now() + hours * 3_600_000;
      const headers = { 'x-wc-webhook-signature': hmac(secret, body.toString()) };
      const { opened } = openSource(secretsKeys, stored, nowMs);
      return opened.verify({ method: 'POST', headers, query: '', body }, nowMs) === 'genuine';
    };
    const former = source.secret ?? '';
    expect([isAccepted(former, 23), isAccepted(former, 25), isAccepted('the new one', 25)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('works for one more day after it was replaced by a new one, and not longer', async () => {
    const source = await givenSource(api, { kind: 'postback' });
    const { path, earlierUntil } = await renewSourceUrl(pool, secretsKeys, { actor: 'test', id: source.id });
    const statuses = async () => {
      const sent = [source.url, `/source/${path}`].map((url) => api.send('GET', `${url}?status=pending`));
      return (await Promise.all(sent)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200]);
    expect(earlierUntil.getTime() / 3_600_000 - Date.now() / 3_600_000).toBeCloseTo(24, 1);
    await pool.query('update source set earlier_path_until = now() where id = $1', [source.id]);
    // the api asks for a source at most once a second
    await eventually(async () => expect(await statuses()).toEqual([404, 200]));
  });

  it('never touches clients and leads of another account', async () => {
    const em = api.database.em();
    const other = await givenAccount(em);
    await givenClient(em, { account: other, email: 'ana@x.example' });
    const reference = await givenClick(api, other);
    const source = await givenSource(api, { kind: 'woocommerce' });
    const landingUrl = `https://shop.example/?serviceId=${reference}`;
    await sendWoo(api, source, wooOrder({ email: 'ana@x.example', landingUrl }));
    await workOff(api);
    await makeDue(api, source);
    await workOff(api);
    expect(await source.outcomes()).toEqual(['without-click']);
    expect([await salesOf(api, other), await salesOf(api, source.account)]).toEqual([0, 0]);
  });

  it('holds a source whose secrets cannot be read, and works on all others', async () => {
    const [broken, other] = [
      await givenSource(api, { kind: 'woocommerce' }),
      await givenSource(api, { kind: 'postback' }),
    ];
    const ref = await givenClick(api, other.account);
    await sendWoo(api, broken, wooOrder());
    await api.send('GET', `${other.url}?ref=${ref}&order=1&amount=1&currency=USD`);
    await pool.query(`update source set secrets = '\\x00' where id = $1`, [broken.id]);
    await workOff(api);
    expect(await broken.counts()).toMatchObject({
      state: 'needs_attention',
      stateReason: expect.any(String),
      waiting: 1,
    });
    expect(await other.outcomes()).toEqual(['sale']);
  });

  it('knows a repeat for 30 days', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    const order = wooOrder();
    await sendWoo(api, source, order);
    await workOff(api);
    await pool.query(`update source_event set received_at = now() - interval '29 days' where source_id = $1`, [
      source.id,
    ]);
    while ((await deleteOldEvents(api.pool, 30, 100)) > 0);
    await sendWoo(api, source, order);
    expect(await source.events()).toMatchObject([{ outcome: 'without-click' }, { reason: 'same-event' }]);
  });

  it('keeps what it was sent for 30 days', async () => {
    const source = await givenSource(api, { kind: 'woocommerce' });
    for (const days of [31, 29]) {
      await sendWoo(api, source, wooOrder());
      await pool.query(
        `update source_event set received_at = now() - $2::int * interval '1 day'
         where source_id = $1 and received_at > now() - interval '1 day'`,
        [source.id, days],
      );
    }
    while ((await deleteOldEvents(api.pool, 30, 100)) > 0);
    expect(await source.events()).toHaveLength(1);
  });
});
