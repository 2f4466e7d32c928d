import { z } from 'zod';

/** A parameter of a query that counts as not sent if it is empty. */
export const optionalQuery = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z
    .string({ error: 'expected a string' })
    .transform((text) => (text.trim() === '' ? undefined : text))
    .pipe(schema.optional())
    .optional();
