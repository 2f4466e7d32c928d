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

const packageName = /^\/leadback[\w.-]*\.(?:tgz|whl|zip)$/;

/**
 * Serves `/openapi.json` and, for people, `/docs` with the packages of the SDKs. None needs a key. `packages`: the folder with them,
 * asked for when somebody wants one.
 */
export const documentationRouter = (
  documents: readonly RenderedDocument[],
  packages: () => Promise<string>,
): Router => {
  const router = express.Router({ caseSensitive: true });
  router.use(['/openapi.json', '/docs'], secure(false));
  router.use(tryPath, secure(true));
  for (const { path, type, cacheControl, content } of documents) {
    router.get(path, servePrecompressed(content, type, cacheControl));
  }
  router.use('/docs', async (request, response, next) => {
    if (!packageName.test(request.path)) return next();
    express.static(await packages(), { index: false, redirect: false })(request, response, next);
  });
  return router;
};
