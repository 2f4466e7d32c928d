import { z } from 'zod';

const expected = 'expected a day such as 2026-11-21';

/** A day in UTC, `YYYY-MM-DD`, that PostgreSQL can represent. */
export const daySchema = z
  .string({ error: expected })
  .trim()
  .refine((text) => z.iso.date().safeParse(text).success && text >= '1970-01-01' && text < '3000-01-01', {
    error: expected,
    abort: true, // what compares days needs days
  });

const dayMs = 86_400_000;

/** The day so many days later. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

export const today = (): string => new Date().toISOString().slice(0, 10);
