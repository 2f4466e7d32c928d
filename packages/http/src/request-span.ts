import { beginTrace, linksTo, markFailed, type Span, SpanKind } from '@leadback/tracing';
import type { Request, Response } from 'express';
import { routeOf } from './route-of.ts';

/**
 * Starts the span of a request in a new trace. A `traceparent` from outside only becomes a link: it must not decide
 * what is recorded or which trace it joins. The span has the route, never the URL or the caller.
 */
export const requestSpan = (request: Request, response: Response): Span => {
  const { method } = request;
  const span = beginTrace(method, { kind: SpanKind.SERVER });
  if (!span.isRecording()) return span;
  span.setAttributes({ 'http.request.method': method, 'url.scheme': request.protocol });
  span.addLinks(linksTo(request.get('traceparent')));
  response.once('close', () => {
    const route = routeOf(request);
    if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
    const { statusCode, writableEnded } = response;
    if (writableEnded) span.setAttribute('http.response.status_code', statusCode);
    if (!writableEnded) markFailed(span, 'caller_gone');
    else if (statusCode >= 500 && !request.isDeclined) markFailed(span, String(statusCode));
    span.end();
  });
  return span;
};
