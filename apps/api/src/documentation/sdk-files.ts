import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Router } from 'express';

/** The SDKs that are a single file; the one for JavaScript is a package. */
export const sdkFiles = ['leadback.py', 'leadback.php'] as const;

/** Beside the bundle after a build, otherwise in the sources. */
const sdkFolder = (): string => {
  const besideBundle = join(import.meta.dirname, 'sdk-files');
  return existsSync(besideBundle) ? besideBundle : join(import.meta.dirname, 'sdk');
};

/** Serves the SDKs under `/docs`, as text that a browser shows. */
export const sdkFilesRouter = (): Router => {
  const router = express.Router({ caseSensitive: true });
  for (const file of sdkFiles) {
    const text = readFileSync(join(sdkFolder(), file), 'utf8');
    router.get(`/docs/${file}`, (_request, response) => {
      response.set('Cache-Control', 'public, max-age=300').type('text/plain; charset=utf-8').send(text);
    });
  }
  return router;
};
