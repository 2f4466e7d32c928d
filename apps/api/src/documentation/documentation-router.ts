import type { EndpointDescription } from '@leadback/http';
import compression from 'compression';
import express, { type RequestHandler, type Router } from 'express';
import { apiDocument } from './api-document.ts';
import { docsPage, docsScript, docsStyle } from './docs-page.ts';
import { rendererFiles, rendererFolder } from './renderer-folder.ts';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // the renderer sets inline styles
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const secure: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': contentSecurityPolicy,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'public, max-age=300',
  });
  next();
};

const send =
  (type: string, text: string): RequestHandler =>
  (_request, response) => {
    response.type(type).send(text);
  };

/** Serves `/openapi.json` and, for people, `/docs`. Neither needs a key. */
export const documentationRouter = (endpoints: readonly EndpointDescription[]): Router => {
  const router = express.Router({ caseSensitive: true });
  const document = JSON.stringify(apiDocument(endpoints));
  router.use(['/openapi.json', '/docs'], secure, compression());
  router.get('/openapi.json', send('json', document));
  router.get('/docs', send('html', docsPage));
  router.get('/docs/page.css', send('css', docsStyle));
  router.get('/docs/page.js', send('js', docsScript));
  const root = rendererFolder();
  for (const file of rendererFiles) {
    router.get(`/docs/${file}`, (_request, response) => {
      response.sendFile(file, { root, cacheControl: false });
    });
  }
  return router;
};
