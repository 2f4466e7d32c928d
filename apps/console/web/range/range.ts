/** Days of an account, `YYYY-MM-DD`, both inclusive. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;

export const isDay = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known) return known;
  let made: Intl.DateTimeFormat;
  try {
    made = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }); // YYYY-MM-DD
  } catch {
    return formatOf('UTC'); // a browser that is older than the zone
  }
  formats.set(timeZone, made);
  return made;
};

/** The day of a time in a time zone. */
export const dayAt = (time: string | Date, timeZone: string): string => formatOf(timeZone).format(new Date(time));

export const today = (timeZone: string): string => dayAt(new Date(), timeZone);

/** `America/Argentina/Buenos_Aires` → Buenos Aires: what people call it. */
export const cityOf = (timeZone: string): string => timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

export const daysIn = ({ from, to }: DayRange): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** The range of the same length right before (-1) or after (1). */
export const shifted = ({ from, to }: DayRange, direction: -1 | 1): DayRange => {
  const days = daysIn({ from, to }) * direction;
  return { from: addDays(from, days), to: addDays(to, days) };
};

export const presets = ['today', '7d', '30d', '90d', 'month', 'last-month'] as const;
export type Preset = (typeof presets)[number];
const usual: Preset = '30d';

const lastDays =
  (days: number) =>
  (now: string): DayRange => ({ from: addDays(now, 1 - days), to: now });

const ranges: Readonly<Record<Preset, (now: string) => DayRange>> = {
  today: lastDays(1),
  '7d': lastDays(7),
  '30d': lastDays(30),
  '90d': lastDays(90),
  month: (now) => ({ from: `${now.slice(0, 8)}01`, to: now }),
  'last-month': (now) => {
    const to = addDays(`${now.slice(0, 8)}01`, -1);
    return { from: `${to.slice(0, 8)}01`, to };
  },
};

/** In the URL: a preset, which moves with the days, or two days, which stay. Nothing: the last 30 days. */
export interface RangeSearch {
  readonly range?: Preset | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const isPreset = (text: unknown): text is Preset => presets.some((preset) => preset === text);

export const parseRange = ({ range, from, to }: Readonly<Record<string, unknown>>): RangeSearch => {
  if (isDay(from) && isDay(to) && from <= to) return { from, to };
  return isPreset(range) ? { range } : {};
};

export const presetOf = ({ range, from }: RangeSearch): Preset | undefined =>
  from === undefined ? (range ?? usual) : undefined;

export const daysOf = ({ range, from, to }: RangeSearch, timeZone: string): DayRange =>
  from === undefined || to === undefined ? ranges[range ?? usual](today(timeZone)) : { from, to };

/** What the URL says for a preset: the usual one is not mentioned. */
export const searchOf = (preset: Preset): RangeSearch => ({
  range: preset === usual ? undefined : preset,
  from: undefined,
  to: undefined,
});
