import { z } from 'zod';
import { transform } from './transform.ts';

const shape = /^[A-Za-z0-9 ._-]{1,64}$/;
const format = 'expected 1 to 64 characters of A-Z a-z 0-9 . _ - and blanks';

/** A partner's own name for a kind of conversion. Absent, `null` and blank count as not sent. */
export const eventNameSchema = z
  .string({ error: format })
  .meta({ maxLength: 64, pattern: '^[A-Za-z0-9 ._-]*$' })
  .trim()
  .refine((name) => name === '' || shape.test(name), format)
  .nullish()
  .pipe(transform((name: string | null | undefined) => name || undefined));
