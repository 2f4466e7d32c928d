import type { Request, Response, RequestHandler } from 'express';
import { type Language, languages } from '@leadback/domain';
import { contentSecurityPolicy, pageStyle, renderNotice } from '@leadback/core/pages/render/page';
import { type Notice, pageMessages } from '@leadback/core/pages/render/page-messages';
import type { BuiltPage, SendableText } from './pages/served-page.ts';
import { cachedBy } from './pages/pages.ts';
import type { LandingContext } from './context.ts';

const acceptsGzip = cachedBy();

/** Sends a page, compressed if the browser takes that. */
export const sendHtml = (request: Request, response: Response, policy: string, html: SendableText): void => {
  const isGzipped = acceptsGzip(request.get('accept-encoding') ?? '', () => request.acceptsEncodings('gzip') !== false);
  const body = isGzipped ? html.gzipped() : html.plain();
  response.writeHead(response.statusCode, {
    'Content-Security-Policy': policy,
    Vary: 'Accept-Encoding',
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...(isGzipped && { 'Content-Encoding': 'gzip' }),
  });
  // After all requests that have arrived are read: a write runs the kernel's network code, which pushes ours out of the
  // processor's caches. One response after the other, a page costs a third more.
  setImmediate(() => response.end(body));
};

export const sendPage = (request: Request, response: Response, built: BuiltPage, html: SendableText): void =>
  sendHtml(request, response, built.contentSecurityPolicy, html);

/** `GET /media/{name}`: an uploaded image. It never changes, so browsers may cache it forever. */
export const sendImage =
  ({ findImage }: Pick<LandingContext, 'findImage'>): RequestHandler<{ name: string }> =>
  async (request, response, next) => {
    const image = await findImage(request.params.name);
    if (!image) return next();
    response.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      ETag: `"${image.name}"`,
    });
    if (request.fresh) response.status(304).end();
    else response.type(image.mediaType).send(image.bytes);
  };

/** The language of the browser, among those of the built-in pages. */
export const languageOf = (request: Request): Language =>
  languages.find((one) => one === request.acceptsLanguages(...languages)) ?? languages[0];

const style = pageStyle(null);
const policy = contentSecurityPolicy(style);
const noticeOf = { 404: 'notFound', 503: 'notNow' } as const;

/** Sends a notice in the language of the browser. */
export const sendNotice = (
  request: Request,
  response: Response,
  status: 404 | 429 | 503,
  noticeIn: (language: Language) => Notice,
): void => {
  const language = languageOf(request);
  response.status(status).set('Content-Security-Policy', policy).type('html');
  response.send(renderNotice(noticeIn(language), language, style));
};

/** Sends the error page of landing pages. */
export const sendErrorPage = (request: Request, response: Response, status: 404 | 503): void =>
  sendNotice(request, response, status, (language) => pageMessages[language][noticeOf[status]]);

// Each page has its own Content-Security-Policy.
const always = Object.entries({
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  // the target page learns the host the visitor comes from, but not the click ids in the URL
  'Referrer-Policy': 'strict-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  // the filter of old browsers could be turned against the page
  'X-XSS-Protection': '0',
  // images and crawlers' pages say otherwise
  'Cache-Control': 'no-store',
});

const yearSeconds = 31_536_000;
const overTls = `max-age=${yearSeconds}`;

/** Sets the security headers of every response; HSTS only if the visitor used TLS, to this app or to the proxy. */
export const securityHeaders: RequestHandler = (request, response, next) => {
  for (const [name, value] of always) response.setHeader(name, value);
  if (request.secure) response.setHeader('Strict-Transport-Security', overTls);
  next();
};
