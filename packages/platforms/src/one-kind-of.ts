import { z } from 'zod';

/**
 * The schema of credentials that come in several kinds. Which fields are given selects the kind; without any, the last
 * one names what is missing.
 */
export const oneKindOf = <Kind extends z.ZodObject>(kinds: readonly Kind[]): z.ZodType<z.output<Kind>> =>
  // not z.union: its single issue would not name the missing field
  z.looseObject({}).transform((given, context): z.output<Kind> => {
    const kind =
      kinds.find(({ shape }) => Object.keys(shape).some((name) => given[name] !== undefined)) ?? kinds.at(-1);
    const read = kind?.safeParse(given);
    if (read?.success) return read.data;
    for (const { path, message } of read?.error.issues ?? []) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  });
