import { z } from 'zod';
import { transform } from './transform.ts';

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

const example = '2026-11-21T09:30:00-03:00';
const expectedTime = `expected a time with its offset from UTC (RFC 3339), such as ${example}`;

/** The range is checked by the clock of the database when the conversion is registered. */
export const occurredAtRange = `expected a time at most 5 minutes ahead and at most 400 days ago, such as ${example}`;

// only refuses times that PostgreSQL cannot represent; the range is checked later
const isRepresentableTime = (time: number) => time > Date.UTC(1970, 0) && time < Date.UTC(3000, 0);

/** Time of a conversion, in UTC. Absent, `null` and blank count as not sent. */
export const occurredAtSchema = z
  .string({ error: expectedTime })
  .meta({ format: 'date-time' })
  .trim()
  .toUpperCase() // RFC 3339 allows t and z
  .refine((text) => text === '' || z.iso.datetime({ offset: true }).safeParse(text).success, {
    error: expectedTime,
    abort: true,
  })
  .refine((text) => text === '' || isRepresentableTime(Date.parse(text)), occurredAtRange)
  .pipe(transform((text: string) => (text === '' ? undefined : new Date(text).toISOString())))
  .nullish()
  .pipe(transform((time: string | null | undefined) => time ?? undefined));

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
