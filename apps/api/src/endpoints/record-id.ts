import { z } from 'zod';

const expected = { error: 'expected a positive whole number' };

export const recordId = z
  .string(expected)
  .regex(/^[1-9]\d{0,15}$/, expected)
  .transform(Number)
  .refine(Number.isSafeInteger, expected)
  .meta({ param: { description: 'The id that the registration returned.', example: '31' } });
