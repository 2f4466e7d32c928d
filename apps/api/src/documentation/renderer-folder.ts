import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The files that a browser loads. */
export const rendererFiles = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'] as const;

/** Beside the bundle after a build, otherwise in the package. */
export const rendererFolder = (): string => {
  const besideBundle = join(import.meta.dirname, 'docs');
  if (existsSync(besideBundle)) return besideBundle;
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
};
