import { type Language, languages } from '@leadback/domain';
import { servePrecompressed } from '@leadback/server/http';
import { parseCookie } from 'cookie';
import express, { type Request, type RequestHandler, type Router } from 'express';
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

const serve = ({ content, type, cacheControl }: RenderedDocument): RequestHandler =>
  servePrecompressed(content, type, cacheControl);

const languageCookie = 'docs-language';
const yearMs = 365 * 86_400_000;

const languageNamed = (name: unknown): Language | undefined => languages.find((one) => one === name);

/** The language that the reader chose before, else the one of the browser. */
const usualLanguage = (request: Request): Language =>
  languageNamed(parseCookie(request.headers.cookie ?? '')[languageCookie]) ??
  languageNamed(request.acceptsLanguages(...languages)) ??
  'en';

/** Serves the version in the language of `?lang=`, which the browser keeps, else in the usual one. */
const serveInLanguage = (versions: readonly RenderedDocument[]): RequestHandler => {
  const handlers = new Map(versions.map((version) => [version.language, serve(version)]));
  return (request, response, next) => {
    const chosen = languageNamed(request.query['lang']);
    if (chosen) {
      const kept = { path: '/docs', maxAge: yearMs, sameSite: 'lax', httpOnly: true, secure: request.secure } as const;
      response.cookie(languageCookie, chosen, kept);
    }
    const language = chosen ?? usualLanguage(request);
    response.set('Content-Language', language).vary('Accept-Language, Cookie');
    const handler = handlers.get(language);
    return handler ? handler(request, response, next) : next();
  };
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
  for (const [path, versions] of Map.groupBy(documents, (document) => document.path)) {
    const [first] = versions;
    router.get(path, first && first.language === undefined ? serve(first) : serveInLanguage(versions));
  }
  router.use('/docs', async (request, response, next) => {
    if (!packageName.test(request.path)) return next();
    express.static(await packages(), { index: false, redirect: false })(request, response, next);
  });
  return router;
};
