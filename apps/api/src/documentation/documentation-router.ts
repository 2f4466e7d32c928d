import { type EndpointDescription, precompressed, servePrecompressed } from '@leadback/http';
import express, { type RequestHandler, type Router } from 'express';
import { apiDocument } from './api-document.ts';
import { contentOf, sdkFiles } from './content.ts';
import { documentationSite } from './site.ts';
import { style } from './style.ts';
import { tryPath, tryScript } from './try-page.ts';

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

const forMinutes = 'public, max-age=300';
const forever = 'public, max-age=31536000, immutable';

/** Serves `/openapi.json` and, for people, `/docs`. Neither needs a key. Everything is rendered and compressed here, once. */
export const documentationRouter = (endpoints: readonly EndpointDescription[]): Router => {
  const router = express.Router({ caseSensitive: true });
  const offer = (path: string, type: string, text: string) =>
    router.get(path, servePrecompressed(precompressed(text), `${type}; charset=utf-8`, forMinutes));
  /** Serves an asset at a path with its digest, which it returns. */
  const offerAsset = (name: string, extension: string, type: string, text: string): string => {
    const asset = precompressed(text);
    const path = `/docs/assets/${name}.${asset.digest}.${extension}`;
    router.get(path, servePrecompressed(asset, `${type}; charset=utf-8`, forever));
    return path;
  };

  router.use(['/openapi.json', '/docs'], secure(false));
  router.use(tryPath, secure(true));
  const document = JSON.stringify(apiDocument(endpoints));
  offer('/openapi.json', 'application/json', document);
  const site = documentationSite(document, {
    style: offerAsset('style', 'css', 'text/css', style),
    script: offerAsset('try', 'js', 'text/javascript', tryScript),
  });
  for (const [path, html] of site.pages) offer(path, 'text/html', html);
  for (const [path, text] of site.markdown) offer(path, 'text/markdown', text);
  for (const file of sdkFiles) offer(`/docs/${file}`, 'text/plain', contentOf(file));
  offer('/docs/llms.txt', 'text/plain', site.llmsText);
  return router;
};
