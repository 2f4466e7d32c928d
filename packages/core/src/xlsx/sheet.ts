import { CsvProblem } from '../csv/text.ts';
import { type Book, TextCollector } from './book.ts';
import { shownNumber } from './numbers.ts';
import { damaged, type Parts } from './parts.ts';
import { readXml } from './xml.ts';

const columnsMax = 16_384;
const rowsMax = 1_048_576;
const rowBytesMax = 64 * 1024;

/** The column of a place such as AB12, from 0. */
const columnOf = (place: string): number | undefined => {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(place)?.[0];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
};

/** Signs that XML cannot have, `_x000D_`, and all breaks and controls as blanks: each row of the sheet is a line. */
const onOneLine = (text: string): string =>
  text
    .replaceAll(/_x([\dA-F]{4})_/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\r\n|\p{Cc}/gu, ' ')
    .toWellFormed();

interface Cell {
  readonly type: string;
  readonly style: number;
}

const cellText = ({ type, style }: Cell, value: string, { texts, formats, is1904 }: Book): string => {
  if (type === 's') return texts.at(Number(value)) ?? '';
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
  return type === 'n' && value !== '' ? shownNumber(value.trim(), formats[style], is1904) : value;
};

export interface SheetRow {
  /** As the program shows it, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** Reads the rows of a sheet piece by piece; those without a value are left out. A formula is the value that was stored with it. */
export async function* rowsOf(parts: Parts, name: string, book: Book): AsyncGenerator<readonly SheetRow[]> {
  let rows: SheetRow[] = [];
  let number = 0;
  let cells: string[] = [];
  let column = -1;
  let size = 0;
  let cell: Cell | undefined;
  let isValue = false;
  let value = '';
  const inline = new TextCollector();

  const add = (text: string): void => {
    if (text === '') return;
    size += text.length + (column - cells.length + 1);
    if (size > rowBytesMax) throw new CsvProblem(number, `a row larger than ${rowBytesMax / 1024} KiB`);
    while (cells.length < column) cells.push('');
    cells[column] = text;
  };

  const pieces = readXml(parts.read(name), {
    onOpen(element, { r: place, t: type = 'n', s: style = '0' }) {
      inline.open(element);
      if (element === 'row') {
        number = place === undefined ? number + 1 : Math.max(Number(place) || 0, number + 1);
        if (number > rowsMax) throw damaged();
        cells = [];
        column = -1;
        size = 0;
      } else if (element === 'c') {
        column = Math.max((place === undefined ? undefined : columnOf(place)) ?? column + 1, column + 1);
        if (column >= columnsMax) throw damaged();
        cell = { type, style: Number(style) };
        value = '';
      } else if (element === 'v') isValue = true;
    },
    onText(text) {
      inline.add(text);
      if (!isValue) return;
      value += text;
      if (value.length > rowBytesMax) throw new CsvProblem(number, `a row larger than ${rowBytesMax / 1024} KiB`);
    },
    onClose(element) {
      inline.close(element);
      if (element === 'v') isValue = false;
      else if (element === 'c' && cell) {
        const text = inline.take();
        add(onOneLine(cell.type === 'inlineStr' ? text : cellText(cell, value, book)));
        cell = undefined;
      } else if (element === 'row' && cells.some((one) => one.trim() !== '')) rows.push({ number, cells });
    },
  });
  for await (const _piece of pieces) {
    if (rows.length > 0) yield rows;
    rows = [];
  }
}
