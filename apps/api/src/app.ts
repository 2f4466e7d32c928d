import { Refusal } from '@leadback/domain';
import { endpointRouter, errorResponder, proxyCheck, requestLog } from '@leadback/server/http';
import type { Logger } from '@leadback/server/app';
import express, { type Express } from 'express';
import { authenticate, limitRate, type ApiKeyCache } from './authenticate.ts';
import type { ApiContext } from './context.ts';
import { documentationRouter } from './documentation/documentation-router.ts';
import { documents, packagesFolder } from './documentation/documents.ts';
import { endpoints } from './endpoints/index.ts';
import { sourceRouter } from './sources.ts';

export interface ApiOptions {
  readonly log: Logger;
  readonly trustProxyHops: number;
  readonly keys: ApiKeyCache;
  readonly context: ApiContext;
  readonly isUnavailable: (error: unknown) => boolean;
  readonly onOverloaded: () => void;
}

/** Checks the key first on every path under /api/v1: without a valid key, the API does not reveal which paths exist. */
export const apiApp = ({ log, trustProxyHops, keys, context, ...onErrors }: ApiOptions): Express => {
  const app = express().disable('x-powered-by').disable('etag').set('trust proxy', trustProxyHops);
  app.use(requestLog(log), proxyCheck(log, trustProxyHops).middleware);
  app.use((_request, response, next) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.use('/api/v1', endpointRouter(endpoints, context, [authenticate(keys), limitRate()]));
  app.use('/source', sourceRouter(context));
  app.use(documentationRouter(documents(), packagesFolder));
  app.use(() => {
    throw new Refusal('not-found');
  });
  app.use(errorResponder(onErrors));
  return app;
};
