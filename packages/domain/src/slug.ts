import { z } from 'zod';

/** Paths of landing that are no landing pages. `data`: the page on which visitors see and erase their data. */
export const reservedSlugs: readonly string[] = ['data'];

export const isReservedSlug = (slug: string): boolean => reservedSlugs.includes(slug);

/** The path of a landing page: lower-case letters, digits and single dashes between them, at most 64 characters. */
export const slugSchema = z
  .string()
  .max(64, 'longer than 64 characters')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected lower-case letters, digits and single dashes between them')
  .refine((slug) => !isReservedSlug(slug), 'reserved: it is the page on which visitors see their data');
