import { z } from 'zod';

/** A TCP port as written in the environment. */
export const portSchema = z.coerce.number().int().min(1).max(65_535);
