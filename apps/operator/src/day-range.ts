import { dayAfter, daySchema, today } from '@leadback/domain';
import { z } from 'zod';

const daysDefault = 30;

export const dayRangeOptions = [
  ['--from <day>', `first day (UTC); default: ${daysDefault} days up to the last day`],
  ['--to <day>', 'last day (UTC); default: today'],
] as const;

/** The options `--from` and `--to`, to be completed by `completeDayRange`. */
export const dayRangeShape = { from: daySchema.optional(), to: daySchema.default(today) };

const rangeSchema = z
  .object({ from: z.string(), to: z.string() })
  .refine(({ from, to }) => from <= to, { path: ['from'], message: 'is after --to' });

/** Throws a ZodError if `from` is after `to`. */
export const completeDayRange = ({ from, to }: { readonly from?: string | undefined; readonly to: string }) =>
  rangeSchema.parse({ from: from ?? dayAfter(to, 1 - daysDefault), to });
