/** Days in UTC, `YYYY-MM-DD`, both inclusive. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;

export const isDay = (text: unknown): text is string =>
  typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

export const today = (): string => new Date().toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

export const daysIn = ({ from, to }: DayRange): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** The range of the same length right before (-1) or after (1). */
export const shifted = ({ from, to }: DayRange, direction: -1 | 1): DayRange => {
  const days = daysIn({ from, to }) * direction;
  return { from: addDays(from, days), to: addDays(to, days) };
};
