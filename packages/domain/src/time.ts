import { z } from 'zod';

const expectedDay = 'expected a day such as 2026-11-21';

/** A day in UTC, `YYYY-MM-DD`, that PostgreSQL can represent. */
export const daySchema = z
  .string({ error: expectedDay })
  .trim()
  .refine((text) => z.iso.date().safeParse(text).success && text >= '1970-01-01' && text < '3000-01-01', {
    error: expectedDay,
    abort: true, // what compares days needs days
  });

const dayMs = 86_400_000;

/** The day so many days later. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

export const today = (): string => new Date().toISOString().slice(0, 10);

/** The first day (UTC) on which something no longer works. */
export const expiryDaySchema = z.iso
  .date('expected a date such as 2027-01-31')
  .transform((day) => new Date(day))
  .refine((day) => day > new Date(), 'has passed');

const expectedMoment =
  'expected a day in UTC such as 2026-11-21, or a time with its offset such as 2026-11-21T00:00:00-03:00';

const isDay = (text: string) => z.iso.date().safeParse(text).success;
const isTime = (text: string) => z.iso.datetime({ offset: true }).safeParse(text).success;

// what PostgreSQL can represent
const isRepresentableMoment = (text: string) => text >= '1970-01-02' && text < '2999';

const momentSchema = (daysLater: number) =>
  z
    .string({ error: expectedMoment })
    .trim()
    .toUpperCase() // RFC 3339 allows t and z
    .refine((text) => (isDay(text) || isTime(text)) && isRepresentableMoment(text), expectedMoment)
    .transform((text) => new Date(Date.parse(text) + (isDay(text) ? daysLater * dayMs : 0)).toISOString());

/** The beginning of a range of time: of a day, or a time. ISO 8601 in UTC. */
export const rangeFromSchema = momentSchema(0);

/** The end of a range of time, which is not in it: of a whole day, or a time. ISO 8601 in UTC. */
export const rangeToSchema = momentSchema(1);
