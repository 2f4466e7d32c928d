import { z } from 'zod';

/** An id as typed on the command line. */
export const idSchema = z.coerce
  .number('expected a whole number, 1 or more')
  .refine((id) => Number.isSafeInteger(id) && id > 0, 'expected a whole number, 1 or more');
