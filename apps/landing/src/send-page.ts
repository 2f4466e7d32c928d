import type { Request, Response } from 'express';
import type { BuiltPage } from './pages/built-page.ts';
import type { SendableText } from './pages/gzip-template.ts';
import { cachedBy } from './cached-by.ts';

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
