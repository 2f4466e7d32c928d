import { join } from 'node:path';

/** Its root. */
export const repository = join(import.meta.dirname, '..', '..');
