import { join } from 'node:path';

/** The root folder. */
export const repository = join(import.meta.dirname, '..', '..');
