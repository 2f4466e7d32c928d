import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { csvRows } from '@leadback/domain';
import { type GivenCell, givenWorkbook, zipOf } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CsvLimits, readCsv } from '../csv/read.ts';
import { HeldBytes } from './memory.ts';
import { formatOfCode, numberText, timeText } from './numbers.ts';

const columns = { known: ['amount', 'currency', 'email', 'occurredAt'], required: ['amount'], ignored: ['outcome'] };
const limits: CsvLimits = { bytesMax: 50 * 2 ** 20, rowsMax: 500_000, rowsPerSlice: 1_000, bytesPerSlice: 2 ** 20 };

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

interface Options {
  readonly size?: number;
  readonly sheet?: string;
}

const read = async (bytes: Uint8Array, { size = 65_536, sheet: chosen }: Options = {}) => {
  using file = await readCsv(inChunks(bytes, size), columns, limits, { choices: { sheet: chosen } });
  const rows = [];
  for await (const slice of file.slices) rows.push(...slice);
  return { columns: file.columns, line: file.header.line, rows };
};

const sheet = (...rows: (readonly GivenCell[])[]) => ({ rows });
const cellsOf = async (bytes: Uint8Array) => (await read(bytes)).rows.map(({ cells }) => cells);
const amountOf = async (cell: GivenCell, options: Omit<Parameters<typeof givenWorkbook>[0], 'sheets'> = {}) =>
  (await cellsOf(givenWorkbook({ ...options, sheets: [sheet(['amount', 'currency'], [cell, 'USD'])] })))[0]?.[0];

const ofSheet = (inside: string) =>
  givenWorkbook({ sheets: [{ xml: `<worksheet><sheetData>${inside}</sheetData></worksheet>` }] });
const amount = '<row r="1"><c t="str"><v>amount</v></c></row>';
const zeros = (mebibytes: number) => Buffer.alloc(mebibytes * 2 ** 20);
const random = Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7919) % 251));
const parts = [{ name: 'a', content: 'a' }];
const book = () => givenWorkbook({ sheets: [sheet(['amount'], [1])] });

setFlagsFromString('--expose-gc');
const collectGarbage = z.custom<() => void>().parse(runInNewContext('gc'));

/** The bytes of memory that are in use. */
const kept = () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const header = ['amount', 'currency', 'email'];
const rows = [
  [149.9, 'USD', 'eva@x.example'],
  [80, 'USD', 'a "quoted", Ñandú; 日本 & <b>'],
  ['1.234,56', 'ARS', '=1+1'],
] as const;

describe('a workbook', () => {
  it.each([1, 7, 65_536])('gives the same rows as the same CSV, in chunks of %i bytes', async (size) => {
    const csv = await read(Buffer.from(csvRows([header, ...rows])), { size });
    expect(csv.rows).toHaveLength(3);
    for (const isInline of [false, true]) {
      expect(await read(givenWorkbook({ isInline, sheets: [sheet(header, ...rows)] }), { size })).toEqual(csv);
    }
  });

  it('gives each row the line of its number, below titles, blank rows and line breaks in cells', async () => {
    const found = await read(
      givenWorkbook({
        sheets: [sheet(['Sales of\nOctober'], [], ['SKU', 'amount'], ['x\r\ny', 1], [], ['z', 2], [], ['', undefined])],
      }),
    );
    expect(found).toMatchObject({ line: 3, columns: ['amount'] });
    expect(found.rows.map(({ line, cells }) => [line, ...cells])).toEqual([
      [4, '1'],
      [6, '2'],
    ]);
  });

  it('is read from the first sheet that is shown and has a value', async () => {
    const sheets = [
      { ...sheet(['amount'], [1]), state: 'hidden' as const },
      sheet(),
      sheet([undefined], [' ']),
      sheet(['amount'], [2]),
      sheet(['amount'], [3]),
    ];
    expect(await cellsOf(givenWorkbook({ sheets }))).toEqual([['2']]);
  });

  const several = givenWorkbook({
    sheets: [
      { name: 'Summary', ...sheet(['Sales', 'of 2026'], ['month', 3]) },
      { name: 'October', ...sheet(['amount', 'currency'], [1, 'USD']) },
      { name: 'Ñandú & "co"', ...sheet(['amount'], [2]) },
      { name: 'Secret', state: 'veryHidden', ...sheet(['amount'], [3]) },
    ],
  });

  it.each([
    [undefined, [['1', 'USD']]],
    ['October', [['1', 'USD']]],
    ['Ñandú & "co"', [['2']]],
  ])('is read from the sheet %s if that is chosen, else from the first that has the columns', async (chosen, cells) => {
    expect((await read(several, chosen === undefined ? {} : { sheet: chosen })).rows.map((row) => row.cells)).toEqual(
      cells,
    );
    using file = await readCsv(inChunks(several, 4_096), columns, limits);
    expect(file.sheets).toEqual({ names: ['Summary', 'October', 'Ñandú & "co"'], read: 'October' });
  });

  it.each(['Secret', 'Sheet9', ''])('has no sheet "%s" to choose', async (chosen) => {
    await expect(read(several, { sheet: chosen })).rejects.toThrow('no sheet of the chosen name');
  });

  it('may have a title over all columns and cells that are merged', async () => {
    const rowsXml = [
      '<row r="1"><c r="A1" t="str"><v>Sales</v></c><c r="B1"/><c r="C1"/></row>',
      '<row r="2"><c r="A2" t="str"><v>amount</v></c><c r="B2"/><c r="C2" t="str"><v>currency</v></c></row>',
      '<row r="3"><c r="A3"><v>7</v></c><c r="B3"/><c r="C3" t="str"><v>USD</v></c></row>',
    ].join('');
    const mergedXml = '<mergeCells count="2"><mergeCell ref="A1:C1"/><mergeCell ref="A2:B2"/></mergeCells>';
    const xml = `<worksheet><sheetData>${rowsXml}</sheetData>${mergedXml}</worksheet>`;
    expect(await read(givenWorkbook({ sheets: [{ xml }] }))).toMatchObject({
      line: 2,
      rows: [{ line: 3, cells: ['7', 'USD'] }],
    });
  });

  it('may be written with a prefix and without places, as some programs do', async () => {
    const xml =
      '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>amount</x:t></x:is></x:c></x:row><x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    expect(await cellsOf(givenWorkbook({ sheets: [{ xml }] }))).toEqual([['7']]);
  });

  it.each<[string, GivenCell, string]>([
    ['a formula', { xml: '<c t="str"><f>A1&amp;"x"</f><v>1x</v></c>' }, '1x'],
    ['a formula of numbers', { xml: '<c><f>SUM(A1:A3)</f><v>12.5</v></c>' }, '12.5'],
    ['a boolean', { xml: '<c t="b"><v>1</v></c>' }, 'TRUE'],
    ['an error', { xml: '<c t="e"><v>#N/A</v></c>' }, '#N/A'],
    ['a time in ISO 8601', { xml: '<c t="d"><v>2026-11-21T09:30:00</v></c>' }, '2026-11-21T09:30:00'],
    [
      'text in pieces',
      { xml: '<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r><rPh><t>no</t></rPh></is></c>' },
      'ab',
    ],
    ['a sign that XML cannot have', { xml: '<c t="str"><v>a_x000D__x0041_</v></c>' }, 'a A'],
    ['a text that no one wrote', { xml: '<c t="s"><v>99</v></c>' }, ''],
    ['a number that was summed', 0.1 + 0.2, '0.3'],
    ['a small number', 1.5e-7, '0.00000015'],
    ['three decimals, which are not thousands', 1.234, '1.2340'],
    ['a long number', 123456789012345, '123456789012345'],
    ['a number that was cut', { xml: '<c><v>5531234567890120</v></c>' }, '5.53123456789012e+15'],
  ])('has the value of %s', async (_name, cell, expected) => {
    expect(await amountOf(cell)).toBe(expected);
  });

  it.each([
    ['14', 46_347, '2026-11-21'],
    ['22', 46_347.395833333336, '2026-11-21 09:30:00'],
    ['22', 46_347, '2026-11-21 00:00:00'],
    ['dd/mm/yyyy', 46_347, '2026-11-21'],
    ['[$-C0A]d" de "mmmm" de "yyyy;@', 46_347.5, '2026-11-21 12:00:00'],
    ['"Day "0', 46_347, '46347'],
    ['[Red]0.00', 46_347, '46347'],
    ['[h]:mm', 46_347, '46347'],
    ['#,##0.00\\ "USD"', 1234.5, '1234.5'],
    ['00000', 42, '00042'],
    ['0.00E+00', 12, '12'],
  ])('reads a number in the format %s (%d) as %s', async (format, value, expected) => {
    expect(await amountOf({ xml: `<c s="1"><v>${value}</v></c>` }, { formats: [format] })).toBe(expected);
  });

  it('counts days from 1904 if it says so', async () => {
    const cell = { xml: '<c s="1"><v>44885.5</v></c>' };
    expect(await amountOf(cell, { formats: ['22'], is1904: true })).toBe('2026-11-21 12:00:00');
  });

  it.each<[string, () => Uint8Array, string]>([
    [
      'too many parts',
      () => zipOf(Array.from({ length: 2_001 }, (_, n) => ({ name: `${n}`, content: '' }))),
      'unpacks to too much',
    ],
    ['a part that is packed a thousand times', () => zipOf([{ name: 'a', content: zeros(2) }]), 'unpacks to too much'],
    [
      'a part that says it is huge',
      () => zipOf([{ name: 'a', content: random, saidSize: 300 * 2 ** 20 }]),
      'unpacks to too much',
    ],
    ['elements without end in each other', () => ofSheet(amount + '<a>'.repeat(10_000)), 'damaged'],
    ['a row beyond the last', () => ofSheet('<row r="1048577"><c><v>1</v></c></row>'), 'damaged'],
    ['a column beyond the last', () => ofSheet('<row r="1"><c r="ZZZ1"><v>1</v></c></row>'), 'damaged'],
    [
      'a row too large',
      () => ofSheet(`${amount}<row r="2"><c t="str"><v>${'x'.repeat(70_000)}</v></c></row>`),
      'line 2: a row larger',
    ],
    ['no end', () => book().subarray(0, -30), 'damaged'],
    ['a password on its parts', () => zipOf([{ name: 'a', content: 'a', flags: 1 }]), 'password; remove it'],
    [
      'a password',
      () => Buffer.from('\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\u001A\u00E1', 'latin1'),
      'save it as .xlsx without a password',
    ],
    ['something else in it', () => zipOf(parts), 'not a workbook that can be read; save it again as .xlsx'],
    ['no values', () => givenWorkbook({ sheets: [sheet(), sheet([])] }), 'no sheet of the workbook'],
    ['no header', () => givenWorkbook({ sheets: [sheet(['x'], ['y'])] }), 'column "amount" is missing'],
    [
      'more than 20 MiB',
      () => Buffer.concat([Buffer.from('PK\u0003\u0004'), zeros(20)]),
      'larger than 20 MiB; split it',
    ],
  ])('with %s is refused, with the fix', async (_name, file, message) => {
    await expect(read(file())).rejects.toThrow(message);
    await expect(read(file())).rejects.toMatchObject({ name: 'CsvProblem' });
  });

  it('that is cut or changed anywhere is read or refused, never failed, and no message quotes it', async () => {
    const whole = givenWorkbook({ sheets: [sheet(header, [1, 'USD', 'eva@secret.example'])] });
    const files = [
      ...Array.from({ length: 60 }, (_, index) => whole.subarray(0, Math.floor((whole.length * index) / 60))),
      ...Array.from({ length: 400 }, (_, index) => {
        const changed = Buffer.from(whole);
        const at = Math.floor((whole.length * index) / 400);
        changed[at] = (changed[at] ?? 0) ^ (1 << (index % 8));
        return changed;
      }),
    ];
    const outcomes: string[] = [];
    for (const file of files) outcomes.push(await read(file).then(() => 'read', String));
    const refused = outcomes.filter((outcome) => outcome !== 'read');
    expect(refused.length).toBeGreaterThan(100);
    expect(refused.filter((outcome) => !outcome.startsWith('CsvProblem: line '))).toEqual([]);
    expect(refused.filter((outcome) => outcome.includes('secret'))).toEqual([]);
  });

  it('with a part that unpacks to more than it says is refused', async () => {
    const file = book();
    const name = Buffer.from('xl/worksheets/sheet1.xml');
    const entry = file.lastIndexOf(name) - 46;
    file.writeUInt32LE(20, entry + 24);
    await expect(read(file)).rejects.toThrow('the workbook is damaged');
  });

  it('waits for memory that others hold, and gives back its own', async () => {
    const first = new HeldBytes();
    first.add(127 * 2 ** 20);
    const large = zipOf([{ name: 'a', content: random }]);
    const padded = Buffer.concat([large, Buffer.alloc(2 * 2 ** 20)]);
    await expect(read(padded)).rejects.toMatchObject({ code: 'overloaded' });
    first[Symbol.dispose]();
    for (let one = 0; one < 10; one++) await expect(read(padded)).rejects.toThrow('damaged');
    const last = new HeldBytes();
    last.add(128 * 2 ** 20);
    last[Symbol.dispose]();
  });

  it('of 100,000 rows takes no more memory than its file and its texts', async () => {
    const many = Array.from({ length: 100_000 }, (_, n) => [n + 0.5, 'USD', `buyer${n}@shop.example`]);
    const file = givenWorkbook({ sheets: [sheet(header, ...many)] });
    many.length = 0;
    using found = await readCsv(inChunks(file, 65_536), columns, limits);
    const before = kept();
    let most = 0;
    let count = 0;
    for await (const slice of found.slices) {
      count += slice.length;
      if (count % 20_000 === 0) most = Math.max(most, kept() - before);
    }
    expect(count).toBe(100_000);
    expect(most).toBeLessThan(16 * 2 ** 20);
  });
});

it.each([
  ['0', '0'],
  ['-12.5', '-12.5'],
  ['1E3', '1000'],
  ['1.5E-2', '0.0150'],
  ['149.90000000000001', '149.9'],
  ['x', 'x'],
  ['', ''],
])('writes the number %s as %s', (raw, expected) => expect(numberText(raw)).toBe(expected));

it.each([
  ['0.5', '12:00:00'],
  ['59', '1900-02-28'],
  ['61', '1900-03-01'],
  ['-1', '-1'],
  ['9999999', '9999999'],
])('writes the day %s as %s', (raw, expected) =>
  expect(timeText(raw, { is1904: false, hasClock: false })).toBe(expected),
);

it.each(['General', '@', '0%', '# ?/?', '"Sold at "0'])('finds no time in the format %s', (code) =>
  expect(formatOfCode(code)).toBeUndefined(),
);
