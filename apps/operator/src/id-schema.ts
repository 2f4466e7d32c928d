import { z } from 'zod';

/** An id as typed on the command line. */
export const idSchema = z.coerce.number('expected a number').int().positive();
