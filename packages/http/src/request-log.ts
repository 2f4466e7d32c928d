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
      /** Writes the request's id with every line. */
      log: Logger;
      /** Of its trace. */
      span: Span;
      /** Set if a 5xx response is on purpose: metrics and traces do not count it as an error. */
      isDeclined?: true;
    }
  }
}

const saneId = /^[\w.:-]{1,64}$/;

/**
 * Gives every request an id (the caller's own where it is sane), says it in `x-request-id` of the response, gives it a
 * span, and writes one line when it is over. The line holds the route and never the address as sent, whose query tells of a visitor.
 */
export const requestLog =
  (log: Logger): RequestHandler =>
  (request, response, next) => {
    const sent = request.get('x-request-id');
    const requestId = sent && saneId.test(sent) ? sent : randomUUID();
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
