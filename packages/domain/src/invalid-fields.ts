import type { z } from 'zod';
import { Refusal } from './refusal.ts';

/** The refusal of input that does not fit its schema. Names every wrong field; `whole` is what the input is called. */
export const invalidFields = ({ issues }: z.ZodError, whole: 'body' | 'item' = 'body'): Refusal => {
  const told = issues.map(({ path, message }) => `${path.length === 0 ? whole : path.join('.')}: ${message}`);
  return new Refusal('invalid-fields', { message: told.join('; ') });
};
