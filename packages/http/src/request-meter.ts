import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { instruments, type Metrics } from '@leadback/runtime';
import { routeOf } from './route-of.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);

/** The status that was answered; 499 where the caller did not wait for it. */
export const statusOf = (response: ServerResponse): number => (response.writableEnded ? response.statusCode : 499);

// no number, so that what counts 5xx as errors leaves it out
const statusLabel = (request: IncomingMessage, response: ServerResponse): string =>
  'isDeclined' in request && request.isDeclined === true ? 'declined' : String(statusOf(response));

/** Measures every request by the pattern of its address, never by what a stranger has made up. */
export const requestMeter = (metrics: Metrics, listener: RequestListener): RequestListener => {
  const requests = instruments(metrics).histogram<string>({
    name: 'leadback_http_request_seconds',
    help: 'Requests by the pattern of their address, and how long each took until its answer was sent; 499: the caller left; declined: a 503 on purpose, such as for a prefetch',
    labels: { method: [], route: [], status: [] },
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  return (request, response) => {
    const start = performance.now();
    response.once('close', () => {
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
