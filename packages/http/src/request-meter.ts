import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { instruments, type Metrics } from '@leadback/runtime';
import { routeOf } from './route-of.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);

/** 499: the caller closed the connection before the response was sent. */
export const statusOf = (response: ServerResponse): number => (response.writableEnded ? response.statusCode : 499);

// not a number, so that it does not count as 5xx
const statusLabel = (request: IncomingMessage, response: ServerResponse): string =>
  'isDeclined' in request && request.isDeclined === true ? 'declined' : String(statusOf(response));

/** Measures requests by route, never by URL: callers could create any number of series. */
export const requestMeter = (metrics: Metrics, listener: RequestListener): RequestListener => {
  const requests = instruments(metrics).histogram<string>({
    name: 'leadback_http_request_seconds',
    help: 'Duration of requests until the response was sent, by route; status 499: the caller disconnected; declined: an intended 503, such as for a prefetch',
    labels: { method: [], route: [], status: [] },
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  return (request, response) => {
    const start = performance.now();
    response.on('close', () => {
      const { method = '' } = request;
      const labels = {
        method: methods.has(method) ? method : 'other',
        route: routeOf(request) ?? 'none',
        status: statusLabel(request, response),
      };
      requests.observe(labels, (performance.now() - start) / 1000);
    });
    listener(request, response);
  };
};
