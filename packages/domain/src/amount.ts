import { z } from 'zod';
import { transform } from './transform.ts';

const largest = 9_999_999_999.99;

/**
 * Parses a JSON number from 0 to 9 999 999 999.99 into its shortest decimal notation, so that no binary arithmetic
 * changes it: `numeric(12,2)` rounds it half up to the cent.
 */
export const amountSchema = z
  .number({ error: 'expected a number' })
  .min(0, 'must not be negative')
  .max(largest, `must not be larger than ${largest}`)
  .pipe(transform(String));
