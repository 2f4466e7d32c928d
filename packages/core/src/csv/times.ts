import { instantOf } from '@leadback/domain';

/** Which number of 03/04/2026 is the day: decided by the times of a column. */
export type DateOrder = 'dmy' | 'mdy';

interface WrittenTime {
  /** Year, and the two numbers beside it as they stand there. */
  readonly year: number;
  readonly numbers: readonly [number, number];
  /** The first of the numbers is the month: the year comes first. */
  readonly isIso: boolean;
  /** Undefined: a day without a time. */
  readonly clock: readonly [number, number, number] | undefined;
}

const clock = String.raw`(?:(?:[T,]\s*|\s+)(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*(?:([ap])\.?\s?m\.?)?)?`;
const yearFirst = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${clock}$`, 'i');
const yearLast = new RegExp(String.raw`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})${clock}$`, 'i');

const hourOf = (hour: number, half: string | undefined): number => {
  if (half === undefined) return hour;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
};

const writtenTime = (cell: string): WrittenTime | undefined => {
  const iso = yearFirst.exec(cell);
  const found = iso ?? yearLast.exec(cell);
  if (!found) return undefined;
  const [, one = '', two = '', three = '', hour, minute, second = '0', half] = found;
  const [year, first, next] = iso ? [one, two, three] : [three, one, two];
  return {
    year: year.length === 2 ? 2000 + Number(year) : Number(year),
    numbers: [Number(first), Number(next)],
    isIso: iso !== null,
    clock: hour === undefined ? undefined : [hourOf(Number(hour), half), Number(minute), Number(second)],
  };
};

export interface OrderCounts {
  /** Times whose first number is no month, and whose second is none. */
  readonly dmy: number;
  readonly mdy: number;
  /** Times that are two days. */
  readonly unclear: number;
  /** Times without an offset. */
  readonly local: number;
}

export const noOrders: OrderCounts = { dmy: 0, mdy: 0, unclear: 0, local: 0 };

const excelDay = /^\d{5}(?:[.,]\d+)?$/;
const unixSeconds = /^1[6-9]\d{8}$/;

export const countOrders = (so: OrderCounts, cell: string): OrderCounts => {
  if (cell === '' || instantOf(cell) !== undefined || unixSeconds.test(cell)) return so;
  const local = { ...so, local: so.local + 1 };
  const written = writtenTime(cell);
  if (!written) return excelDay.test(cell) ? local : so;
  const [first, second] = written.numbers;
  if (written.isIso || first === second) return local;
  if (first > 12 && second <= 12) return { ...local, dmy: so.dmy + 1 };
  if (second > 12 && first <= 12) return { ...local, mdy: so.mdy + 1 };
  return first <= 12 && second <= 12 ? { ...local, unclear: so.unclear + 1 } : local;
};

/** The order of the column, if its times leave no doubt. */
export const dateOrderOf = ({ dmy, mdy }: OrderCounts): DateOrder | undefined => {
  if (dmy > 0 === mdy > 0) return undefined;
  return dmy > 0 ? 'dmy' : 'mdy';
};

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, made);
  return made;
};

const dayMs = 86_400_000;
const quarterMs = 900_000;
const offsets = new Map<string, number>();
const offsetsMax = 10_000;

const offsetAtQuarter = (at: number, timeZone: string): number => {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
};

/** How far clocks of a zone are from UTC at an instant. They change at a quarter of an hour, and files have many rows of one. */
const offsetAt = (instant: number, timeZone: string): number => {
  const at = Math.floor(instant / quarterMs) * quarterMs;
  const key = `${timeZone} ${at}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size >= offsetsMax) offsets.clear();
  const offset = offsetAtQuarter(at, timeZone);
  offsets.set(key, offset);
  return offset;
};

/** When clocks of a zone show a time: the first such instant. A time that they leave out is as much later. */
const instantIn = (timeZone: string, local: number): number => {
  // the clocks may change between the two
  const [before = 0, after = 0] = [local - dayMs, local + dayMs].map((at) => offsetAt(at, timeZone));
  const found = [before, after].map((offset) => local - offset).filter((at) => at + offsetAt(at, timeZone) === local);
  return found.length > 0 ? Math.min(...found) : local - before;
};

export interface TimeReading {
  readonly dateOrder?: DateOrder | undefined;
  readonly timeZone?: string | undefined;
  /** A day without a time ends no later than this: the file has arrived. ISO 8601. */
  readonly until: string;
}

export const unclearDay = 'occurredAt: day and month cannot be told apart; choose the order of dates';
export const unclearZone = 'occurredAt: has no offset from UTC; choose the time zone of the file';

/** The local time of a cell, as if it were UTC; `isDay`: it names a day alone. */
const localOf = (
  cell: string,
  { dateOrder }: TimeReading,
): { readonly local: number; readonly isDay: boolean } | 'unclear' | undefined => {
  if (excelDay.test(cell)) {
    const days = Number(cell.replace(',', '.'));
    return { local: Date.UTC(1899, 11, 30) + Math.round((days * dayMs) / 1000) * 1000, isDay: Number.isInteger(days) };
  }
  const written = writtenTime(cell);
  if (!written) return undefined;
  const { year, numbers, isIso, clock: shown } = written;
  const [first, second] = numbers;
  const order = dateOrder ?? (first > 12 || first === second ? 'dmy' : second > 12 ? 'mdy' : undefined);
  if (!isIso && order === undefined) return 'unclear';
  const [month, day] = isIso || order === 'mdy' ? [first, second] : [second, first];
  const [hour, minute, seconds] = shown ?? [0, 0, 0];
  const local = Date.UTC(year, month - 1, day, hour, minute, seconds);
  const isThere = new Date(local).getUTCMonth() === month - 1 && new Date(local).getUTCDate() === day;
  if (!isThere || hour > 23 || minute > 59 || seconds > 59) return undefined;
  return { local, isDay: shown === undefined };
};

/** A time that was read, why it cannot be, or undefined: it is none, and the field's own rule says so. */
export type ReadTime = { readonly time: string } | { readonly problem: string } | undefined;

/** Reads the time of a cell. A day without a time is its last second: what was clicked that day came before the sale. */
export const readTime = (cell: string, reading: TimeReading): ReadTime => {
  const instant = instantOf(cell);
  if (instant !== undefined) return { time: instant };
  if (unixSeconds.test(cell)) return { time: new Date(Number(cell) * 1000).toISOString() };
  const found = localOf(cell, reading);
  if (found === undefined) return undefined;
  if (found === 'unclear') return { problem: unclearDay };
  if (reading.timeZone === undefined) return { problem: unclearZone };
  const { local, isDay } = found;
  const at = instantIn(reading.timeZone, isDay ? local + dayMs - 1000 : local);
  const until = Date.parse(reading.until);
  return { time: new Date(isDay && at > until ? until : at).toISOString() };
};
