import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asText, asTyped, csvRows, csvTable } from './csv.ts';

/** The cells of a file as a spreadsheet finds them that knows quotes, but expects another delimiter. */
const cellsOf = (file: string, delimiter: string): string[] => {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let isStart = true;
  for (let at = 0; at < file.length; at++) {
    const character = file[at] ?? '';
    if (isQuoted && character === '"' && file[at + 1] === '"') {
      cell += '"';
      at++;
    } else if (isQuoted) {
      if (character === '"') isQuoted = false;
      else cell += character;
    } else if (character === '"' && isStart) {
      isQuoted = true;
      isStart = false;
    } else if (character === delimiter || character === '\n' || character === '\r') {
      cells.push(cell);
      cell = '';
      isStart = true;
    } else {
      cell += character;
      isStart = false;
    }
  }
  return [...cells, cell];
};

/** The same by a reader that knows no quotes. */
const piecesOf = (file: string, delimiter: string): string[] =>
  file.split(new RegExp(`[${delimiter}\\n\\r]`)).map((piece) => piece.replace(/^"+/, ''));

const visible = (cell: string) => cell.replace(/^[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]+/u, '');
const formula = /^[=+\-@＝＋－＠﹦﹢﹣﹫]/;

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Array.from('=+-@＝＋－＠;,|\t\n\r\'" \u00a0\u200b\ufeff\u2060\u3164\u2028a1')),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('the CSV that is written', () => {
  it.each([
    ['a;=HYPERLINK(A1)', "a;'=HYPERLINK(A1)"],
    ['=1', "'=1"],
    [' \u00a0\u200b=1', " \u00a0\u200b'=1"],
    ['＝1|－2\t@x', "'＝1|'－2\t'@x"],
    ['"=1"', '"\'=1"'],
    ['\tx', "'\tx"],
    ["'=1", "''=1"],
    ['a=b-c+d@e', 'a=b-c+d@e'],
    ["o'clock", "o'clock"],
  ])('has %j as %j', (text, written) => {
    expect(asText(text)).toBe(written);
    expect(asTyped(written)).toBe(text);
  });

  it('has no cell that begins a formula, with whatever delimiter it is read, and gives every text back', () => {
    fc.assert(
      fc.property(fc.array(fc.array(hostile, { minLength: 1, maxLength: 3 }), { maxLength: 3 }), (rows) => {
        const file = csvRows(rows);
        for (const delimiter of [',', ';', '\t', '|']) {
          for (const cell of [...cellsOf(file, delimiter), ...piecesOf(file, delimiter)]) {
            expect(visible(cell)).not.toMatch(formula);
          }
        }
        expect(cellsOf(file, ',').slice(0, -1).map(asTyped)).toEqual(rows.flat());
        for (const cell of rows.flat()) expect(asTyped(asText(cell))).toBe(cell);
      }),
      { numRuns: 3_000 },
    );
  });

  it('quotes texts, and only these', () => {
    const at = new Date('2026-11-28T00:00:00Z');
    expect(csvRows([['a "b"', 1.5, true, null, undefined, '', at, ['x']]], ';')).toBe(
      '"a ""b""";1.5;true;;;;"2026-11-28T00:00:00.000Z";"[""x""]"\n',
    );
  });

  it('has numbers with the decimal mark that is wanted, also negative ones: they are no text', () => {
    expect(csvRows([['ventas', 31220.5, -7.25, 3]], ';', ',')).toBe('"ventas";31220,5;-7,25;3\n');
  });

  it('has the header of a list without rows', () => {
    expect(csvTable(['id', 'name'], [])).toBe('"id","name"\n');
    expect(csvTable(['id', 'name'], [{ name: 'x', id: 1 }])).toBe('"id","name"\n1,"x"\n');
  });

  it('takes time in proportion to the length of a text, whatever it contains', () => {
    for (const text of ["'", ' ', '\t', "\t'", ' =', '"'].map((part) => part.repeat(200_000))) {
      const start = process.cpuUsage().user;
      asText(text);
      expect((process.cpuUsage().user - start) / 1_000).toBeLessThan(2_000);
    }
  });
});
