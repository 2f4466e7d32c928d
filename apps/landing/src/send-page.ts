import type { Request, Response } from 'express';
import type { BuiltPage } from './pages/built-page.ts';
import type { SendableText } from './pages/gzip-template.ts';

export const sendPage = (request: Request, response: Response, built: BuiltPage, html: SendableText): void => {
  const isGzipped = request.acceptsEncodings('gzip') !== false;
  response.set({ 'Content-Security-Policy': built.contentSecurityPolicy, Vary: 'Accept-Encoding' }).type('html');
  if (isGzipped) response.set('Content-Encoding', 'gzip');
  response.send(isGzipped ? html.gzipped() : html.plain());
};
