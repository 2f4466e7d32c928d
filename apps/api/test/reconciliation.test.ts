import { deleteConnection } from '@leadback/core/connections/delete';
import { storeList } from '@leadback/core/reconciliation/create';
import { type Account, Conversion, Delivery, WebhookEvent } from '@leadback/db';
import {
  eventually,
  givenAccount,
  givenApiKey,
  givenClient,
  givenConnection,
  givenContacts,
  givenFailingRows,
  givenWebhook,
  givenWorkbook,
  secretsKeys,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Reply, type TestApi, givenApi, givenPartner, idOf } from './given-api.ts';

const now = new Date();

/** A time of a month, counted from this one: `inMonth(-1, 1)` is when the last one began. */
const inMonth = (month: number, day: number, time = '00:00:00.000Z'): string =>
  `${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, day)).toISOString().slice(0, 10)}T${time}`;

const dayOf = (time: string) => time.slice(0, 10);
const lastMonth = `?from=${dayOf(inMonth(-1, 1))}&to=${dayOf(inMonth(0, 0))}`;
const inLastMonth = inMonth(-1, 10, '12:00:00.000Z');

const listed = (conversionExternalReference: string, fields: object = {}) => ({
  conversionExternalReference,
  amount: 10,
  currency: 'USD',
  ...fields,
});

/** A partner who sells and reconciles; sales are of the last month. */
const givenReconciling = async (
  api: TestApi,
  { account: given, isTest = false }: { readonly account?: Account; readonly isTest?: boolean } = {},
) => {
  const { account, key, get, post, sell } = await givenPartner(api, { isTest, ...(given && { account: given }) });
  /** Waits until the list of a reply is compared. Returns its id. */
  const done = async (reply: Pick<Reply, 'body'>): Promise<number> => {
    const id = idOf(reply);
    await expect.poll(async () => (await get(`/reconciliation/${id}`)).body).toMatchObject({ state: 'done' });
    return id;
  };
  return {
    account,
    key,
    get,
    post,
    done,
    sell: (conversionExternalReference: string | undefined, fields: object = {}) =>
      sell({ occurredAt: inLastMonth, ...fields, conversionExternalReference }),
    /** Compares a list and returns the id once it is done. */
    reconcile: async (items: readonly unknown[], range = lastMonth): Promise<number> => {
      const reply = await post(`/reconciliation${range}`, { items });
      expect([reply.status, reply.body]).toEqual([202, { id: expect.any(Number), state: 'pending' }]);
      return done(reply);
    },
    rowsOf: async (id: number, query = ''): Promise<unknown> => (await get(`/reconciliation/${id}/rows${query}`)).body,
  };
};

const api = await shared(givenApi());

const sendFile = (key: string, body: string | Uint8Array, range = lastMonth) =>
  api.send('POST', `/api/v1/reconciliation${range}`, { key, body, headers: { 'content-type': 'text/csv' } });

describe('a reconciliation', () => {
  const none = {
    matched: 0,
    amountDiffers: 0,
    currencyDiffers: 0,
    duplicateInList: 0,
    missing: 0,
    missingWithoutClient: 0,
    extra: 0,
    undelivered: 0,
    refused: 0,
  };

  it('gives each row of a month one outcome, and finds what the list does not have', async () => {
    const { account, sell, reconcile, get, rowsOf } = await givenReconciling(api);
    const em = api.database.em();
    const connection = await givenConnection(em, { account });
    const matched = await sell('order-1');
    const late = await sell('order-2');
    await em.nativeUpdate(Delivery, { conversion: matched }, { state: 'delivered', closedAt: new Date() });
    const ours = [await sell('order-3', { amount: 12.5 }), await sell('order-4', { currency: 'ARS' })];
    const extra = [await sell('order-8'), await sell(undefined)];
    const before = await sell('order-9', { occurredAt: inMonth(-1, 0, '23:59:59.999Z') });
    await sell('order-10', { occurredAt: inMonth(0, 1) });
    const id = await reconcile([
      listed('order-1'),
      listed(' order-2 '),
      listed('order-3'),
      listed('order-4'),
      listed('order-1', { amount: 99 }),
      listed('order-5', { clientExternalReference: 'C1' }),
      listed('order-6', { email: 'ANA@x.example' }),
      listed('order-7', { email: 'nobody@x.example' }),
      listed('order-9'),
      listed('order-11', { amount: '10' }),
      'order-12',
    ]);
    expect((await get(`/reconciliation/${id}`)).body).toEqual({
      id,
      state: 'done',
      from: inMonth(-1, 1),
      until: inMonth(0, 1),
      rows: 11,
      done: 11,
      counts: {
        matched: 3,
        amountDiffers: 1,
        currencyDiffers: 1,
        duplicateInList: 1,
        missing: 2,
        missingWithoutClient: 1,
        extra: 2,
        undelivered: 2,
        refused: 2,
      },
      replay: null,
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
    });
    const { items, next } = z
      .object({ items: z.array(z.record(z.string(), z.unknown())), next: z.unknown() })
      .parse(await rowsOf(id));
    expect(next).toBeNull();
    expect(items.map(({ number, outcome, conversionId }) => [number, outcome, conversionId])).toEqual([
      [1, 'matched', matched],
      [2, 'matched', late],
      [3, 'amountDiffers', ours[0]],
      [4, 'currencyDiffers', ours[1]],
      [5, 'duplicateInList', matched],
      [6, 'missing', null],
      [7, 'missing', null],
      [8, 'missingWithoutClient', null],
      [9, 'matched', before],
      [10, 'refused', null],
      [11, 'refused', null],
      [12, 'extra', extra[0]],
      [13, 'extra', extra[1]],
    ]);
    expect(await rowsOf(id, '?outcome=undelivered')).toMatchObject({
      items: [
        { number: 2, outcome: 'matched', undelivered: [connection.platform] },
        { number: 9, outcome: 'matched', undelivered: [connection.platform] },
      ],
    });
    expect(await rowsOf(id, '?outcome=amountDiffers')).toMatchObject({
      items: [{ amount: 10, currency: 'USD', registeredAmount: 12.5, registeredCurrency: 'USD' }],
    });
    expect(await rowsOf(id, '?outcome=refused')).toMatchObject({
      items: [
        {
          conversionExternalReference: 'order-11',
          amount: null,
          currency: 'USD',
          message: 'amount: expected a number, without quotes: 149.9',
        },
        { conversionExternalReference: null, message: 'item: expected a JSON object' },
      ],
    });
  });

  it('does not miss what was to go over a connection that was deleted', async () => {
    const { account, sell, reconcile, get } = await givenReconciling(api);
    const kept = await givenConnection(api.database.em(), { account });
    const gone = await givenConnection(api.database.em(), { account, platform: 'tiktok' });
    const conversion = await sell('order-1');
    await api.database.em().nativeUpdate(Delivery, { conversion, connection: kept.id }, { state: 'delivered' });
    const deletion = { actor: 'operator', id: gone.id, isDiscarding: true };
    await deleteConnection(api.database.pool, { secretsKeys }, deletion);
    const id = await reconcile([listed('order-1')]);
    expect((await get(`/reconciliation/${id}`)).body).toMatchObject({ counts: { matched: 1, undelivered: 0 } });
  });

  it('compares what conversions are worth now, and does not miss cancelled ones in the list', async () => {
    const { post, sell, reconcile, rowsOf } = await givenReconciling(api);
    const adjust = async (reference: string, fields: object) => {
      await sell(reference);
      const { status } = await post('/client/conversion/adjustment', {
        conversionExternalReference: reference,
        ...fields,
      });
      expect(status).toBe(201);
    };
    await adjust('restated', { kind: 'restate', amount: 25 });
    await adjust('cancelled', { kind: 'retract' });
    await adjust('cancelled-by-us-alone', { kind: 'retract' });
    const id = await reconcile([listed('restated', { amount: 25 }), listed('cancelled-by-us-alone')]);
    expect(await rowsOf(id)).toMatchObject({
      items: [
        { outcome: 'matched', registeredAmount: 25 },
        { outcome: 'amountDiffers', registeredAmount: 0 },
      ],
    });
    expect(Object(await rowsOf(id)).items).toHaveLength(2);
  });

  it('reports no conversion as extra whose reference is in a refused row', async () => {
    const { sell, reconcile, get } = await givenReconciling(api);
    await sell('order-1');
    const id = await reconcile([listed('order-1', { amount: -1 })]);
    expect((await get(`/reconciliation/${id}`)).body).toMatchObject({ counts: { ...none, refused: 1 } });
  });

  it('tells webhooks once, when it is compared, and not again of a replay', async () => {
    const { account, post, get, reconcile } = await givenReconciling(api);
    await givenWebhook(api.database.em(), { account });
    const toldTo = async () => {
      const events = await api.database.em().find(WebhookEvent, { accountId: account.id });
      return events.map(({ type, data, isTest }) => ({ type, data, isTest }));
    };
    const id = await reconcile([listed('order-1', { clientExternalReference: 'C1' })]);
    const data = {
      reconciliationId: id,
      state: 'done',
      counts: expect.objectContaining({ missing: 1 }),
      isTest: false,
    };
    const told = [{ type: 'reconciliation.finished', data, isTest: false }];
    expect(await toldTo()).toEqual(told);
    await post(`/reconciliation/${id}/replay`, { outcomes: ['missing'], dryRun: true });
    await expect
      .poll(async () => (await get(`/reconciliation/${id}`)).body)
      .toMatchObject({ replay: { state: 'done' } });
    expect(await toldTo()).toEqual(told);
  });

  it('compares amounts in the decimals of their currency, and registers nothing in one that is not allowed', async () => {
    const account = await givenAccount(api.database.em(), { currencies: ['JPY', 'KWD'] });
    const { sell, reconcile, get, post, rowsOf } = await givenReconciling(api, { account });
    await sell('yen', { amount: 1000.5, currency: 'JPY' });
    await sell('dinar', { amount: 1.2345, currency: 'KWD' });
    const id = await reconcile([
      listed('yen', { amount: 1001, currency: 'JPY' }),
      listed('dinar', { amount: 1.2349, currency: 'KWD' }),
      listed('real', { amount: 5, currency: 'BRL', clientExternalReference: 'C1' }),
    ]);
    const body = async () => (await get(`/reconciliation/${id}`)).body;
    expect(await body()).toMatchObject({ counts: { ...none, matched: 2, missing: 1 } });
    await post(`/reconciliation/${id}/replay`, { outcomes: ['missing'], dryRun: false });
    await expect.poll(body).toMatchObject({ replay: { state: 'done', counts: { created: 0, refused: 1 } } });
    expect(await rowsOf(id, '?outcome=missing')).toMatchObject({
      items: [{ message: expect.stringMatching(/^currency: this account takes JPY, KWD; /) }],
    });
  });

  it('pages through the rows by outcome', async () => {
    const { reconcile, rowsOf } = await givenReconciling(api);
    const names = Array.from({ length: 401 }, (_, index) => `order-${index}`);
    const id = await reconcile(names.map((name) => listed(name)));
    const found: unknown[] = [];
    for (let after: string | null = '0'; after !== null; ) {
      const page = z
        .object({ items: z.array(z.object({ conversionExternalReference: z.string() })), next: z.string().nullable() })
        .parse(await rowsOf(id, `?outcome=missingWithoutClient&after=${after}`));
      found.push(...page.items.map((row) => row.conversionExternalReference));
      after = page.next;
    }
    expect(found).toEqual(names);
  });

  it('accepts times instead of days, and conversions that occurred when the range ends are not in it', async () => {
    const { sell, reconcile, rowsOf } = await givenReconciling(api);
    await sell('order-1', { occurredAt: inMonth(-1, 1, '03:00:00Z') });
    await sell('order-2', { occurredAt: inMonth(0, 0, '23:59:59.999-03:00') });
    await sell('order-3', { occurredAt: inMonth(0, 1, '00:00:00-03:00') });
    const id = await reconcile([], `?from=${inMonth(-1, 1, '00:00:00-03:00')}&to=${inMonth(0, 1, '00:00:00-03:00')}`);
    expect(await rowsOf(id)).toMatchObject({
      items: [{ conversionExternalReference: 'order-1' }, { conversionExternalReference: 'order-2' }],
    });
  });

  it.each([
    ['', 'from: expected a day such as'],
    ['?from=2026-10-01&to=2026-13-01', 'to: expected a day such as'],
    ['?from=2026-10-01T00:00:00&to=2026-10-02', 'from: expected a day such as'],
    ['?from=2026-10-02&to=2026-10-01', 'from: must be before to'],
  ])('refuses the range "%s"', async (range, message) => {
    const { post } = await givenReconciling(api);
    const { status, body } = await post(`/reconciliation${range}`, { items: [] });
    expect([status, body]).toEqual([400, { message: expect.stringContaining(message) }]);
  });

  it('compares a CSV file and returns the rows as a file, safe for spreadsheets, that can be sent again', async () => {
    const { key, get, sell, done } = await givenReconciling(api);
    const id = await sell('=order-1', { amount: 149.9 });
    const file =
      '\uFEFFconversionExternalReference;amount;currency;email;clientExternalReference\r\n=order-1;149,90;USD;;\r\n@2;;USD;Ana@x.example;\r\n@3;1;USD;;+C1\r\n';
    for (let body = file, round = 1; round <= 2; round += 1) {
      const sent = await sendFile(key, body);
      expect(sent.status).toBe(202);
      const reconciliation = await done(sent);
      expect((await get(`/reconciliation/${reconciliation}`)).body).toMatchObject({
        counts: { ...none, matched: 1, refused: 1, missingWithoutClient: 1 },
      });
      const { headers, body: result } = await get(`/reconciliation/${reconciliation}/rows.csv`);
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
      const head =
        '"conversionExternalReference","amount","currency","clientExternalReference","email","occurredAt","outcome","conversionId","registeredAmount","registeredCurrency","undelivered","message"';
      expect(result).toBe(
        `${head}\n"'=order-1","149.90","USD",,,,"matched",${id},"149.90","USD",,\n"'@2",,"USD",,"ana@x.example",,"refused",,,,,"amount: expected a number"\n"'@3","1.00","USD","'+C1",,,"missingWithoutClient",,,,,\n`,
      );
      const matched = await get(`/reconciliation/${reconciliation}/rows.csv?outcome=matched`);
      expect(matched.body).toBe(`${head}\n"'=order-1","149.90","USD",,,,"matched",${id},"149.90","USD",,\n`);
      body = String(result);
    }
  });

  it('compares a workbook, with dates in the zone that is chosen', async () => {
    const { key, get, sell, done } = await givenReconciling(api);
    await sell('w1', { amount: 149.9 });
    const day = Math.floor(Date.now() / 86_400_000) - 3;
    const sold = { xml: `<c s="1"><v>${day + 25_569.5}</v></c>` };
    const book = givenWorkbook({
      formats: ['22'],
      sheets: [
        { name: 'Resumen', rows: [['Ventas']] },
        {
          name: 'Ventas',
          rows: [
            ['Order ID', 'Total', 'Moneda', 'Cuando'],
            ['w1', 149.9, 'USD'],
            ['w2', 0.1 + 0.2, 'USD', sold],
          ],
        },
      ],
    });
    const choices = { columns: { Cuando: 'occurredAt' }, timeZone: 'America/Bogota' };
    const chosen = `&choices=${encodeURIComponent(JSON.stringify(choices))}`;
    const id = await done(await sendFile(key, book, `${lastMonth}${chosen}`));
    expect((await get(`/reconciliation/${id}/rows`)).body).toMatchObject({
      items: [
        { conversionExternalReference: 'w1', amount: 149.9, outcome: 'matched' },
        {
          conversionExternalReference: 'w2',
          amount: 0.3,
          outcome: 'missingWithoutClient',
          occurredAt: new Date(day * 86_400_000 + 17 * 3_600_000).toISOString(),
        },
      ],
    });
    const refused = await sendFile(key, book, `${lastMonth}&choices=${encodeURIComponent('{"sheet":"Resumen"}')}`);
    expect([refused.status, refused.body]).toEqual([400, { message: expect.stringContaining('is missing') }]);
    const cut = await sendFile(key, book.subarray(0, -30));
    expect([cut.status, cut.body]).toEqual([400, { message: expect.stringContaining('the workbook is damaged') }]);
  });

  it('returns a file from which corrected rows still find their client', async () => {
    const { key, get, done } = await givenReconciling(api);
    const rows = ['order-1;10 apples;USD;C1;', 'order-2;x;USD;;ANA@x.example', 'order-3;x;USD;C2;'];
    const head = 'conversionExternalReference;amount;currency;clientExternalReference;email\n';
    const first = await done(await sendFile(key, `${head}${rows.join('\n')}\n`));
    expect((await get(`/reconciliation/${first}`)).body).toMatchObject({ counts: { ...none, refused: 3 } });
    const { body } = await get(`/reconciliation/${first}/rows.csv`);
    const corrected = String(body).replaceAll(',,"USD",', ',10,"USD",');
    const second = await done(await sendFile(key, corrected));
    expect((await get(`/reconciliation/${second}`)).body).toMatchObject({
      counts: { ...none, missing: 2, missingWithoutClient: 1 },
    });
    expect(await get(`/reconciliation/${second}/rows?outcome=missing`)).toMatchObject({
      body: {
        items: [
          { clientExternalReference: 'C1', email: null },
          { clientExternalReference: null, email: 'ana@x.example' },
        ],
      },
    });
  });

  it.each([
    ['', 'body: line 1: expected a header'],
    ['amount,currency\n', 'body: line 1: column "conversionExternalReference" is missing'],
    [
      `conversionExternalReference,amount,currency\n${'a,1,USD\n'.repeat(1500)}a,1,USD,4\n`,
      'body: line 1502: 4 cells, but the header has 3 columns',
    ],
    [
      Buffer.from('conversionExternalReference,amount,currency\n\xc3\xb1,1,\xff\n', 'latin1'),
      'body: line 2: not valid UTF-8',
    ],
  ])('refuses the file of case %# with the line, and keeps none of it', async (file, message) => {
    const { account, key } = await givenReconciling(api);
    const { status, body } = await sendFile(key, file);
    expect([status, body]).toEqual([400, { message: expect.stringContaining(message) }]);
    const { rows } = await api.database.pool.query('select 1 from reconciliation where account_id = $1', [account.id]);
    expect(rows).toEqual([]);
  });

  it.each([
    [{}, 'items: expected a list of items'],
    [{ items: 'x' }, 'items: expected a list of items'],
    [[], 'body: expected a JSON object'],
    [
      { items: Array.from({ length: 10_001 }, () => 0) },
      'items: expected a list of at most 10000 items; send a longer list as CSV',
    ],
  ])('refuses the body of case %#: %.60j', async (sent, message) => {
    const { post } = await givenReconciling(api);
    const { status, body } = await post(`/reconciliation${lastMonth}`, sent);
    expect([status, body]).toEqual([400, { message }]);
  });

  it('refuses an eleventh list while ten are open', async () => {
    const { account, post } = await givenReconciling(api);
    await api.database.pool.query(
      `insert into reconciliation (account_id, from_at, until_at, walked_at) select $1, now(), now(), now() from generate_series(1, 10)`,
      [account.id],
    );
    const reply = await post(`/reconciliation${lastMonth}`, { items: [] });
    expect([reply.status, reply.headers.get('leadback-error')]).toEqual([429, 'rate-limited']);
  });

  it('accepts exactly ten of many lists that arrive at the same time', async () => {
    const { account } = await givenReconciling(api);
    const enough = Promise.withResolvers<void>();
    async function* waiting() {
      await enough.promise;
      yield [{ externalReference: 'order-1', amount: '1', currency: 'USD' }];
    }
    const about = { accountId: account.id, isTest: false, range: { from: inMonth(-1, 1), to: inMonth(0, 1) } };
    let refused = 0;
    const sent = Array.from({ length: 30 }, () =>
      storeList(api.database.pool, givenContacts(), { ...about, rows: waiting() }).catch(() => {
        refused += 1;
      }),
    );
    await eventually(() => expect(refused).toBe(20));
    const open = 'select 1 from reconciliation where account_id = $1';
    expect((await api.database.pool.query(open, [account.id])).rowCount).toBe(10);
    enough.resolve();
    await Promise.all(sent);
    expect(refused).toBe(20);
  });
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const rowsSchema = z.object({ items: z.array(z.object({ conversionId: z.number().nullable() })) });

const replayed = (counts: object, fields: object = {}) => ({
  state: 'done',
  dryRun: false,
  counts: { created: 0, repeated: 0, differs: 0, refused: 0, ...counts },
  tooOld: {},
  withoutOccurredAt: 0,
  ...fields,
});

const givenMissing = async ({ isTest = false } = {}) => {
  const partner = await givenReconciling(api, { isTest });
  const id = await partner.reconcile([
    listed('order-1', { clientExternalReference: 'C1', occurredAt: daysAgo(3) }),
    listed('order-2', { email: 'Ana@x.example', occurredAt: daysAgo(30), amount: 149.9 }),
    listed('order-3', { clientExternalReference: 'C1', occurredAt: daysAgo(100) }),
    listed('order-4', { clientExternalReference: 'C1' }),
    listed('order-5', { clientExternalReference: 'C1', occurredAt: daysAgo(401) }),
    listed('order-6', { email: 'eva@x.example', occurredAt: daysAgo(3) }),
  ]);
  const replay = async (body: object) => {
    const { status, body: answer } = await partner.post(`/reconciliation/${id}/replay`, body);
    return [status, answer];
  };
  const count = () => api.database.em().count(Conversion, { account: partner.account });
  return { ...partner, id, replay, count };
};

describe('replaying a reconciliation', () => {
  it('registers missing sales at their own time, once, and says which platforms will skip them for their age', async () => {
    const { account, get, replay, count, id, rowsOf } = await givenMissing();
    const em = api.database.em();
    await givenConnection(em, { account });
    await givenConnection(em, { account, platform: 'google' });
    const tooOld = { meta: 2, google: 1 };
    const expected = replayed({ created: 4, refused: 1 }, { tooOld, withoutOccurredAt: 1 });

    expect(await replay({ outcomes: ['missing'], dryRun: true })).toEqual([200, { ...expected, dryRun: true }]);
    expect(await count()).toBe(0);
    expect(await em.count(Delivery, { account })).toBe(0);

    const before = api.announced.length;
    expect(await replay({ outcomes: ['missing'] })).toEqual([200, expected]);
    expect(await count()).toBe(4);
    expect(api.announced.slice(before)).toMatchObject([{ size: 4 }, { size: 4 }]);
    const found = await em.find(Conversion, { account }, { orderBy: { externalReference: 'asc' } });
    expect(found.map(({ externalReference, amount }) => [externalReference, amount])).toEqual([
      ['order-1', '10.00'],
      ['order-2', '149.90'],
      ['order-3', '10.00'],
      ['order-4', '10.00'],
    ]);
    expect(
      found.map(({ occurredAt }) => Math.round((Date.now() - Number(occurredAt ?? new Date())) / 86_400_000)),
    ).toEqual([3, 30, 100, 0]);
    const { items } = rowsSchema.parse(await rowsOf(id, '?outcome=missing'));
    expect(items.map(({ conversionId }) => conversionId)).toEqual([...found.map((one) => one.id), null]);
    expect(await rowsOf(id, '?outcome=missing&after=4')).toMatchObject({
      items: [{ message: expect.stringMatching(/^occurredAt: /) }],
    });

    expect(await replay({ outcomes: ['missing'] })).toEqual([
      200,
      replayed({ refused: 1 }, { tooOld: { meta: 0, google: 0 } }),
    ]);
    expect(await count()).toBe(4);
    expect((await get(`/reconciliation/${id}`)).body).toMatchObject({
      state: 'done',
      replay: replayed({ refused: 1 }, { tooOld: { meta: 0, google: 0 } }),
    });
  });

  it('registers sales whose client was registered after the comparison', async () => {
    const { account, replay, count } = await givenMissing();
    expect(await replay({ outcomes: ['missingWithoutClient'] })).toEqual([200, replayed({ refused: 1 })]);
    await givenClient(api.database.em(), { account, email: 'eva@x.example' });
    expect(await replay({ outcomes: ['missingWithoutClient', 'missingWithoutClient'] })).toEqual([
      200,
      replayed({ created: 1 }),
    ]);
    expect(await count()).toBe(1);
  });

  it('reports what was registered meanwhile, alike or not', async () => {
    const { sell, replay, count } = await givenMissing();
    await sell('order-1');
    await sell('order-2', { amount: 150 });
    expect(await replay({ outcomes: ['missing'] })).toEqual([
      200,
      replayed({ created: 2, repeated: 1, differs: 1, refused: 1 }, { withoutOccurredAt: 1 }),
    ]);
    expect(await count()).toBe(4);
  });

  it('registers with a test key in test mode only', async () => {
    const { account, replay } = await givenMissing({ isTest: true });
    expect(await replay({ outcomes: ['missing'] })).toMatchObject([200, { counts: { created: 4 } }]);
    expect(await api.database.em().count(Conversion, { account, isTest: true })).toBe(4);
    expect(await api.database.em().count(Conversion, { account, isTest: false })).toBe(0);
  });

  it('works off more rows than a slice has', async () => {
    const { post, reconcile, account } = await givenReconciling(api);
    const names = Array.from({ length: 600 }, (_, index) => `order-${index}`);
    const id = await reconcile(names.map((name) => listed(name, { clientExternalReference: 'C1' })));
    for (const dryRun of [true, false]) {
      const { body } = await post(`/reconciliation/${id}/replay`, { outcomes: ['missing'], dryRun });
      expect(body).toMatchObject({ counts: { created: 600 } });
    }
    expect(await api.database.em().count(Conversion, { account })).toBe(600);
  });

  it('responds that a replay has begun although its first rows fail, and registers them later', async () => {
    const { account, id, get, replay, count } = await givenMissing();
    const failing = await givenFailingRows(api.database, {
      table: 'conversion',
      when: `new.account_id = ${account.id}`,
      sqlState: '42703',
    });
    expect(await replay({ outcomes: ['missing'] })).toEqual([202, replayed({}, { state: 'running' })]);
    expect(await replay({ outcomes: ['missing'] })).toMatchObject([409, {}]);
    await failing[Symbol.asyncDispose]();
    await expect
      .poll(async () => (await get(`/reconciliation/${id}`)).body)
      .toMatchObject({ replay: { state: 'done', counts: { created: 4 } } });
    expect(await count()).toBe(4);
  });

  it.each([
    [{}, 'outcomes: expected a list of outcomes'],
    [{ outcomes: [] }, 'outcomes: must not be empty'],
    [{ outcomes: ['extra'] }, 'outcomes.0: expected missing or missingWithoutClient'],
    [{ outcomes: ['missing'], dryRun: 'yes' }, 'dryRun: expected true or false'],
  ])('refuses the body %j', async (body, message) => {
    const { replay } = await givenMissing();
    expect(await replay(body)).toEqual([400, { message }]);
  });
});

describe('the isolation of reconciliations', () => {
  it.each([
    ['live', false],
    ['test', true],
  ])('compares a list with %s conversions and clients of the account alone', async (_, isTest) => {
    const { account, sell, reconcile, get } = await givenReconciling(api, { isTest });
    await sell('order-1');
    const em = api.database.em();
    await givenClient(em, { account, externalReference: 'other-mode', email: 'other@x.example', isTest: !isTest });
    const otherKey = await givenApiKey(em, { account, isTest: !isTest });
    const inOtherMode = {
      amount: 10,
      currency: 'USD',
      email: 'other@x.example',
      conversionExternalReference: 'order-2',
    };
    await api.send('POST', '/api/v1/client/conversion', { key: otherKey, body: inOtherMode });
    const foreign = await givenReconciling(api, { isTest });
    await givenClient(em, { account: foreign.account, externalReference: 'foreign', isTest });
    await foreign.sell('order-3');
    await foreign.sell('order-4');

    const id = await reconcile([
      listed('order-1'),
      listed('order-2', { clientExternalReference: 'other-mode', email: 'other@x.example' }),
      listed('order-3', { clientExternalReference: 'foreign' }),
    ]);
    expect((await get(`/reconciliation/${id}`)).body).toMatchObject({
      counts: { matched: 1, missing: 0, missingWithoutClient: 2, extra: 0 },
    });
  });
});
