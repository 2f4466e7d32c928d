import { z } from 'zod';

/** The path of a landing page: lower-case letters, digits and single dashes between them, at most 64 characters. */
export const slugSchema = z
  .string()
  .max(64, 'longer than 64 characters')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected lower-case letters, digits and single dashes between them');
