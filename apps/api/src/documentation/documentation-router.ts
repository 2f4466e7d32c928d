import { servePrecompressed } from '@leadback/server/http';
import express, { type RequestHandler, type Router } from 'express';
import type { RenderedDocument } from './render-documents.ts';
import { tryPath } from './try-page.ts';

/** Styles of this host alone; on the console, also its script, and its requests to this host. */
const contentSecurityPolicy = (hasScript: boolean) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const secure =
  (hasScript: boolean): RequestHandler =>
  (_request, response, next) => {
    response.set({
      'Content-Security-Policy': contentSecurityPolicy(hasScript),
      'Referrer-Policy': 'no-referrer',
    });
    next();
  };

/** Serves `/openapi.json` and, for people, `/docs` with the packages of the SDKs. None needs a key. */
export const documentationRouter = (documents: readonly RenderedDocument[], packages?: string): Router => {
  const router = express.Router({ caseSensitive: true });
  router.use(['/openapi.json', '/docs'], secure(false));
  router.use(tryPath, secure(true));
  for (const { path, type, cacheControl, content } of documents) {
    router.get(path, servePrecompressed(content, type, cacheControl));
  }
  if (packages !== undefined) router.use('/docs', express.static(packages, { index: false, redirect: false }));
  return router;
};
