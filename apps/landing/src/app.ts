import { requestLog } from '@leadback/http';
import type { Logger } from '@leadback/runtime';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { LandingContext } from './context.ts';
import { goOn } from './go-on.ts';
import { renderNotice } from './page-template.ts';
import { securityHeaders } from './security-headers.ts';
import { showPage } from './show-page.ts';

export interface LandingOptions extends LandingContext {
  readonly log: Logger;
  readonly trustProxyHops: number;
}

const neverStored: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

const parseForm = express.urlencoded({ extended: false, limit: '32kb' });

const readForm: RequestHandler = (request, response, next) => {
  // an unreadable form counts as an empty one
  parseForm(request, response, () => next());
};

const notFound: RequestHandler = (_request, response) => {
  response.status(404).send(renderNotice('Page not found', 'There is no page at this address.'));
};

const failed: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  if (error instanceof URIError) return notFound(request, response, next);
  request.log.error({ err: error }, 'could not show the page');
  response.status(503).set('Retry-After', '5');
  response.send(renderNotice('Just a moment', 'This page cannot be shown right now. Please try again shortly.'));
};

/** The pages that visitors of advertisements land on. */
export const landingApp = ({ log, trustProxyHops, ...context }: LandingOptions): Express => {
  const app = express().disable('x-powered-by').disable('etag').set('trust proxy', trustProxyHops);
  app.use(requestLog(log), securityHeaders, neverStored);
  app.get('/:slug', showPage(context));
  app.post('/:slug', readForm, goOn(context));
  app.use(notFound);
  app.use(failed);
  return app;
};
