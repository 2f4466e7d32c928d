import { z } from 'zod';

/** The first day (UTC) on which something no longer works. */
export const expiryDaySchema = z.iso
  .date('expected a date such as 2027-01-31')
  .transform((day) => new Date(day))
  .refine((day) => day > new Date(), 'has passed');
