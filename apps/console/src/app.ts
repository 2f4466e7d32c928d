import { Refusal } from '@leadback/domain';
import { endpointRouter, errorResponder, proxyCheck, requestLog } from '@leadback/server/http';
import type { Logger } from '@leadback/server/app';
import express, { type Express } from 'express';
import { respondToRefusal } from './console-refusal.ts';
import type { ConsoleContext } from './context.ts';
import { endpoints } from './endpoints/index.ts';
import { sendMedia } from './pages/send-media.ts';
import { securityHeaders } from './security-headers.ts';
import { findSession } from './sessions/authenticate.ts';
import { sameOrigin } from './sessions/browser.ts';
import { type WebFiles, webRouter } from './web/web.ts';

export interface ConsoleOptions {
  readonly log: Logger;
  readonly trustProxyHops: number;
  readonly context: ConsoleContext;
  /** Undefined: not built. */
  readonly web: WebFiles | undefined;
  readonly isUnavailable: (error: unknown) => boolean;
}

export const consoleApp = (options: ConsoleOptions): Express => {
  const { log, trustProxyHops, context, web, isUnavailable } = options;
  const app = express().disable('x-powered-by').disable('etag').set('trust proxy', trustProxyHops);
  app.use(requestLog(log), proxyCheck(log, trustProxyHops).middleware, securityHeaders);
  // requests that change something come from where people open it alone
  const { origin } = new URL(context.consoleUrl);
  const before = [sameOrigin(origin), findSession(context.findSession), context.limits.requests];
  app.use('/api', endpointRouter(endpoints, context, before), () => {
    throw new Refusal('not-found', { message: 'no such path' });
  });
  app.get('/media/:name', sendMedia(context.findImage));
  app.use(webRouter(web));
  app.use(() => {
    throw new Refusal('not-found', { message: 'no such path' });
  });
  app.use(respondToRefusal, errorResponder({ isUnavailable }));
  return app;
};
