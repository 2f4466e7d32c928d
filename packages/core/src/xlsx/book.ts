import { posix } from 'node:path';
import { CsvProblem } from '../csv/text.ts';
import type { HeldBytes } from './memory.ts';
import { builtInFormat, formatOfCode, type NumberFormat } from './numbers.ts';
import { damaged, notWorkbook, type Parts } from './parts.ts';
import { attributeOf, readWholeXml } from './xml.ts';

interface Relation {
  readonly id: string;
  /** The last word of its address, such as `worksheet`. */
  readonly type: string;
  readonly target: string;
}

// a million styles or sheets are no work of a person
const itemsMax = 100_000;

const limited = <Item>(items: Item[], item: Item): void => {
  if (items.length >= itemsMax) throw damaged();
  items.push(item);
};

/** What a part names, by the file beside it. */
const relationsOf = async (parts: Parts, part: string): Promise<readonly Relation[]> => {
  const folder = posix.dirname(part);
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  if (!parts.names.includes(name)) return [];
  const relations: Relation[] = [];
  await readWholeXml(parts.read(name), {
    onOpen(element, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      if (element !== 'Relationship' || mode === 'External') return;
      const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      limited(relations, { id, type: type.slice(type.lastIndexOf('/') + 1), target: path });
    },
  });
  return relations;
};

const textBytesMax = 48 * 2 ** 20;
// of the place where it ends
const bytesPerText = 8;

/** The texts of a workbook, which its cells name by their number. Packed, because there may be a million. */
class SharedTexts {
  readonly #held: HeldBytes;
  readonly #ends: number[] = [];
  #bytes = Buffer.alloc(0);
  #size = 0;

  constructor(held: HeldBytes) {
    this.#held = held;
  }

  add(text: string): void {
    const size = this.#size + Buffer.byteLength(text);
    if (size + (this.#ends.length + 1) * bytesPerText > textBytesMax) {
      const most = textBytesMax / 2 ** 20;
      throw new CsvProblem(
        1,
        `the texts of the workbook are larger than ${most} MiB; split it, or save it as "CSV UTF-8"`,
      );
    }
    if (size > this.#bytes.length) {
      const grown = Buffer.alloc(Math.min(textBytesMax, Math.max(size, this.#bytes.length * 2, 64 * 1024)));
      this.#held.add(grown.length - this.#bytes.length);
      this.#bytes.copy(grown);
      this.#bytes = grown;
    }
    this.#bytes.write(text, this.#size);
    this.#size = size;
    this.#ends.push(size);
  }

  at(index: number): string | undefined {
    const end = this.#ends[index];
    return end === undefined ? undefined : this.#bytes.toString('utf8', this.#ends[index - 1] ?? 0, end);
  }
}

// Excel takes 32,767 letters
const textMax = 64 * 1024;

/** Joins what stands in the `t` of a text, without the hints how it is spoken. */
export class TextCollector {
  #isSpoken = false;
  #isInside = false;
  text = '';

  open(name: string): void {
    if (name === 'rPh') this.#isSpoken = true;
    if (name === 't') this.#isInside = true;
  }

  add(text: string): void {
    if (!this.#isInside || this.#isSpoken) return;
    if (this.text.length + text.length > textMax) throw new CsvProblem(1, 'a text is longer than 64 KiB; shorten it');
    this.text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#isSpoken = false;
    if (name === 't') this.#isInside = false;
  }

  /** The whole text; the next one begins. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}

const sharedTextsOf = async (parts: Parts, name: string | undefined, held: HeldBytes): Promise<SharedTexts> => {
  const texts = new SharedTexts(held);
  if (name === undefined || !parts.names.includes(name)) return texts;
  const collector = new TextCollector();
  await readWholeXml(parts.read(name), {
    onOpen: (element) => collector.open(element),
    onText: (text) => collector.add(text),
    onClose(element) {
      collector.close(element);
      if (element === 'si') texts.add(collector.take());
    },
  });
  return texts;
};

/** The formats of numbers by the number of a style. */
const formatsOf = async (parts: Parts, name: string | undefined): Promise<readonly (NumberFormat | undefined)[]> => {
  if (name === undefined || !parts.names.includes(name)) return [];
  const codes: (readonly [number, NumberFormat | undefined])[] = [];
  const styles: number[] = [];
  let isInside = false;
  await readWholeXml(parts.read(name), {
    onOpen(element, { numFmtId = '0', formatCode = '' }) {
      if (element === 'numFmt') limited(codes, [Number(numFmtId), formatOfCode(formatCode)]);
      if (element === 'cellXfs') isInside = true;
      if (element === 'xf' && isInside) limited(styles, Number(numFmtId));
    },
    onClose(element) {
      if (element === 'cellXfs') isInside = false;
    },
  });
  const custom = new Map(codes);
  return styles.map((id) => (custom.has(id) ? custom.get(id) : builtInFormat(id)));
};

export interface Sheet {
  readonly name: string;
  readonly part: string;
}

// of each, the beginning is read to find the one with the rows
const sheetsMax = 50;
// Excel takes 31 letters
const sheetNameMax = 64;

/** A workbook without the cells of its sheets. */
export interface Book {
  /** The sheets that are shown, in their order, the first of them. */
  readonly sheets: readonly Sheet[];
  readonly is1904: boolean;
  readonly texts: SharedTexts;
  readonly formats: readonly (NumberFormat | undefined)[];
}

const isTrue = (value: string | undefined) => value === '1' || value === 'true';

export const bookOf = async (parts: Parts, held: HeldBytes): Promise<Book> => {
  const main = (await relationsOf(parts, '')).find(({ type }) => type === 'officeDocument')?.target;
  if (main === undefined || !parts.names.includes(main) || !main.endsWith('.xml')) throw notWorkbook();
  const relations = await relationsOf(parts, main);
  const shown: Sheet[] = [];
  let isBook = false;
  let is1904 = false;
  await readWholeXml(parts.read(main), {
    onOpen(element, attributes) {
      if (element === 'workbook') isBook = true;
      if (element === 'workbookPr') is1904 = isTrue(attributes['date1904']);
      if (element !== 'sheet' || (attributes['state'] ?? 'visible') !== 'visible') return;
      const id = attributeOf(attributes, 'id');
      const sheet = relations.find((one) => one.id === id && one.type === 'worksheet');
      if (!sheet || shown.length >= sheetsMax) return;
      shown.push({ name: (attributes['name'] ?? '').slice(0, sheetNameMax), part: sheet.target });
    },
  });
  if (!isBook) throw notWorkbook();
  const partOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.target;
  return {
    sheets: shown,
    is1904,
    texts: await sharedTextsOf(parts, partOf('sharedStrings'), held),
    formats: await formatsOf(parts, partOf('styles')),
  };
};
