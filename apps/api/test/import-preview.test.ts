import { eventually, givenAccount, givenWorkbook, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenApi, givenPartner } from './given-api.ts';
import { givenImportJob, importsOf } from './given-imports.ts';

const buenosAires = 'America/Argentina/Buenos_Aires';

describe('a file as people have it', async () => {
  const api = await shared(givenApi());
  await shared(givenImportJob(api));

  const given = async () => {
    const account = await givenAccount(api.database.em(), { currencies: ['ARS', 'USD'], timeZone: buenosAires });
    const { key, get } = await givenPartner(api, { account });
    const conversion = async (reference: string) =>
      (await get(`/client/conversion?externalReference=${reference}`)).body;
    const imports = importsOf(api, key);
    const sales = async () => {
      const { rows } = await api.database.pool.query<{
        reference: string;
        amount: string;
        currency: string;
        at: string;
      }>(
        `select external_reference as reference, amount::text, currency, occurred_at as at from conversion
         where account_id = $1 order by id`,
        [account.id],
      );
      return rows.map(({ reference, amount, currency, at }) =>
        [reference, amount, currency, new Date(at).toISOString()].join(' '),
      );
    };
    const preview = (file: string | Uint8Array, choices?: unknown) => imports.send(file, { choices }, 'import/preview');
    return { ...imports, key, preview, sales, conversion };
  };

  const day = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
  const [year, month, date] = day.split('-');
  const at = `${day}T14:03:09.000Z`;

  it.each<[string, string, string]>([
    [
      'shopify',
      `Name,Email,Financial Status,Paid at,Currency,Total,Lineitem quantity,Lineitem name,Id\n#1,ana@x.example,paid,${day} 11:03:09 -0300,ARS,15000.50,1,Mate,901\n#1,,,,,,2,Yerba,\n#2,ana@x.example,pending,,ARS,9.00,1,Mate,902\n`,
      '901 15000.50 ARS',
    ],
    [
      'stripe',
      `id,Created date (UTC),Amount,Currency,Status,Customer Email\nch_1,${day} 14:03:09,15000.50,ars,Paid,ana@x.example\nch_2,${day} 14:03:09,1.00,ars,Failed,ana@x.example\n`,
      'ch_1 15000.50 ARS',
    ],
    [
      'google',
      `Parameters:TimeZone=${buenosAires},,,,,\nGoogle Click ID,Conversion Name,Conversion Time,Conversion Value,Conversion Currency,Order ID,Email\nx,Sale,${day} 11:03:09,15000.50,ARS,G1,ana@x.example\n`,
      'G1 15000.50 ARS',
    ],
    [
      'meta',
      `email,event_name,event_time,value,currency,order_id\nana@x.example,Purchase,${Date.parse(at) / 1000},15000.50,ARS,M1\n`,
      'M1 15000.50 ARS',
    ],
    [
      'woocommerce',
      `order_id,order_date,status,billing_email,order_total,order_currency\n7,${day}T11:03:09-0300,wc-completed,ana@x.example,"15,000.50",ARS\n8,${day}T11:03:09-0300,wc-cancelled,ana@x.example,1.00,ARS\n`,
      '7 15000.50 ARS',
    ],
    [
      'mercadopago',
      `Código de referencia (external_reference);Estado de la operación (status);Valor del producto (transaction_amount);Moneda (currency_id);Contraparte (counterpart_email);Fecha de compra (date_created)\nP1;approved;15000,50;ARS;ana@x.example;${day}T10:03:09.000-04:00\nP2;rejected;1,00;ARS;ana@x.example;${day}T10:03:09.000-04:00\n`,
      'P1 15000.50 ARS',
    ],
  ])('is recognised as an export of %s, whose paid orders are sales', async (kind, file, sale) => {
    const { preview, imported, sales } = await given();
    expect(await preview(file)).toMatchObject({ status: 200, body: { export: kind, missing: [], questions: [] } });
    await imported(file);
    expect(await sales()).toEqual([`${sale} ${at}`]);
  });

  const tiendanube = Buffer.from(
    `Número de orden;Email;Fecha;Estado del pago;Moneda;Total;Nombre del producto\n100;ana@x.example;${date}/${month}/${year} 11:03:09;Recibido;ARS;15.000,50;Ñandú\n100;;;;;;Mate\n101;ana@x.example;${date}/${month}/${year} 11:03:09;Pendiente;ARS;1,00;Mate\n`,
    'latin1',
  );

  it('asks for the zone that an export of Tiendanube leaves open, and keeps it for the next file of this kind', async () => {
    const { preview, imported, sales } = await given();
    const asked = await preview(tiendanube);
    expect(asked.body).toMatchObject({
      encoding: 'windows-1252',
      delimiter: ';',
      headerLine: 1,
      export: 'tiendanube',
      decimalMark: ',',
      dateOrder: 'dmy',
      timeZone: null,
      questions: ['timeZone'],
      proposed: { timeZone: buenosAires, currency: 'ARS' },
      remembered: false,
      rows: 2,
      notPaid: 1,
      samples: [
        { line: 2, message: expect.stringContaining('time zone'), isPaid: true },
        { line: 4, isPaid: false },
      ],
    });
    expect((await imported(tiendanube)).counts).toMatchObject({ created: 0, refused: 1, not_paid: 1 });
    const first = await imported(tiendanube, { choices: { timeZone: buenosAires } });
    expect(first.counts).toMatchObject({ created: 1, refused: 0, not_paid: 1 });
    expect(await sales()).toEqual([`100 15000.50 ARS ${at}`]);
    expect((await preview(tiendanube)).body).toMatchObject({ remembered: true, questions: [], timeZone: buenosAires });
    expect((await imported(tiendanube)).counts).toMatchObject({ repeated: 1, refused: 0 });
    const another = await given();
    expect((await another.preview(tiendanube)).body).toMatchObject({ remembered: false, questions: ['timeZone'] });
  });

  it('whose columns nobody knows is read as somebody chooses, and its result file is read again', async () => {
    const { preview, imported, sales, result } = await given();
    const file = `Ventas de la sucursal\n\nNro;Neto;Cuando;Quien\nA1;1.234;${day} 11:03;C1\n`;
    const columns = {
      Nro: 'conversionExternalReference',
      Neto: 'amount',
      Cuando: 'occurredAt',
      Quien: 'clientExternalReference',
    };
    expect((await preview(file)).body).toMatchObject({
      missing: ['conversionExternalReference', 'amount', 'currency', 'clientExternalReference', 'email'],
    });
    const half = { headerLine: 3, columns, currency: 'ARS' };
    expect((await preview(file, half)).body).toMatchObject({ missing: [], questions: ['decimalMark', 'timeZone'] });
    const choices = { ...half, decimalMark: ',', timeZone: buenosAires };
    expect((await preview(file, choices)).body).toMatchObject({
      questions: [],
      samples: [
        { line: 4, fields: { amount: 1234, currency: 'ARS', occurredAt: `${day}T14:03:00.000Z` }, isPaid: true },
      ],
    });
    const { id, counts } = await imported(file, { choices });
    expect(counts).toMatchObject({ created: 1 });
    expect(await sales()).toEqual([`A1 1234.00 ARS ${day}T14:03:00.000Z`]);
    expect((await imported(await result(id))).counts).toMatchObject({ repeated: 1, refused: 0 });
  });

  it('with an id that a spreadsheet has cut, or a currency that contradicts its column, has that row refused', async () => {
    const { imported } = await given();
    const rows = '5.53E+12,C1,1,ARS\nA2,C1,USD 1,ARS\nA3,C1,"$ 1,50",ARS\n';
    const { result } = await imported(`Order ID,customer id,Total,Currency\n${rows}`);
    expect(result.slice(1)).toEqual([
      expect.stringContaining('refused,,conversionExternalReference: a spreadsheet has cut'),
      expect.stringContaining('refused,,amount: names another currency'),
      expect.stringMatching(/created/),
    ]);
  });

  it('may have the net amount of each sale, written as its amount', async () => {
    const { imported, result, conversion } = await given();
    const rows = 'A1;C1;"1.234,50";"234,5";ARS\nA2;C1;"8,00";;ARS\nA3;C1;"8,00";USD 1,50;ARS\n';
    const { id, result: outcomes } = await imported(`Order ID;customer id;Total;Margen;Currency\n${rows}`);
    expect(outcomes.slice(1)).toEqual([
      expect.stringMatching(/created/),
      expect.stringMatching(/created/),
      expect.stringContaining('USD 1,50;ARS;refused;;netAmount: names another currency'),
    ]);
    expect(await conversion('A1')).toMatchObject({ amount: 1234.5, netAmount: 234.5 });
    expect(await conversion('A2')).not.toHaveProperty('netAmount');
    expect((await imported(await result(id))).counts).toMatchObject({ repeated: 2, refused: 1 });
  });

  it.each([
    'application/vnd.ms-excel',
    'application/octet-stream',
    'application/csv',
    'text/csv; charset=windows-1252',
  ])('may be called %s', async (type) => {
    const { key } = await givenPartner(api);
    const file = Buffer.from('leadReference,name\nx,Ñandú\n', 'latin1');
    const sent = await api.send('POST', '/api/v1/import/preview?of=client', {
      key,
      body: file,
      headers: { 'content-type': type },
    });
    expect([sent.status, sent.body]).toMatchObject([200, { samples: [{ fields: { name: 'Ñandú' } }] }]);
  });

  const excelDay = Date.parse(day) / 86_400_000 + 25_569;
  const workbook = givenWorkbook({
    formats: ['dd/mm/yyyy hh:mm'],
    sheets: [
      {
        rows: [
          ['Ventas'],
          [],
          ['Order ID', 'Fecha', 'Importe', 'Moneda', 'email'],
          ['X1', { xml: `<c s="1"><v>${excelDay + 0.5}</v></c>` }, 15_000.5, 'ARS', 'ana@x.example'],
          [{ xml: '<c><v>5531234567890120</v></c>' }, undefined, 1, 'ARS', 'ana@x.example'],
        ],
      },
    ],
  });

  it.each([
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.ms-excel',
    'application/octet-stream',
    'text/csv; charset=windows-1252',
  ])('may be a workbook, called %s: the zone of its times is asked, and kept for the next one', async (type) => {
    const { preview, result, sales, key } = await given();
    const send = (path: string) =>
      api.send('POST', `/api/v1/${path}of=conversion`, { key, body: workbook, headers: { 'content-type': type } });
    expect(await send('import/preview?')).toMatchObject({
      status: 200,
      body: { headerLine: 3, rows: 2, questions: ['timeZone'], samples: [{ line: 4 }, { line: 5 }] },
    });
    const choices = encodeURIComponent(JSON.stringify({ timeZone: buenosAires, delimiter: ';' }));
    expect(await send(`import?choices=${choices}&`)).toMatchObject({ status: 202, body: { state: 'pending' } });
    expect((await preview(workbook)).body).toMatchObject({ remembered: true, questions: [] });
    const { body } = await send('import?');
    const id = z.object({ id: z.number() }).parse(body).id;
    const rows = await eventually(async () => {
      const text = await result(id);
      expect(text).toContain('repeated');
      return text;
    });
    expect(rows).toContain('conversionExternalReference: a spreadsheet has cut');
    expect(await sales()).toEqual([`X1 15000.50 ARS ${day}T15:00:00.000Z`]);
  });

  it('may be a workbook of several sheets: the first with the columns is read, or the one that is chosen, which is not kept', async () => {
    const { preview, imported, sales } = await given();
    const head = ['Nro', 'Neto', 'email', 'Moneda'];
    const several = (order: string) =>
      givenWorkbook({
        sheets: [
          { name: 'Resumen', rows: [['Ventas', 'de la sucursal']] },
          {
            name: 'Octubre',
            rows: [
              ['Order ID', 'Importe', 'email', 'Moneda'],
              [`${order}1`, 1.5, 'ana@x.example', 'ARS'],
            ],
          },
          { name: 'Oculta', state: 'hidden', rows: [['Order ID', 'Importe', 'email', 'Moneda']] },
          { name: `Otra ${order}`, rows: [head, [`${order}2`, 2.5, 'ana@x.example', 'ARS']] },
        ],
      });
    expect((await preview(several('A'))).body).toMatchObject({
      encoding: null,
      delimiter: null,
      sheet: 'Octubre',
      sheets: ['Resumen', 'Octubre', 'Otra A'],
      missing: [],
      samples: [{ fields: { conversionExternalReference: 'A1', amount: 1.5 } }],
    });
    const columns = { Nro: 'conversionExternalReference', Neto: 'amount' };
    await imported(several('A'), { choices: { sheet: 'Otra A', columns } });
    // the next file has another name of its sheet, and the same header
    expect((await preview(several('B'), { sheet: 'Otra B' })).body).toMatchObject({ remembered: true, missing: [] });
    await imported(several('B'), { choices: { sheet: 'Otra B' } });
    await imported(several('B'));
    expect((await sales()).map((sale) => sale.split(' ').slice(0, 2))).toEqual([
      ['A2', '2.50'],
      ['B2', '2.50'],
      ['B1', '1.50'],
    ]);
    expect(await preview(several('B'), { sheet: 'Oculta' })).toMatchObject({
      status: 400,
      body: { message: 'body: line 1: the workbook has no sheet of the chosen name that is shown; choose another' },
    });
    expect((await preview('email\nx\n')).body).toMatchObject({
      encoding: 'utf-8',
      delimiter: ',',
      sheet: null,
      sheets: [],
    });
  });

  it.each([
    ['has a password', Buffer.from('\u00D0\u00CF\u0011\u00E0', 'latin1'), 'save it as .xlsx without a password'],
    ['is cut', workbook.subarray(0, -30), 'the workbook is damaged; save it again as .xlsx'],
  ])('that is a workbook that %s is refused with the fix, and nothing is stored', async (_name, file, message) => {
    const { send } = await given();
    for (const path of ['import', 'import/preview']) {
      expect(await send(file, {}, path)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(message) },
      });
    }
  });

  it.each(['{', '[]', '{"colour":"red"}', '{"timeZone":"Mars"}', '{"dateOrder":"ymd"}', '{"columns":{"a":1}}'])(
    'is refused with choices that nobody can make: %s',
    async (choices) => {
      const { key } = await givenPartner(api);
      const path = `/api/v1/import/preview?of=client&choices=${encodeURIComponent(choices)}`;
      const headers = { 'content-type': 'text/csv' };
      expect(await api.send('POST', path, { key, body: 'leadReference\nx\n', headers })).toMatchObject({ status: 400 });
    },
  );
});
