import { z } from 'zod';

/** The id of an account in a path. It only names: what the person may see is decided on the server. */
export const accountId = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
