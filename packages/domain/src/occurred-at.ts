import { z } from 'zod';
import { transform } from './transform.ts';

const example = '2026-11-21T09:30:00-03:00';
const format = `expected a time with its offset from UTC (RFC 3339), such as ${example}`;

/** The range is checked by the clock of the database when the conversion is registered. */
export const occurredAtRange = `expected a time at most 5 minutes ahead and at most 400 days ago, such as ${example}`;

// only refuses times that PostgreSQL cannot represent; the range is checked later
const isRepresentable = (time: number) => time > Date.UTC(1970, 0) && time < Date.UTC(3000, 0);

/** Time of a conversion, in UTC. Absent, `null` and blank count as not sent. */
export const occurredAtSchema = z
  .string({ error: format })
  .meta({ format: 'date-time' })
  .trim()
  .toUpperCase() // RFC 3339 allows t and z
  .refine((text) => text === '' || z.iso.datetime({ offset: true }).safeParse(text).success, {
    error: format,
    abort: true,
  })
  .refine((text) => text === '' || isRepresentable(Date.parse(text)), occurredAtRange)
  .pipe(transform((text: string) => (text === '' ? undefined : new Date(text).toISOString())))
  .nullish()
  .pipe(transform((time: string | null | undefined) => time ?? undefined));
