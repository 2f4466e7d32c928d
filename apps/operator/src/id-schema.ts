import { z } from 'zod';

export const idSchema = z.coerce
  .number('expected a whole number, 1 or more')
  .refine((id) => Number.isSafeInteger(id) && id > 0, 'expected a whole number, 1 or more');
