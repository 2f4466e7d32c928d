import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The files of the renderer that a browser asks for. */
export const rendererFiles = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'] as const;

/** Where they are: beside the bundle, where the build has put them, or in the package that they come from. */
export const rendererFolder = (): string => {
  const besideBundle = join(import.meta.dirname, 'docs');
  if (existsSync(besideBundle)) return besideBundle;
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
};
