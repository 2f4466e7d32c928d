import { z } from 'zod';

const example = '2026-11-21T09:30:00-03:00';
const format = `expected a time with its offset from UTC (RFC 3339), such as ${example}`;

/** The rule that the database's clock decides when the conversion is registered. */
export const occurredAtRange = `expected a time at most 5 minutes ahead and at most 400 days ago, such as ${example}`;

// far beyond the range: only what PostgreSQL's parameters cannot say is refused before it looks
const isSayable = (time: number) => time > Date.UTC(1970, 0) && time < Date.UTC(3000, 0);

/** When a conversion occurred, in UTC; absent, `null` and blank read as not sent. */
export const occurredAtSchema = z
  .string({ error: format })
  .meta({ format: 'date-time' })
  .trim()
  .toUpperCase() // RFC 3339 allows t and z
  .refine((text) => text === '' || z.iso.datetime({ offset: true }).safeParse(text).success, {
    error: format,
    abort: true,
  })
  .refine((text) => text === '' || isSayable(Date.parse(text)), occurredAtRange)
  .transform((text) => (text === '' ? undefined : new Date(text).toISOString()))
  .nullish()
  .transform((time) => time ?? undefined);
