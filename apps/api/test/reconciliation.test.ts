import { Delivery } from '@leadback/db';
import { eventually, givenContacts, givenConnection, shared } from '@leadback/testing';
import { storeList } from '@leadback/core/reconciliation/create';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi } from './given-api.ts';
import { givenReconciling, inMonth, lastMonth, listed } from './given-reconciling.ts';

describe('a reconciliation', async () => {
  const api = await shared(givenApi());

  const givenPartner = () => givenReconciling(api);

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
    const { account, sell, reconcile, get, rowsOf } = await givenPartner();
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
          message: 'amount: expected a number',
        },
        { conversionExternalReference: null, message: 'item: expected a JSON object' },
      ],
    });
  });

  it('compares what conversions are worth now, and does not miss cancelled ones in the list', async () => {
    const { post, sell, reconcile, rowsOf } = await givenPartner();
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
    const { sell, reconcile, get } = await givenPartner();
    await sell('order-1');
    const id = await reconcile([listed('order-1', { amount: -1 })]);
    expect((await get(`/reconciliation/${id}`)).body).toMatchObject({ counts: { ...none, refused: 1 } });
  });

  it('pages through the rows by outcome', async () => {
    const { reconcile, rowsOf } = await givenPartner();
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
    const { sell, reconcile, rowsOf } = await givenPartner();
    await sell('order-1', { occurredAt: inMonth(-1, 1, '03:00:00Z') });
    await sell('order-2', { occurredAt: inMonth(0, 0, '23:59:59.999-03:00') });
    await sell('order-3', { occurredAt: inMonth(0, 1, '00:00:00-03:00') });
    const id = await reconcile([], `?from=${inMonth(-1, 1, '00:00:00-03:00')}&to=${inMonth(0, 1, '00:00:00-03:00')}`);
    expect(await rowsOf(id)).toMatchObject({
      items: [{ conversionExternalReference: 'order-1' }, { conversionExternalReference: 'order-2' }],
    });
  });

  it.each([
    ['', 'from: expected a day in UTC'],
    ['?from=2026-10-01&to=2026-13-01', 'to: expected a day in UTC'],
    ['?from=2026-10-01T00:00:00&to=2026-10-02', 'from: expected a day in UTC'],
    ['?from=2026-10-02&to=2026-10-01', 'from: must be before to'],
  ])('refuses the range "%s"', async (range, message) => {
    const { post } = await givenPartner();
    const { status, body } = await post(`/reconciliation${range}`, { items: [] });
    expect([status, body]).toEqual([400, { message: expect.stringContaining(message) }]);
  });

  const sendFile = (key: string, body: string | Uint8Array, range = lastMonth) =>
    api.send('POST', `/api/v1/reconciliation${range}`, { key, body, headers: { 'content-type': 'text/csv' } });

  it('compares a CSV file and returns the rows as a file, safe for spreadsheets, that can be sent again', async () => {
    const { key, get, sell, done } = await givenPartner();
    const id = await sell('=order-1', { amount: 149.9 });
    const file =
      '\uFEFFconversionExternalReference;amount;currency;email;clientExternalReference\r\n=order-1;149,90;USD;;\r\n@2;;USD;Ana@x.example;\r\n@3;1;USD;;+C1\r\n';
    for (let body = file, round = 1; round <= 2; round += 1) {
      const { status, body: sent } = await sendFile(key, body);
      expect(status).toBe(202);
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

  it('returns a file from which corrected rows still find their client', async () => {
    const { key, get, done } = await givenPartner();
    const rows = ['order-1;10 USD;USD;C1;', 'order-2;x;USD;;ANA@x.example', 'order-3;x;USD;C2;'];
    const head = 'conversionExternalReference;amount;currency;clientExternalReference;email\n';
    const first = await done((await sendFile(key, `${head}${rows.join('\n')}\n`)).body);
    expect((await get(`/reconciliation/${first}`)).body).toMatchObject({ counts: { ...none, refused: 3 } });
    const { body } = await get(`/reconciliation/${first}/rows.csv`);
    const corrected = String(body).replaceAll(',,"USD",', ',10,"USD",');
    const second = await done((await sendFile(key, corrected)).body);
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
    [Buffer.from('conversionExternalReference,amount,currency\na,1,\xff\n', 'latin1'), 'body: line 2: not valid UTF-8'],
  ])('refuses the file of case %# with the line, and keeps none of it', async (file, message) => {
    const { account, key } = await givenPartner();
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
    const { post } = await givenPartner();
    const { status, body } = await post(`/reconciliation${lastMonth}`, sent);
    expect([status, body]).toEqual([400, { message }]);
  });

  it('refuses an eleventh list while ten are open', async () => {
    const { account, post } = await givenPartner();
    await api.database.pool.query(
      `insert into reconciliation (account_id, from_at, until_at, walked_at) select $1, now(), now(), now() from generate_series(1, 10)`,
      [account.id],
    );
    const reply = await post(`/reconciliation${lastMonth}`, { items: [] });
    expect([reply.status, reply.headers.get('leadback-error')]).toEqual([429, 'rate-limited']);
  });

  it('accepts exactly ten of many lists that arrive at the same time', async () => {
    const { account } = await givenPartner();
    const enough = Promise.withResolvers<void>();
    async function* waiting() {
      await enough.promise;
      yield [{ externalReference: 'order-1', amount: '1', currency: 'USD' }];
    }
    const about = { accountId: account.id, isTest: false, range: { from: inMonth(-1, 1), until: inMonth(0, 1) } };
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
