import { randomUUID } from 'node:crypto';
import type { Logger } from '@leadback/runtime';
import { loggedTrace, type Span } from '@leadback/tracing';
import type { RequestHandler } from 'express';
import { statusOf } from './request-meter.ts';
import { requestSpan } from './request-span.ts';
import { routeOf } from './route-of.ts';

declare global {
  namespace Express {
    interface Request {
      /** Logs lines with the request id. */
      log: Logger;
      /** The span of this request. */
      span: Span;
      /** Set if a 5xx response is intended: metrics and traces do not count it as an error. */
      isDeclined?: true;
    }
  }
}

const idShape = /^[\w.:-]{1,64}$/;

/**
 * Gives each request an id (a valid `x-request-id` of the caller, otherwise a new one), a span, and one log line when
 * it ends. The line has the route, never the URL: its query has personal data.
 */
export const requestLog =
  (log: Logger): RequestHandler =>
  (request, response, next) => {
    const sent = request.get('x-request-id');
    const requestId = sent && idShape.test(sent) ? sent : randomUUID();
    response.set('x-request-id', requestId);
    request.span = requestSpan(request, response);
    request.log = log.child({ requestId, ...loggedTrace(request.span) });
    const start = performance.now();
    response.once('close', () => {
      request.log.info(
        {
          method: request.method,
          route: routeOf(request),
          status: statusOf(response),
          ms: Math.round(performance.now() - start),
        },
        'request',
      );
    });
    next();
  };
