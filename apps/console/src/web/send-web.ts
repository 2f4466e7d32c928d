import { servePrecompressed } from '@leadback/http';
import express, { type RequestHandler, type Router } from 'express';
import type { WebFile, WebFiles } from './web-files.ts';

const forever = 'public, max-age=31536000, immutable';
const checkEachTime = 'no-cache';

const notBuilt = `<!doctype html>
<html lang="en">
<title>Leadback console</title>
<h1>The web part of the console is not built</h1>
<p>The server is running. Build the web part with <code>npm run check -- build:web</code>, then restart the console.
`;

const serving = ({ type, content }: WebFile, cacheControl: string): RequestHandler =>
  servePrecompressed(content, type, cacheControl);

/** Serves the web part: its files, and for every other path its page, which knows the screens. */
export const webRouter = (files: WebFiles | undefined): Router => {
  const router = express.Router({ strict: false, caseSensitive: true });
  if (!files) {
    router.get('/{*path}', (_request, response) => {
      response.status(503).type('html').send(notBuilt);
    });
    return router;
  }
  for (const [path, file] of files.others) {
    // the names of assets change with their content
    router.get(path, serving(file, path.startsWith('/assets/') ? forever : checkEachTime));
  }
  const index = serving(files.index, checkEachTime);
  router.get('/{*path}', (request, response, next) => {
    // an asset of another version: its page, in place of a script, would only confuse
    if (request.path.startsWith('/assets/')) return next();
    return index(request, response, next);
  });
  return router;
};
