import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the web part is built to. */
export const builtWebFolder = join(import.meta.dirname, '../../dist-web');

// beside the bundle of an image
const ofBundle = join(import.meta.dirname, 'web');

export const webFolder = (): string => (existsSync(join(ofBundle, 'index.html')) ? ofBundle : builtWebFolder);
