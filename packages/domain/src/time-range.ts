import { z } from 'zod';

const dayMs = 86_400_000;
const expected =
  'expected a day in UTC such as 2026-11-21, or a time with its offset such as 2026-11-21T00:00:00-03:00';

const isDay = (text: string) => z.iso.date().safeParse(text).success;
const isTime = (text: string) => z.iso.datetime({ offset: true }).safeParse(text).success;

// what PostgreSQL can represent
const isRepresentable = (text: string) => text >= '1970-01-02' && text < '2999';

const momentSchema = (daysLater: number) =>
  z
    .string({ error: expected })
    .trim()
    .toUpperCase() // RFC 3339 allows t and z
    .refine((text) => (isDay(text) || isTime(text)) && isRepresentable(text), expected)
    .transform((text) => new Date(Date.parse(text) + (isDay(text) ? daysLater * dayMs : 0)).toISOString());

/** The beginning of a range of time: of a day, or a time. ISO 8601 in UTC. */
export const rangeFromSchema = momentSchema(0);

/** The end of a range of time, which is not in it: of a whole day, or a time. ISO 8601 in UTC. */
export const rangeToSchema = momentSchema(1);
