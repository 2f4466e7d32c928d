/** Signs and codes of money beside a number. A bare `$` is of many countries, and names none. */
const signs: Readonly<Record<string, string>> = {
  US$: 'USD',
  U$S: 'USD',
  USD$: 'USD',
  AR$: 'ARS',
  R$: 'BRL',
  MX$: 'MXN',
  CLP$: 'CLP',
  COL$: 'COP',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  'S/': 'PEN',
  'S/.': 'PEN',
  '₲': 'PYG',
};

const entities: Readonly<Record<string, string>> = {
  '&nbsp;': ' ',
  '&#160;': ' ',
  '&#36;': '$',
  '&dollar;': '$',
  '&euro;': '€',
  '&#8364;': '€',
  '&pound;': '£',
  '&minus;': '-',
  '&#8722;': '-',
};

export interface WrittenAmount {
  /** Digits and marks alone, such as 1.234,56. */
  readonly digits: string;
  readonly isNegative: boolean;
  /** As the cell names it, if it does. */
  readonly currency: string | undefined;
}

const beside = /^([^\d.,()-]*)(-?)([^\d.,()-]*)([\d.,]+)(-?)([^\d.,()-]*)$/;

/** What an amount says, without deciding what its marks mean. `undefined`: it is no amount. */
export const writtenAmount = (cell: string): WrittenAmount | undefined => {
  const plain = cell
    .replaceAll(/&[#a-z\d]+;/gi, (entity) => entities[entity.toLowerCase()] ?? entity)
    .replaceAll(/[\u2212\u2013]/gu, '-')
    // a blank or an apostrophe between three digits is a mark of thousands
    .replaceAll(/(?<=\d)[\s\u00A0\u202F\u2009'’](?=\d{3}(?!\d))/gu, '')
    .replaceAll(/\s/gu, '');
  const brackets = /^([^\d()]*)\(([^()]+)\)([^\d()]*)$/.exec(plain);
  const found = beside.exec(brackets ? `${brackets[1]}${brackets[2]}${brackets[3]}` : plain);
  const [, first = '', minus = '', second = '', digits = '', trailing = '', last = ''] = found ?? [];
  if (digits === '' || !/\d/.test(digits)) return undefined;
  if ([brackets ? '-' : '', minus, trailing].join('').length > 1) return undefined;
  const named = [first, second, last].filter((text) => text !== '').map((text) => text.toUpperCase());
  const currencies = new Set<string>();
  for (const name of named) {
    const currency = signs[name] ?? (/^[A-Z]{3}$/.test(name) ? name : undefined);
    const withSign = /^([A-Z]{3})\$$/.exec(name)?.[1];
    if (currency !== undefined) currencies.add(currency);
    else if (withSign !== undefined) currencies.add(withSign);
    else if (name !== '$') return undefined;
  }
  const [currency, ...others] = currencies;
  if (others.length > 0) return undefined;
  return { digits, isNegative: brackets !== null || minus !== '' || trailing !== '', currency };
};

/** What stands before the decimals: decided by the amounts of a column. */
export type DecimalMark = '.' | ',';

const grouped = /^\d{1,3}(?:[.,]\d{3})+$/;

interface Marks {
  /** Which mark is certainly the decimal one, whatever else the column has. */
  readonly decimal: DecimalMark | undefined;
  /** A mark before exactly three digits: 1.234 may be a thousand. */
  readonly unclear: DecimalMark | undefined;
  /** Many marks of one kind are of thousands. */
  readonly thousands: DecimalMark | undefined;
  readonly isNumber: boolean;
}

const markIn = (text: string): DecimalMark => (text.includes('.') ? '.' : ',');
const none = { decimal: undefined, unclear: undefined, thousands: undefined };

const marksOf = (digits: string): Marks => {
  if (/^\d+$/.test(digits)) return { ...none, isNumber: true };
  const marks = Array.from(digits).filter((sign) => sign === '.' || sign === ',');
  const kinds = new Set(marks);
  if (kinds.size === 2) {
    const decimal: DecimalMark = marks.at(-1) === '.' ? '.' : ',';
    const [whole = '', decimals = '', ...more] = digits.split(decimal);
    const isNumber = more.length === 0 && grouped.test(whole) && /^\d+$/.test(decimals);
    return isNumber ? { ...none, decimal, isNumber } : { ...none, isNumber };
  }
  const mark = markIn(digits);
  if (marks.length > 1) return { ...none, thousands: mark, isNumber: grouped.test(digits) };
  const [whole = '', decimals = ''] = digits.split(mark);
  if (decimals === '') return { ...none, isNumber: false };
  const mayBeThousands = decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return mayBeThousands ? { ...none, unclear: mark, isNumber: true } : { ...none, decimal: mark, isNumber: true };
};

/** Counts what the amounts of a column say of their marks. */
export interface MarkCounts {
  readonly decimal: Readonly<Record<DecimalMark, number>>;
  readonly thousands: Readonly<Record<DecimalMark, number>>;
  readonly unclear: Readonly<Record<DecimalMark, number>>;
}

export const noMarks: MarkCounts = {
  decimal: { '.': 0, ',': 0 },
  thousands: { '.': 0, ',': 0 },
  unclear: { '.': 0, ',': 0 },
};

const more = (counts: Readonly<Record<DecimalMark, number>>, mark: DecimalMark | undefined) =>
  mark === undefined ? counts : { ...counts, [mark]: counts[mark] + 1 };

export const countMarks = (so: MarkCounts, cell: string): MarkCounts => {
  const written = writtenAmount(cell);
  if (!written) return so;
  const { decimal, unclear, thousands, isNumber } = marksOf(written.digits);
  if (!isNumber || (decimal ?? unclear ?? thousands) === undefined) return so;
  return {
    decimal: more(so.decimal, decimal),
    thousands: more(so.thousands, thousands),
    unclear: more(so.unclear, unclear),
  };
};

const other = (mark: DecimalMark): DecimalMark => (mark === '.' ? ',' : '.');

// fewer may be weights or rates
const unclearMin = 3;

/**
 * The decimal mark of a column, if its amounts leave no doubt: one of them has it, or a mark stands before exactly three digits in
 * each of several.
 */
export const decimalMarkOf = ({ decimal, thousands, unclear }: MarkCounts): DecimalMark | undefined => {
  const found = (['.', ','] as const).filter((mark) => decimal[mark] + thousands[other(mark)] > 0);
  const [mark, ...others] = found;
  if (others.length > 0) return undefined;
  if (mark !== undefined) return mark;
  const [one, another] = (['.', ','] as const).filter((unclearMark) => unclear[unclearMark] > 0);
  return one !== undefined && another === undefined && unclear[one] >= unclearMin ? other(one) : undefined;
};

export interface ReadAmount {
  readonly amount: number;
  readonly currency: string | undefined;
}

export const unclearAmount =
  'amount: three digits after a comma or a point could be thousands; write 1234 or 1.23, or choose the decimal mark';

/**
 * An amount as a number; `'unclear'` if its mark may mean thousands; undefined if it is none. `decimalMark`: of the column.
 * `decimals`: of its currency, where three digits may be these.
 */
export const readAmount = (
  cell: string,
  { decimalMark, decimals }: { readonly decimalMark: DecimalMark | undefined; readonly decimals: number },
): ReadAmount | 'unclear' | undefined => {
  const written = writtenAmount(cell);
  if (!written) return undefined;
  const { digits, isNegative, currency } = written;
  const { decimal, unclear, isNumber } = marksOf(digits);
  if (!isNumber) return undefined;
  let mark = decimal;
  if (unclear !== undefined) {
    if (decimals > 2 && decimalMark !== other(unclear)) mark = unclear;
    else if (decimalMark !== other(unclear)) return 'unclear';
  }
  const plain =
    mark === undefined ? digits.replaceAll(/[.,]/g, '') : digits.replaceAll(other(mark), '').replace(mark, '.');
  return { amount: Number(plain) * (isNegative ? -1 : 1), currency };
};
