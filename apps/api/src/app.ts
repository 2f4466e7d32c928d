import { endpointRouter, errorResponder, refuse, requestLog } from '@leadback/http';
import type { Logger } from '@leadback/runtime';
import express, { type Express } from 'express';
import { authenticate } from './authenticate.ts';
import type { ApiContext } from './context.ts';
import { endpoints } from './endpoints/index.ts';

export interface ApiOptions {
  readonly log: Logger;
  readonly trustProxyHops: number;
  readonly context: ApiContext;
  readonly isUnavailable: (error: unknown) => boolean;
}

/** The partner's API. The key comes first, on every path under /api/v1; only then is anything told about the path. */
export const apiApp = ({ log, trustProxyHops, context, isUnavailable }: ApiOptions): Express => {
  const app = express().disable('x-powered-by').disable('etag').set('trust proxy', trustProxyHops);
  app.use(requestLog(log));
  app.use('/api/v1', authenticate(context.findKey), endpointRouter(endpoints, context));
  app.use((_request, response) => refuse(response, 404, 'no such address; the API is under /api/v1'));
  app.use(errorResponder({ isUnavailable }));
  return app;
};
