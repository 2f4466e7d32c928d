import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { instruments, type Metrics, type Logger } from '../app/index.ts';
import { beginTrace, linksTo, markFailed, type Span, SpanKind, loggedTrace } from '../trace/index.ts';
import type { Request, Response, RequestHandler } from 'express';

/**
 * The route pattern of a handled request (`/:slug`), or undefined if no route matched. Never the URL, which has
 * personal data.
 */
const routeOf = (request: IncomingMessage): string | undefined => {
  const route = 'route' in request ? request.route : undefined;
  if (typeof route !== 'object' || route === null || !('path' in route) || typeof route.path !== 'string') return;
  return 'baseUrl' in request && typeof request.baseUrl === 'string' ? request.baseUrl + route.path : route.path;
};

const methods = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);

/** 499: the caller closed the connection before the response was sent. */
const statusOf = (response: ServerResponse): number => (response.writableEnded ? response.statusCode : 499);

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

const idShape = /^[\w.:-]{1,64}$/;

/** A valid `x-request-id` of the caller, otherwise a new one. */
export const requestIdOf = ({ headers }: IncomingMessage): string => {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && idShape.test(sent) ? sent : randomUUID();
};

/**
 * Starts the span of a request in a new trace. A `traceparent` from outside only becomes a link: it must not decide
 * what is recorded or which trace it joins. The span has the route, never the URL or the caller.
 */
const requestSpan = (request: Request, response: Response): Span => {
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

type LogFields = Readonly<Record<string, unknown>>;

declare global {
  namespace Express {
    interface Request {
      /** A logger whose lines have the request id. */
      log: () => Logger;
      /** What the line of this request tells beside the usual: see `addToRequestLog`. */
      logFields?: LogFields;
      /** The span of this request. */
      span: Span;
      /** Set if a 5xx response is intended: metrics and traces do not count it as an error. */
      isDeclined?: true;
    }
  }
}

// Made here, not where it is assigned to a property: V8 puts such a function into the old generation at once, and there it
// keeps its request until the next full collection (landing under clicks: 3.3 MB of each 50 MB, 1.0 without it).
const loggerOf = (log: Logger, requestId: string, span: Span) => () => log.child({ requestId, ...loggedTrace(span) });

/**
 * Gives each request an id (see `requestIdOf`), a span, and one log line when it ends. The line has the route, never the
 * URL: its query has personal data.
 */
export const requestLog =
  (log: Logger): RequestHandler =>
  (request, response, next) => {
    const start = performance.now();
    const requestId = requestIdOf(request);
    response.setHeader('x-request-id', requestId);
    const span = requestSpan(request, response);
    request.span = span;
    request.log = loggerOf(log, requestId, span);
    response.on('close', () => {
      const fields = {
        requestId,
        ...loggedTrace(span),
        method: request.method,
        route: routeOf(request),
        status: statusOf(response),
        ms: Math.round(performance.now() - start),
        ...request.logFields,
      };
      log.info(fields, 'request');
    });
    next();
  };

/** Adds fields to the log line of a request, or logs them by themselves if the caller has disconnected already. */
export const addToRequestLog = ({ req: request, closed }: Response, fields: LogFields): void => {
  if (closed) request.log().info(fields, 'request completed without its caller');
  else request.logFields = { ...request.logFields, ...fields };
};

export interface ProxyCheck {
  readonly middleware: RequestHandler;
  /** Whether a request arrived through a proxy in the last hour although no proxy is trusted. */
  readonly isIgnoringProxy: () => boolean;
  /** Whether most requests arrived through a proxy that ends TLS although no proxy is trusted. */
  readonly isMissingTls: () => boolean;
}

// Express reads client addresses only from this header
const header = 'x-forwarded-for';
// from proxies that end TLS
const protocolHeader = 'x-forwarded-proto';
// the weight of a request in the part of them that come from such a proxy: clients can forge the header, but not in most
const weight = 0.01;
// clients can forge the header: the finding expires
const rememberedMs = 3_600_000;
const warning =
  'requests arrive through a proxy, but TRUST_PROXY=0: the IP addresses of visitors and callers are lost, and limits per address count the proxy as one caller. Set TRUST_PROXY to the number of proxies that append to X-Forwarded-For; if there is no proxy, a client forged the header: ignore this warning';

/** Warns once if a proxy forwards requests although none is trusted. Never logs the IP addresses in the header. */
export const proxyCheck = (log: Logger, trustProxyHops: number, nowMs = () => performance.now()): ProxyCheck => {
  let lastMs: number | undefined;
  let lastTlsMs: number | undefined;
  let partOfTls: number | undefined;
  const noteTls = (isTls: boolean): void => {
    const part = isTls ? 1 : 0;
    partOfTls = partOfTls === undefined ? part : partOfTls + weight * (part - partOfTls);
    if (isTls) lastTlsMs = nowMs();
  };
  return {
    isMissingTls: () => (partOfTls ?? 0) > 0.5 && lastTlsMs !== undefined && nowMs() - lastTlsMs < rememberedMs,
    isIgnoringProxy: () => lastMs !== undefined && nowMs() - lastMs < rememberedMs,
    middleware(request, _response, next) {
      if (trustProxyHops === 0) noteTls(request.headers[protocolHeader] === 'https');
      if (trustProxyHops === 0 && request.headers[header] !== undefined) {
        if (lastMs === undefined) log.warn({ setting: 'TRUST_PROXY', header }, warning);
        lastMs = nowMs();
      }
      next();
    },
  };
};
