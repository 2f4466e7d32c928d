import { formFields, isBrokenOff, type ProxyCheck, requestLog } from '@leadback/server/http';
import type { Logger } from '@leadback/server/app';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { LandingContext } from './context.ts';
import { kindTarget } from './kind-path.ts';
import {
  securityHeaders,
  sendErrorPage,
  sendImage,
  showPage,
  showPreview,
  submitPage,
  submitPreview,
} from './respond.ts';
import { sendScript } from './pages/script.ts';
import { visitorRoutes } from './visitor/visitor-routes.ts';
import { allowReport, takeReport } from './visits/report.ts';

export interface LandingOptions {
  readonly context: LandingContext;
  readonly log: Logger;
  readonly trustProxyHops: number;
  readonly proxyCheck: ProxyCheck;
}

const formBytesMax = 32 * 1024;

const readBody: RequestHandler = async (request, _response, next) => {
  // an unreadable form counts as an empty one; of a path that is no page after all, it has been read already
  if (!request.readableEnded) request.body = await formFields(request, formBytesMax).catch(() => undefined);
  // the connection is closed: no response can be sent, and the browser may send the form again
  if (!isBrokenOff(request)) next();
};

/** Takes a changed link for what it means. First come the paths that are what they should be, which are nearly all. */
const kindly: RequestHandler = (request, _response, next) => {
  const meant = kindTarget(request.originalUrl);
  if (meant === undefined) return next('router');
  request.originalUrl = request.url = meant;
  next();
};

const notFound: RequestHandler = (request, response) => sendErrorPage(request, response, 404);

// Express cannot decode the path
const undecodable: ErrorRequestHandler = (error: unknown, _request, _response, next) =>
  next(error instanceof URIError ? undefined : error);

const failed: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  request.log().error({ err: error }, 'failed to serve the page');
  response.set('Retry-After', '5');
  sendErrorPage(request, response, 503);
};

export const landingApp = ({ log, trustProxyHops, proxyCheck, context }: LandingOptions): Express => {
  const app = express().disable('x-powered-by').disable('etag').set('trust proxy', trustProxyHops);
  app.use(requestLog(log), proxyCheck.middleware, securityHeaders);
  const [show, submit] = [showPage(context), submitPage(context)];
  // first and not within a router, because nearly all requests are for it
  app.route('/:slug').get(show).post(readBody, submit);
  app.route('/:slug/lead').options(allowReport(context)).post(takeReport(context));
  app.get('/:name.js', sendScript(context));
  app.route('/preview/:code').get(showPreview(context)).post(readBody, submitPreview(context));
  app.get('/media/:name', sendImage(context));
  app.use(visitorRoutes(context, readBody));
  const changed = express.Router();
  changed.use(kindly).route('/:slug').get(show).post(readBody, submit);
  app.use(undecodable, changed);
  app.use(notFound);
  app.use(failed);
  return app;
};
