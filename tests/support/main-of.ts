import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Whether tests start bundles: set by `npm test`, which has built them. Otherwise they may be old. */
export const isBundled = process.env['LEADBACK_TEST_BUNDLES'] === 'true';

/** The file to start of an app, such as `apps/operator`. */
export const mainOf = (folder: string): string => join(root, folder, isBundled ? 'dist/main.js' : 'src/main.ts');
