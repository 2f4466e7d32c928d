import { crc32, deflateRawSync } from 'node:zlib';

interface ZipPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Wrong sizes of its entry, as a hostile file may have them. */
  readonly saidSize?: number | undefined;
  readonly flags?: number | undefined;
}

/** A ZIP file of these parts. */
export const zipOf = (parts: readonly ZipPart[]): Buffer => {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, saidSize, flags = 0 } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(flags, 2);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(saidSize ?? bytes.length, 18);
    about.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), about, Buffer.from(name), packed]);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0'), about, place, Buffer.from(name));
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
};

/** A cell: a text, a number, or XML as it stands in a sheet, without its place. */
export type GivenCell = string | number | { readonly xml: string } | undefined;

export interface GivenSheet {
  readonly name?: string | undefined;
  readonly rows?: readonly (readonly GivenCell[])[];
  /** Instead of rows. */
  readonly xml?: string | undefined;
  readonly state?: 'hidden' | 'veryHidden' | undefined;
}

interface GivenWorkbook {
  readonly sheets: readonly GivenSheet[];
  readonly is1904?: boolean | undefined;
  /** Codes of numbers, for the styles 1, 2 and so on; those alone in digits are built in. */
  readonly formats?: readonly string[] | undefined;
  readonly more?: readonly ZipPart[] | undefined;
  /** Texts in the sheet instead of apart. */
  readonly isInline?: boolean | undefined;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';

const relations = (all: readonly (readonly [type: string, target: string])[]) =>
  `${head}<Relationships ${packages}>${all
    .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const letters = (column: number): string =>
  (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));

const idOf = (code: string, index: number) => (/^[1-9]\d$/.test(code) ? code : 164 + index);

/** The bytes of an Excel workbook (.xlsx). */
export const givenWorkbook = ({ sheets, is1904, formats = [], more = [], isInline }: GivenWorkbook): Buffer => {
  const texts = new Map<string, number>();
  const cell = (value: GivenCell, place: string): string => {
    if (value === undefined) return '';
    if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
    if (typeof value === 'object') return value.xml.replace('<c', `<c r="${place}"`);
    if (isInline === true) return `<c r="${place}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
    const index = texts.get(value) ?? texts.size;
    texts.set(value, index);
    return `<c r="${place}" t="s"><v>${index}</v></c>`;
  };
  const rowsXml = (rows: GivenSheet['rows'] = []) =>
    rows
      .map((cells, row) => {
        const all = cells.map((value, column) => cell(value, `${letters(column)}${row + 1}`)).join('');
        return `<row r="${row + 1}">${all}</row>`;
      })
      .join('');
  const sheetParts = sheets.map(({ rows, xml }, index) => ({
    name: `xl/worksheets/sheet${index + 1}.xml`,
    content: xml ?? `${head}<worksheet ${main}><sheetData>${rowsXml(rows)}</sheetData></worksheet>`,
  }));
  const named = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${escaped(name ?? `Sheet${index + 1}`)}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  );
  const custom = formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escaped(code)}"/>`);
  const styles = ['0', ...formats.map(idOf)].map((id) => `<xf numFmtId="${id}"/>`).join('');
  return zipOf([
    { name: '_rels/.rels', content: relations([['officeDocument', 'xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      content: `${head}<workbook ${main} xmlns:r="${office}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${named.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations([
        ...sheets.map((_sheet, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const),
        ['sharedStrings', 'sharedStrings.xml'],
        ['styles', '/xl/styles.xml'],
      ]),
    },
    ...sheetParts,
    {
      name: 'xl/sharedStrings.xml',
      content: `${head}<sst ${main}>${[...texts.keys()].map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    },
    {
      name: 'xl/styles.xml',
      content: `${head}<styleSheet ${main}><numFmts>${custom.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles}</cellXfs></styleSheet>`,
    },
    ...more,
  ]);
};
