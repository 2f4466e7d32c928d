import { invalidFields } from '@leadback/domain';
import type { z } from 'zod';

/** Parses what a caller has sent. Throws `invalid-fields`; a ZodError elsewhere is an internal error. */
export const parseInput = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const { data, error } = schema.safeParse(value);
  if (error) throw invalidFields(error);
  return data;
};
