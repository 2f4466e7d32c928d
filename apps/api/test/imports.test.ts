import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { findImport, importResult } from '@leadback/core/imports/read';
import { cleanUpImports, storeImport } from '@leadback/core/imports/store';
import { type Account, Delivery, Import, WebhookEvent } from '@leadback/db';
import type { PlatformName } from '@leadback/domain';
import {
  eventually,
  givenAccount,
  givenApiKey,
  givenClient,
  givenWebhook,
  givenWorkbook,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi, givenPartner } from './given-api.ts';
import { givenImportJob, importsOf } from './given-imports.ts';

// without ids, which a dry run does not have
const salesFrom = (first: number, rows: number) =>
  Array.from({ length: rows }, (_, index) => `o${first + index},C1,1,USD,`);
const saleOf = (name: string, days: number, client = 'C1') =>
  `${name},${client},1,USD,${new Date(Date.now() - days * 86_400_000).toISOString()}`;
const withoutIds = (rows: readonly string[]) => rows.map((row) => row.replace(/,(\w+),\d*,([^,]*)$/, ',$1,$2'));

describe('an import', async () => {
  const api = await shared(givenApi());
  await shared(givenImportJob(api));

  const given = async (options: { account?: Account; isTest?: boolean; platforms?: readonly PlatformName[] } = {}) => {
    const partner = await givenPartner(api, { platforms: ['meta'], ...options });
    const { account, leadReference } = partner;
    const count = async (table: 'client' | 'conversion' | 'delivery') => {
      const query = `select id from ${table} where account_id = $1`;
      return (await api.database.pool.query(query, [account.id])).rowCount;
    };
    return { ...partner, reference: leadReference, count, ...importsOf(api, partner.key) };
  };

  it('registers conversions in the order of the file and returns the outcome of each row', async () => {
    const { imported, count } = await given();
    const before = api.announced.length;
    const found = await imported(
      [
        'conversionExternalReference,clientExternalReference,amount,currency,email,occurredAt',
        'o1,C1,149.90,USD,,2026-11-20T10:00:00-03:00',
        'o2,,80,ARS,ANA@x.example,',
        'o1,C1,149.90,USD,,',
        'o1,C1,150,USD,,',
        'o3,nobody,1,USD,,',
        'o4,C1,a lot,USD,,',
        ',C1,1,EUR,,',
        '"=o5",C1,1,USD,,',
      ].join('\r\n'),
    );
    expect(found).toMatchObject({
      state: 'done',
      rows: 8,
      done: 8,
      counts: { created: 3, repeated: 1, differs: 1, not_from_an_ad: 1, refused: 2 },
    });
    const [header, ...rows] = found.result;
    expect(header).toBe(
      'conversionExternalReference,clientExternalReference,amount,currency,email,occurredAt,outcome,id,message',
    );
    expect(rows.map((row) => row.replace(/,\d+,/, ',ID,'))).toEqual([
      'o1,C1,149.90,USD,,2026-11-20T10:00:00-03:00,created,ID,',
      expect.stringMatching(/^o2,,80,ARS,ANA@x.example,,created,ID,$|^o2,,ID,ARS,ANA@x.example,,created,\d+,$/),
      'o1,C1,149.90,USD,,,repeated,ID,',
      expect.stringMatching(/^o1,C1,(150|ID),USD,,,differs,(ID|\d+),.*amount/),
      expect.stringContaining('not_from_an_ad,,no client matches'),
      expect.stringContaining('refused,,amount: expected a number'),
      expect.stringContaining('refused,,'),
      expect.stringMatching(/^'=o5,/),
    ]);
    expect(await count('conversion')).toBe(3);
    expect(await count('delivery')).toBe(3);
    expect(api.announced.slice(before).reduce((sum, { size }) => sum + size, 0)).toBe(3);
  });

  it('counts rows whose reference is an email, also of clients that are known', async () => {
    const { reference, imported } = await given();
    const clients = `leadReference,externalReference,email\n${reference},ana@x.example,\n${reference},R7,bo@x.example\n`;
    expect(await imported(clients, { of: 'client' })).toMatchObject({ counts: { created: 2 }, emailReferences: 1 });
    expect(await imported(clients, { of: 'client' })).toMatchObject({ counts: { existing: 2 }, emailReferences: 1 });
  });

  it('registers nothing twice if the same file is imported again, or its result file', async () => {
    const { reference, imported, count, result } = await given();
    const orders = 'conversionExternalReference;email;amount;currency\no1;ana@x.example;149,90;USD\n';
    const clients = `leadReference,externalReference,phoneNumber\n${reference},R1,+54 11 1234\n${reference},,\n${reference},,\n`;
    const first = await imported(clients, { of: 'client' });
    expect(first.counts).toEqual({ created: 3, existing: 0, refused: 0 });
    const second = await imported(clients, { of: 'client' });
    expect(second.counts).toEqual({ created: 0, existing: 3, refused: 0 });
    expect(second.result.map((row) => row.replace(',existing,', ',created,'))).toEqual(first.result);
    expect(await count('client')).toBe(4);

    const { id, counts } = await imported(orders);
    expect(counts).toMatchObject({ created: 1 });
    expect((await imported(orders)).counts).toMatchObject({ repeated: 1 });
    expect((await imported(await result(id))).counts).toMatchObject({ created: 0, repeated: 1 });
    expect(await count('conversion')).toBe(1);
    expect((await result(first.id)).split('\n')[1]).toContain(`,"'+54 11 1234","created",`);
  });

  it('registers each sheet of a workbook, and each once, though its clients have no reference', async () => {
    const { reference, imported, count } = await given();
    const rows = [['leadReference'], [reference]];
    const book = givenWorkbook({
      sheets: [
        { name: 'May', rows },
        { name: 'June', rows },
      ],
    });
    const before = await count('client');
    const outcomes = [];
    for (const sheet of [undefined, 'June', 'May', 'June']) {
      outcomes.push((await imported(book, { of: 'client', choices: { sheet } })).counts['created']);
    }
    expect(outcomes).toEqual([1, 1, 0, 0]);
    expect(await count('client')).toBe((before ?? 0) + 2);
  });

  it('registers the same file once if it is uploaded twice at the same time and two instances work on it', async () => {
    await using _other = givenImportJob(api);
    const { reference, imported, count } = await given();
    const file = `leadReference\n${`${reference}\n`.repeat(700)}`;
    const both = await Promise.all([imported(file, { of: 'client' }), imported(file, { of: 'client' })]);
    expect(both.map(({ counts }) => counts['refused'])).toEqual([0, 0]);
    expect(both.reduce((sum, { counts }) => sum + (counts['created'] ?? 0), 0)).toBe(700);
    expect(await count('client')).toBe(701);
  });

  it('finds the outcomes in a dry run and registers nothing', async () => {
    const { imported, count } = await given();
    const rows = Array.from({ length: 450 }, (_, index) => `o${index % 400},C1,1,USD\n`);
    const file = `conversionExternalReference,clientExternalReference,amount,currency\n${rows.join('')}x,nobody,1,USD\n`;
    const announced = api.announced.length;
    const found = await imported(file, { dryRun: true });
    expect(found.counts).toEqual({ created: 400, repeated: 50, differs: 0, not_from_an_ad: 1, refused: 0 });
    expect(found.result.filter((row) => /,(created|repeated),\d/.test(row))).toEqual([]);
    expect([await count('conversion'), await count('delivery')]).toEqual([0, 0]);
    expect(api.announced.length).toBe(announced);
    expect((await imported(file)).counts).toEqual(found.counts);
    expect(await count('conversion')).toBe(400);
  });

  it('finds in a dry run what the real run finds of references and event ids that are far apart', async () => {
    const { imported, count } = await given();
    const lines = [
      'a,C1,1,USD,pixel-1',
      'b,C1,1,USD,',
      'c,C1,1,USD,o700',
      ...salesFrom(0, 450),
      'd,C1,1,USD,pixel-1', // the event id of a
      'e,C1,1,USD,b', // the reference of b, which is its event id
      'a,C1,2,USD,',
      'pixel-1,C1,1,USD,', // another event id is found for it
      ...salesFrom(600, 250), // among them the reference that is the event id of c
      'f,C1,1,USD,pixel-1',
    ];
    const file = `conversionExternalReference,clientExternalReference,amount,currency,eventId\n${lines.join('\n')}\n`;
    const dry = await imported(file, { dryRun: true });
    const real = await imported(file);
    expect(dry.counts).toMatchObject({ created: 704, repeated: 0, differs: 1, refused: 3 });
    expect(dry.counts).toEqual(real.counts);
    expect(withoutIds(dry.result)).toEqual(withoutIds(real.result));
    expect(await count('conversion')).toBe(704);
  });

  it('says in a dry run which rows are too old for which platform, and how many', async () => {
    const { imported, read } = await given({ platforms: ['meta', 'google'] });
    const file = [
      'conversionExternalReference,clientExternalReference,amount,currency,occurredAt',
      saleOf('o1', 6),
      saleOf('o2', 8),
      saleOf('o3', 91),
      saleOf('o4', 91, 'nobody'),
      'o5,C1,1,USD,',
      ...Array.from({ length: 250 }, (_, index) => saleOf(`p${index}`, 8)),
    ].join('\n');
    const dry = await imported(file, { dryRun: true });
    const messages = dry.result.slice(1, 6).map((line) => line.split(',').slice(7).join(','));
    expect(messages).toEqual([
      '',
      'occurredAt: too long ago for meta; the event will be skipped',
      expect.stringMatching(
        /^"?occurredAt: too long ago for (meta, google|google, meta); the event will be skipped"?$/,
      ),
      expect.stringContaining('no client matches'),
      '',
    ]);
    expect(await read(dry.id)).toMatchObject({ counts: { created: 254 }, tooOld: { meta: 252, google: 1 } });
    const real = await imported(file);
    expect(real).not.toHaveProperty('tooOld');
    expect(real.result[2]).toMatch(/,created,\d+,$/);
  });

  it.each([
    [
      'amount\n1\n',
      'body: line 1: column "conversionExternalReference" is missing; column "currency" is missing; column "clientExternalReference" or "email" is missing',
    ],
    ['', 'body: line 1: expected a header with the columns amount, currency, email,'],
    [
      'leadReference,ConversionExternalReferenz\n',
      'column 2 ("ConversionExternalReferenz") is unknown; did you mean "conversionExternalReference"?',
    ],
  ])('refuses a file with the header of case %# and stores nothing', async (file, message) => {
    const { account, send } = await given();
    const { status, headers, body } = await send(file);
    expect([status, headers.get('leadback-error')]).toEqual([400, 'invalid-fields']);
    expect(body).toEqual({ message: expect.stringContaining(message) });
    expect((await api.database.pool.query('select from import where account_id = $1', [account.id])).rowCount).toBe(0);
  });

  it.each([
    ['line 4: 5 cells, but the header has 4 columns', 'o3,C1,1,USD,too much\n'],
    ['line 4: a quote is opened here and never closed', '"o3,C1,1,USD\n'],
    [
      'line 4: not valid UTF-8; save the file as "CSV UTF-8"',
      Buffer.concat([Buffer.from('ñ'), Buffer.from([0xff, 0x0a])]),
    ],
  ])('refuses a file as a whole: %s', async (message, end) => {
    const { upload, read, result, count } = await given();
    const start = 'conversionExternalReference,clientExternalReference,amount,currency\no1,C1,1,USD\no2,C1,1,USD\n';
    const refused = await upload(Buffer.concat([Buffer.from(start), Buffer.from(end)]));
    expect(refused).toEqual({ id: refused.id, state: 'refused', message });
    expect(await read(refused.id)).toMatchObject({ state: 'refused', rows: 0, done: 0, message });
    expect((await result(refused.id)).trimEnd().split('\n')).toHaveLength(1);
    expect(await count('conversion')).toBe(0);
  });

  it('refuses a file whose upload was cut off', async () => {
    const { account, key, count } = await given();
    const stored = async () => {
      const query = 'select state, message from import where account_id = $1';
      return (await api.database.pool.query(query, [account.id])).rows;
    };
    const rows = async function* () {
      yield Buffer.from('conversionExternalReference,clientExternalReference,amount,currency\n');
      for (let row = 0; row < 3_000; row += 1) yield Buffer.from(`o${row},C1,1,USD\n`);
      await eventually(async () => expect(await stored()).toHaveLength(1));
      throw new Error('the partner disconnects');
    };
    const sent = fetch(`http://127.0.0.1:${api.port}/api/v1/import?of=conversion`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'text/csv' },
      body: rows(),
      duplex: 'half',
    });
    await expect(sent).rejects.toThrow('fetch failed');
    await expect
      .poll(stored)
      .toEqual([{ state: 'refused', message: 'the upload ended before the end of the file; send it again' }]);
    expect(await count('conversion')).toBe(0);
  });

  it('reads decimal commas in files with semicolons and refuses what could be thousands', async () => {
    const { imported } = await given();
    const amounts = ['149,90', '149.90', '1.234', '1,234', '1.234,56', '7', '-1'];
    const rows = amounts.map((amount, index) => `o${index};C1;${amount};USD\n`).join('');
    const { result } = await imported(`conversionExternalReference;clientExternalReference;amount;currency\n${rows}`);
    expect(result.slice(1).map((row) => row.split(';')[4])).toEqual([
      'created',
      'created',
      'refused',
      'refused',
      'created',
      'created',
      'refused',
    ]);
  });

  it('reads the decimals of each currency, and refuses one that the account does not take by row', async () => {
    const account = await givenAccount(api.database.em(), { currencies: ['USD', 'KWD', 'JPY', 'BRL'] });
    const { imported } = await given({ account });
    const header = 'conversionExternalReference,clientExternalReference,amount,currency\n';
    const rows = ['149.900,KWD', '1.2345,KWD', '1000.5,JPY', '1.500,JPY', '80.10,BRL', '1,EUR', '0.125,USD'];
    const file = header + rows.map((row, index) => `o${index},C1,${row}\n`).join('');
    const sums = { KWD: '151.135', JPY: '1001', BRL: '80.10', USD: '0.13' };
    for (const dryRun of [true, false]) {
      const { id, result } = await imported(file, { dryRun });
      expect(result.slice(1).map((row) => row.split(',')[4])).toEqual([
        'created',
        'created',
        'created',
        'refused',
        'created',
        'refused',
        'created',
      ]);
      expect(result[6]).toMatch(/currency: this account takes USD, KWD, JPY, BRL; ask/);
      const { rows: stored } = await api.database.pool.query('select money from import where id = $1', [id]);
      expect(stored).toEqual([{ money: sums }]);
    }
    const { rows: registered } = await api.database.pool.query(
      'select jsonb_object_agg(currency, amount::text) as sums from (select currency, sum(amount) as amount from conversion where account_id = $1 group by 1) s',
      [account.id],
    );
    expect(registered).toEqual([{ sums }]);
  });

  it('refuses what could be thousands in files with commas, too', async () => {
    const { imported } = await given();
    const amounts = ['1.500', '149.900', '2.500', '1234.567', '0.125', '1.5000', '149.90', '1500'];
    const rows = amounts.map((amount, index) => `o${index},C1,${amount},ARS\n`).join('');
    const { result } = await imported(`conversionExternalReference,clientExternalReference,amount,currency\n${rows}`);
    const doubt =
      'amount: three digits after a comma or a point could be thousands; write 1234 or 1.23, or choose the decimal mark';
    expect(result.slice(1, 4).map((row) => row.split('refused,,')[1]?.replaceAll('"', ''))).toEqual([
      doubt,
      doubt,
      doubt,
    ]);
    expect(result.slice(4, 9).every((row) => row.includes('created'))).toBe(true);
  });

  it('accepts at most ten open files of an account and mode', async () => {
    const { account, send } = await given();
    await api.database.pool.query(
      `insert into import (account_id, is_test, is_dry_run, subject, columns, delimiter)
       select $1, false, false, 'client', '{leadReference}', ',' from generate_series(1, 10)`,
      [account.id],
    );
    const { status, headers } = await send('leadReference\n', { of: 'client' });
    expect([status, headers.get('leadback-error'), headers.get('retry-after')]).toEqual([429, 'rate-limited', '5']);
  });

  it('refuses a file if those that are kept have two GiB together, and takes it once some are deleted', async () => {
    const { account, send, upload, imported } = await given();
    const { id } = await imported('leadReference\nx\n', { of: 'client' });
    const sized = (bytes: number) =>
      api.database.pool.query('update import set bytes = $2 where id = $1 returning bytes', [id, bytes]);
    const { rows } = await api.database.pool.query('select bytes from import where id = $1', [id]);
    expect(rows).toEqual([{ bytes: '16' }]);
    await sized(2 * 2 ** 30 - 50 * 2 ** 20 + 1);
    const { status, headers, body } = await send('leadReference\n', { of: 'client' });
    expect([status, headers.get('leadback-error'), body]).toEqual([
      400,
      'invalid-fields',
      { message: expect.stringContaining('wait until earlier ones are deleted, or ask your operator') },
    ]);
    expect(await api.database.em().count(Import, { account })).toBe(1);
    await sized(2 * 2 ** 30 - 50 * 2 ** 20);
    await upload('leadReference\n', { of: 'client' });
  });

  it.each([
    ['/api/v1/import', 'text/csv', 400, 'of: expected client or conversion'],
    ['/api/v1/import?of=orders', 'text/csv', 400, 'of: expected client or conversion'],
    ['/api/v1/import?of=client&dryRun=yes', 'text/csv', 400, 'dryRun: expected true or false'],
    ['/api/v1/import?of=client', 'application/json', 415, 'Content-Type: expected text/csv'],
    ['/api/v1/import?of=client', 'text/csv; charset=x-unknown', 415, 'Content-Type: expected charset utf-8'],
  ])('refuses %s with %s', async (path, type, status, message) => {
    const { key } = await given();
    const reply = await api.send('POST', path, { key, body: 'leadReference\n', headers: { 'content-type': type } });
    expect([reply.status, reply.body]).toEqual([status, { message }]);
  });

  it('refuses a row whose data PostgreSQL refuses, and goes on with the others', async () => {
    const { account, imported } = await given();
    await api.database.asOwner(
      `alter table conversion add constraint no_thirteen check (account_id <> ${account.id} or amount <> 13) not valid`,
    );
    const rows = Array.from({ length: 30 }, (_, index) => `o${index},C1,${index},USD\n`).join('');
    const found = await imported(`conversionExternalReference,clientExternalReference,amount,currency\n${rows}`);
    expect(found.counts).toMatchObject({ created: 29, refused: 1 });
    expect(found.result[14]).toBe('o13,C1,13,USD,refused,,internal error; give support the id of the import');
  });
});

const endOf = (lines: readonly string[]) => lines.slice(-4).map((line) => line.replace(/,\d+,([^,]*)$/, ',,$1'));

describe('a corrected import', async () => {
  const api = await shared(givenApi());
  await shared(givenImportJob(api));

  const given = async () => {
    const { account, leadReference: reference, key } = await givenPartner(api);
    const clients = async () =>
      (await api.database.pool.query('select from client where account_id = $1', [account.id])).rowCount;
    return { reference, clients, ...importsOf(api, key) };
  };

  it('registers each client once although clients without a reference were corrected in the result file', async () => {
    const { reference, clients, imported, result } = await given();
    const file = `leadReference,name,externalReference\n${reference},Ana,\nwrong,Eva,\n${reference},Ida,I1\n`;
    const first = await imported(file, { of: 'client' });
    expect(first.counts).toEqual({ created: 2, existing: 0, refused: 1 });
    const corrected = (await result(first.id)).replace('wrong', reference);
    const second = await imported(corrected, { of: 'client' });
    expect(second.counts).toEqual({ created: 1, existing: 2, refused: 0 });
    expect(second.result[1]).toBe(first.result[1]?.replace(',created,', ',existing,'));
    expect(await clients()).toBe(4);
    expect((await imported(await result(second.id), { of: 'client' })).counts).toMatchObject({ existing: 3 });
    expect(await clients()).toBe(4);
  });

  it('registers a row whose id is of no client of the account, or of a client with another reference', async () => {
    const { reference, clients, imported } = await given();
    const other = await givenClient(api.database.em(), {});
    const own = await imported(`leadReference,externalReference\n${reference},R1\n`, { of: 'client' });
    const ownId = own.result[1]?.split(',')[3];
    const header = 'leadReference,externalReference,outcome,id,message\n';
    const rows = [`,created,${other.id},`, `R2,created,${ownId},`, ',,1,', ',created,x,', `R1,created,${other.id},`];
    const found = await imported(header + rows.map((row) => `${reference},${row}\n`).join(''), { of: 'client' });
    expect(found.result.slice(1).map((row) => row.split(',')[2])).toEqual([
      'created',
      'created',
      'created',
      'created',
      'existing',
    ]);
    expect(await clients()).toBe(6);
  });

  it('has the outcomes of the real run in a dry run, also for rows that are far apart', async () => {
    const { imported } = await given();
    const between = Array.from({ length: 400 }, (_, index) => `o${index},C1,1,USD\n`).join('');
    const later = 'o1,C1,1,USD\no2,C1,2,USD\no3,C1,1,ARS\no4,nobody,1,USD\n';
    const file = `conversionExternalReference,clientExternalReference,amount,currency\n${between}${later}`;
    const tried = await imported(file, { dryRun: true });
    expect(tried.counts).toMatchObject({ created: 400, repeated: 1, differs: 2 });
    const real = await imported(file);
    expect(real.counts).toEqual(tried.counts);
    expect(endOf(tried.result)).toEqual(endOf(real.result));
  });

  it('tells how to write an amount that could mean thousands', async () => {
    const { imported } = await given();
    const { result } = await imported(
      'conversionExternalReference;clientExternalReference;amount;currency\no1;C1;1.234;USD\no2;C1;1,234;USD\no3;C1;x;USD\n',
    );
    const doubt =
      'amount: three digits after a comma or a point could be thousands; write 1234 or 1.23, or choose the decimal mark';
    expect(result.slice(1).map((row) => row.split(';refused;;')[1]?.replaceAll('"', ''))).toEqual([
      doubt,
      doubt,
      'amount: expected a number',
    ]);
  });
});

const header = 'conversionExternalReference,clientExternalReference,amount,currency\n';

async function* cutOff() {
  yield Buffer.from(header);
  for (let row = 0; row < 3_000; row += 1) yield Buffer.from(`o${row},C1,1,USD\n`);
  throw new Error('cut off');
}

describe('an upload', async () => {
  const api = await shared(givenApi());

  const givenUploads = async () => {
    const account = await givenAccount(api.database.em());
    const about = { accountId: account.id, isTest: false, isDryRun: false, subject: 'conversion' } as const;
    const stored = async () => {
      const query = `select i.id, state, finished_at is not null as finished, (select count(*)::int from import_row where import_id = i.id) as rows
                     from import i where account_id = $1 order by id`;
      return (await api.database.pool.query(query, [account.id])).rows;
    };
    return { account, about, stored };
  };

  it('keeps a file that was stored completely although the response of the database is lost', async () => {
    const { about, stored } = await givenUploads();
    const { pool } = api.database;
    const losing: typeof pool = Object.create(pool, {
      query: {
        value: async (statement: { text: string; values: unknown[] }) => {
          const result = await pool.query(statement);
          if (statement.text.includes('digest = $3, bytes = $4')) throw new Error('connection lost');
          return result;
        },
      },
    });
    const sent = storeImport(losing, about, new Blob([`${header}o1,C1,1,USD\n`]).stream());
    await expect(sent).rejects.toThrow('connection lost');
    expect(await stored()).toMatchObject([{ state: 'pending', rows: 1 }]);
  });

  it('is refused if it was cut off, and its rows are deleted later', async () => {
    const { about, stored } = await givenUploads();
    await expect(storeImport(api.database.pool, about, cutOff())).rejects.toThrow('cut off');
    await expect.poll(stored).toMatchObject([{ state: 'refused', finished: false }]);
    const [{ id }] = await stored();
    const found = await findImport(api.database.pool, about, id);
    if (!found) throw new Error('the import is missing');
    expect((await text(importResult(api.database.pool, found))).trimEnd().split('\n')).toHaveLength(1);
    await cleanUpImports(api.database.pool);
    expect(await stored()).toMatchObject([{ state: 'refused', finished: true, rows: 0 }]);
  });

  it('does not count and is refused if it ended without a trace', async () => {
    const { account, about, stored } = await givenUploads();
    const { pool } = api.database;
    const abandon = `insert into import (account_id, is_test, is_dry_run, subject, columns, delimiter, created_at)
       select $1, false, false, 'client', '{leadReference}', ',', now() - interval '21 minutes' from generate_series(1, 10)`;
    await pool.query(abandon, [account.id]);
    await storeImport(pool, about, new Blob([header]).stream());
    await cleanUpImports(pool);
    await cleanUpImports(pool);
    const states = (await stored()).map(({ state, finished }) => [state, finished]);
    expect(states.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => ['refused', true]));
    expect(states.at(-1)).toEqual(['done', true]);
  });

  it('gets its response although it is refused early and the caller reads only after the whole file', async () => {
    const { account } = await givenUploads();
    const key = await givenApiKey(api.database.em(), { account });
    const file = Buffer.from(`nothing\n${'x\n'.repeat(8 * 2 ** 20)}`);
    const socket = connect(api.port, '127.0.0.1');
    const head = `POST /api/v1/import?of=conversion HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Type: text/csv\r\n`;
    socket.write(`${head}Content-Length: ${file.length}\r\n\r\n`);
    await new Promise((resolve) => socket.write(file, resolve));
    // the connection serves the next request, too
    socket.write('GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const statuses = (await text(socket)).match(/HTTP\/1\.1 \d+/g);
    expect(statuses?.[0]).toBe('HTTP/1.1 400');
    expect(statuses).toHaveLength(2);
  });
});

describe('what webhooks are told of imports', async () => {
  const api = await shared(givenApi());
  await shared(givenImportJob(api));

  const toldTo = async (accountId: number) => {
    const events = await api.database.em().find(WebhookEvent, { accountId }, { orderBy: { id: 1 } });
    return events.map(({ type, data, isTest }) => ({ type, data, isTest }));
  };

  const given = async ({ isTest = false } = {}) => {
    const { account, key } = await givenPartner(api, { isTest });
    await givenWebhook(api.database.em(), { account });
    const test = await givenWebhook(api.database.em(), { account, isTest: true });
    return { account, test, ...importsOf(api, key) };
  };

  it('tells of an import when every row has an outcome, with the counts and nothing of the rows', async () => {
    const { account, test, imported } = await given({ isTest: true });
    const { id } = await imported('leadReference,email\nnobody,ana@x.example\n,ben@x.example\n', { of: 'client' });
    const data = { importId: id, state: 'done', counts: { refused: 2 }, isTest: true };
    expect(await toldTo(account.id)).toEqual([{ type: 'import.finished', data, isTest: true }]);
    const deliveries = await api.database.em().find(Delivery, { account: account.id });
    expect(deliveries).toMatchObject([{ connection: { id: test.id }, isTest: true, state: 'pending' }]);
  });

  it('tells of an import without rows, and of one that was refused', async () => {
    const { account, upload, send } = await given();
    const { id } = await upload('leadReference,email\n', { of: 'client' });
    await send('leadReference,email\nx,"ana\n', { of: 'client' });
    await eventually(async () =>
      expect(await toldTo(account.id)).toMatchObject([
        { data: { importId: id, state: 'done', counts: {} } },
        { data: { state: 'refused', counts: {} } },
      ]),
    );
  });

  it('stores no event for an account without webhooks', async () => {
    const { account, key } = await givenPartner(api);
    const { imported } = importsOf(api, key);
    await imported('leadReference,email\nnobody,ana@x.example\n', { of: 'client' });
    expect(await toldTo(account.id)).toEqual([]);
  });
});
