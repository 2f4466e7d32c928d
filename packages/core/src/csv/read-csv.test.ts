import { csvRows } from '@leadback/domain';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvLimits, readCsv } from './read.ts';

const columns = { known: ['amount', 'currency', 'email'], required: ['amount'], ignored: ['outcome'] };
const limits: CsvLimits = { bytesMax: 2 ** 20, rowsMax: 100, rowsPerSlice: 2, bytesPerSlice: 2 ** 20 };

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* failing() {
  yield Buffer.from('amount\n1\n');
  throw new Error('connection lost');
}

const read = async (
  file: string | Uint8Array,
  { size = 7, ...changed }: Partial<CsvLimits> & { size?: number } = {},
) => {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const { slices, ...rest } = await readCsv(inChunks(bytes, size), columns, { ...limits, ...changed });
  const rows = [];
  for await (const slice of slices) rows.push(...slice);
  return { ...rest, rows };
};

const joined = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

const latin = (text: string) => Buffer.from(text, 'latin1');
const wide = (text: string) => Buffer.from(text, 'utf16le');

const readFailing = async () => {
  const { slices } = await readCsv(failing(), columns, limits);
  for await (const _slice of slices);
};

describe('readCsv', () => {
  it('returns every cell as written, at the line where its row begins, however the file is cut into chunks', async () => {
    const text = fc.string({ unit: 'binary' }).filter((cell) => cell.isWellFormed() && !cell.includes('\0'));
    const formula = fc.tuple(fc.constantFrom('=', '+', '-', '@', '\t', '＝', '＋', '－', '＠'), text);
    const anything = fc.oneof(
      text,
      formula.map((parts) => parts.join('')),
    );
    const visible = text.filter((cell) => cell.trim() !== '');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(visible, anything, anything), { maxLength: 8 }),
        fc.constantFrom(',' as const, ';' as const),
        fc.integer({ min: 1, max: 40 }),
        async (rows, delimiter, size) => {
          const file = csvRows([['amount', 'currency', 'email'], ...rows], delimiter);
          const found = await read(file, { size });
          expect(found.delimiter).toBe(delimiter);
          expect(found.rows.map((row) => row.cells)).toEqual(rows);
          const lines = found.rows.map(({ line }) => line);
          expect(new Set(lines).size).toBe(rows.length);
          expect(lines).toEqual(lines.toSorted((a, b) => a - b));
        },
      ),
    );
  });

  it('reads what spreadsheets save: byte order mark, CRLF, semicolons, quoted line breaks, blank rows at the end', async () => {
    const file = '\uFEFFamount;email\r\n"149,90";"a@b.c"\r\n1;"two\r\nlines"\r\n\r\n2;x@y.z\r\n;\r\n;;;;\r\n';
    expect(await read(file)).toMatchObject({
      delimiter: ';',
      columns: ['amount', 'email'],
      rows: [
        { line: 2, cells: ['149,90', 'a@b.c'] },
        { line: 3, cells: ['1', 'two\r\nlines'] },
        { line: 6, cells: ['2', 'x@y.z'] },
      ],
    });
  });

  it('leaves out ignored columns and the apostrophe before what would be a formula, so that a result file can be sent again', async () => {
    const found = await read("amount,outcome,email\n1,created,'+54@x.y\n2,refused,'tis@x.y\n");
    expect(found.columns).toEqual(['amount', 'email']);
    expect(found.rows.map(({ cells }) => cells)).toEqual([
      ['1', '+54@x.y'],
      ['2', "'tis@x.y"],
    ]);
  });

  it('fills up rows that are shorter than the header', async () => {
    expect((await read('amount,currency,email\n1\n')).rows).toEqual([{ line: 2, cells: ['1', '', ''] }]);
  });

  it('gives the cells of ignored columns beside a row, in the order in which they were asked for', async () => {
    const [row] = (await read('outcome,amount\ncreated,1\n')).rows;
    expect(row).toEqual({ line: 2, cells: ['1'], ignored: ['created'] });
  });

  it('ends a slice after so many bytes', async () => {
    const file = `amount,email\n${`1,${'x'.repeat(3_000)}\n`.repeat(8)}`;
    const few = { ...limits, rowsPerSlice: 100, bytesPerSlice: 6_000 };
    const { slices } = await readCsv(inChunks(Buffer.from(file), 65_536), columns, few);
    const sizes = [];
    for await (const slice of slices) sizes.push(slice.length);
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(5);
  });

  it('gives way to other work while it reads rows that are blank', async () => {
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const file = `amount,email\n${',\n'.repeat(50_000)}`;
    await read(file, { rowsMax: 100_000, size: file.length });
    isOver = true;
    expect(turns).toBeGreaterThan(20);
  });

  it('splits the rows into slices', async () => {
    const { slices } = await readCsv(inChunks(Buffer.from('amount\n1\n2\n3\n'), 9), columns, limits);
    const sizes = [];
    for await (const slice of slices) sizes.push(slice.length);
    expect(sizes).toEqual([2, 1]);
  });

  it.each<[string | Uint8Array, string]>([
    ['', 'line 1: expected a header with the columns amount, currency, email'],
    ['\n\n', 'line 1: expected a header with the columns amount, currency, email'],
    ['x'.repeat(20_000), 'line 1: expected a header with the columns amount, currency, email'],
    ['currency\nUSD\n', 'line 1: column "amount" is missing'],
    ['amount,amount\n1,2\n', 'line 1: column "amount" occurs twice'],
    [
      'Amuont,currency\n',
      'line 1: column 1 ("Amuont") is unknown; did you mean "amount"?; column "amount" is missing; known columns: amount, currency, email',
    ],
    ['ana@x.y\n', 'line 1: column 1 is unknown; column "amount" is missing; known columns: amount, currency, email'],
    ['amount,"email\n1,2\n', 'line 1: the header is not valid CSV; a quote is not closed or stands inside a name'],
    [
      'a,b,c,d,e\n',
      'line 1: column 1 ("a") is unknown; column 2 ("b") is unknown; column 3 ("c") is unknown; 2 more unknown; column "amount" is missing; known columns: amount, currency, email',
    ],
    ['amount,outcome,outcome\n', 'line 1: column "outcome" occurs twice'],
    [`${'a,'.repeat(9_000)}\n`, 'line 1: expected a header with the columns amount, currency, email'],
    ['amount\n1\n2,3\n', 'line 3: 2 cells, but the header has 1 columns'],
    ['amount\n1\n"2\n3\n', 'line 3: a quote is opened here and never closed'],
    [
      'amount\n1\n2"3\n',
      'line 3: a quote inside a cell; put the whole cell in quotes and write the quote inside twice',
    ],
    ['amount\n1\n"2"3\n', 'line 3: text follows a closing quote; write a quote inside a quoted cell twice'],
    [`amount\n1\n${'2'.repeat(9_000)}\n`, 'line 3: a row larger than 8 KiB; check that each quote is closed'],
    [`amount\n${'1\n'.repeat(101)}`, 'line 102: more than 100 rows; split the file'],
    [`amount,email\n1,\n${',\n'.repeat(200)}`, 'line 102: more than 100 rows with the blank ones; split the file'],
    [`amount\n1\n${'\n'.repeat(200)}`, 'line 3: more than 100 rows with the blank ones; split the file'],
    [joined('amount,email\n1,ñ@x.y\n2,', [0xff], '\n'), 'line 3: not valid UTF-8; save the file as "CSV UTF-8"'],
    [joined('amount,email\n1,ñ@x.y\n2,', [0xc3]), 'line 3: not valid UTF-8; save the file as "CSV UTF-8"'],
    [joined('amount,email\n1,', [0xf1], '@x.y\n2\0,\n'), 'line 3: not valid UTF-8; save the file as "CSV UTF-8"'],
    ['amount\n1\n2\0\n', 'line 3: not valid UTF-8; save the file as "CSV UTF-8"'],
  ])('refuses the file of case %# with the line and the reason', async (file, message) => {
    await expect(read(file)).rejects.toThrow(message);
    await expect(read(file, { size: 1_000 })).rejects.toThrow(message);
  });

  const plain = [{ line: 2, cells: ['1', 'ñ@x.y'] }];
  it.each<[string, string | Uint8Array, number?]>([
    ['UTF-8', 'amount,email\n1,ñ@x.y\n'],
    ['UTF-8 with a byte order mark', '\uFEFFamount,email\n1,ñ@x.y\n'],
    ['Windows-1252', latin('amount,email\n1,ñ@x.y\n')],
    ['UTF-16 with a byte order mark', wide('\uFEFFamount,email\n1,ñ@x.y\n')],
    ['UTF-16 without one', wide('amount,email\n1,ñ@x.y\n')],
    ['UTF-16, the other way round', wide('\uFEFFamount,email\n1,ñ@x.y\n').swap16()],
    ['Unicode text of Excel', wide('\uFEFFamount\temail\r\n1\tñ@x.y\r\n')],
    ['tabs', 'amount\temail\n1\tñ@x.y\n'],
    ['bars', 'amount|email\n1|ñ@x.y\n'],
    ['line ends of old Macs', 'amount,email\r1,ñ@x.y\r'],
    ['a line that names the separator', 'sep=;\namount;email\n1;ñ@x.y\n', 3],
    ['a separator that only that line could tell', 'sep=|\namount|email\n1|ñ@x.y\n', 3],
    ['an empty line above the header', '\namount,email\n1,ñ@x.y\n', 3],
    ['a title above the header', 'Sales, October\n\namount,email\n1,ñ@x.y\n', 4],
    ['a title with blank cells above the header', '"Ventas";\n;\namount;email\n1;ñ@x.y\n', 4],
    ['a column more', 'sku,amount,email\nA-1,1,ñ@x.y\n'],
    ['a column without a name', 'amount,,email\n1,,ñ@x.y\n'],
    ['delimiters too many at the end of each line', 'amount,email\n1,ñ@x.y,,\n'],
    ['a header in capitals', 'AMOUNT,EMAIL\n1,ñ@x.y\n'],
    ['a Spanish header', 'Importe;Correo electrónico\n1;ñ@x.y\n'],
    ['a Portuguese header', 'Valor total;EMAIL\n1;ñ@x.y\n'],
    ['a header with blanks', ' Amount , Email \n1,ñ@x.y\n'],
  ])('reads %s as the plain file', async (_what, file, line = 2) => {
    for (const size of [1, 7, 1_000]) {
      const found = await read(file, { size });
      expect(found.columns.toSorted()).toEqual(['amount', 'email']);
      expect(found.rows.map(({ cells }) => cells)).toEqual(plain.map(({ cells }) => cells));
      expect(found.rows.map((row) => row.line)).toEqual([line]);
    }
  });

  it('names the columns that it does not read, unless the name may be data', async () => {
    const { ignoredColumns } = await read('amount,SKU,eva@x.y,email\n1,A,,a@x.y\n');
    expect(ignoredColumns).toEqual(['SKU', 'column 3']);
  });

  it('reads a column as it was chosen, and adds the currency that was chosen for all rows', async () => {
    const file = 'Neto,Bruto,Mail\n1,2,a@x.y\n';
    const chosen = { columns: { Neto: 'amount', Mail: null }, currency: 'ARS' };
    const { slices, columns: found } = await readCsv(inChunks(Buffer.from(file), 9), columns, limits, {
      choices: chosen,
    });
    const rows = [];
    for await (const slice of slices) rows.push(...slice.map(({ cells }) => cells));
    expect([found, rows]).toEqual([['amount', 'currency'], [['1', 'ARS']]]);
  });

  it('refuses a file that is larger than the limit', async () => {
    const bytesMax = 2 ** 20;
    const file = `amount\n${'1\n'.repeat(bytesMax / 2)}`;
    await expect(read(file, { bytesMax, rowsMax: 2 ** 20, size: 65_536 })).rejects.toThrow(
      'the file is larger than 1 MiB; split it',
    );
  });

  it('passes on the failure of the stream that it reads', async () => {
    await expect(readFailing()).rejects.toThrow('connection lost');
  });
});
