import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type RefusalName, refusalOf } from '@leadback/domain';
import type { Express } from 'express';
import { expressMessages } from './express-messages.ts';
import { type ConnectionLimit, limitConnections } from './limit-connections.ts';
import { listenFailure } from './listen-failure.ts';
import { errorHeader } from './refusal-status.ts';
import { slowBodies } from './slow-bodies.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** How long a stopping server accepts requests, so that load balancers notice before connections close. */
  readonly drainMs?: number;
  readonly onDraining?: () => void;
  /** Default: none for a single network address. */
  readonly connectionLimit?: ConnectionLimit;
  /** Whether a body may take longer than 30 s to arrive, up to 15 minutes. Default: none. */
  readonly mayTakeLong?: (request: IncomingMessage) => boolean;
  /** The Express app that the listener is or calls, if any. */
  readonly express?: Express;
}

const limits = {
  headersTimeout: 10_000,
  requestTimeout: 15 * 60_000,
  // longer than load balancers keep idle connections (usually 60 s), so that this server never closes a connection in
  // use
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  requireHostHeader: false,
};

const bodyTimeoutMs = 30_000;

// a connection without progress, such as that of a caller that never reads the response
const idleMaxMs = 15_000;
const connectionsMax = 10_000;
// connections that arrive together; a busy process accepts them late, and beyond Node's 511 some would be reset
const unacceptedMax = 4_096;
// the response to the last one closes the connection, so that busy callers move to other instances from time to time
const requestsPerConnectionMax = 10_000;

const closeMaxMs = 10_000;

/** Sent by this server alone, with statuses that no endpoint has. */
interface Unreadable {
  readonly status: number;
  readonly refusal: RefusalName;
}

const unreadable: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: { status: 431, refusal: 'invalid-fields.headers' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, refusal: 'invalid-json.late' },
};

const replyTo = ({ refusal }: Unreadable) => {
  const { code, message } = refusalOf(refusal);
  const body = JSON.stringify({ message });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'x-request-id': randomUUID(),
    [errorHeader]: code,
    Connection: 'close',
  };
  return { headers, body };
};

/** Responds to an unreadable request with the error format of the API. */
const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problem = unreadable[error.code ?? ''] ?? { status: 400, refusal: 'invalid-fields.http' };
  const { headers, body } = replyTo(problem);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, '', body].join('\r\n'));
};

/** A request that has its response already must not get a second one. */
const refuseLate = ({ socket }: IncomingMessage, { headersSent }: ServerResponse): void => {
  if (headersSent) socket.destroy();
  else refuseUnreadable(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
};

/** Refuses a readable request before it reaches the app. */
const refuseEarly = (response: ServerResponse, problem: Unreadable): void => {
  const { headers, body } = replyTo(problem);
  response.writeHead(problem.status, headers).end(body);
};

/**
 * Serves until disposed. Disposing drains: responses close their connections, new requests are served for `drainMs`,
 * and open requests may finish within 10 s.
 */
export const serve = async (listener: RequestListener, options: ServeOptions): Promise<AsyncDisposable> => {
  const { host, port, drainMs = 0, onDraining, mayTakeLong = () => false, express, connectionLimit } = options;
  let isDraining = false;
  const bodies = slowBodies({
    timeoutMs: bodyTimeoutMs,
    everyMs: limits.connectionsCheckingInterval,
    mayTakeLong,
    onLate: refuseLate,
  });
  const server = createServer({ ...limits, ...(express && expressMessages(express)) }, (request, response) => {
    if (isDraining) response.setHeader('Connection', 'close');
    // RFC 9112, 3.2; Node.js would respond without a body
    const hasHost = request.httpVersion === '1.0' || request.headers.host !== undefined;
    if (!hasHost) return refuseEarly(response, { status: 400, refusal: 'invalid-fields.host' });
    bodies.watch(request, response);
    listener(request, response);
  });
  server.timeout = idleMaxMs;
  server.maxConnections = connectionsMax;
  server.maxRequestsPerSocket = requestsPerConnectionMax;
  if (connectionLimit) limitConnections(server, connectionLimit);
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    refuseEarly(response, { status: 417, refusal: 'invalid-fields.expect' });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(error, { host, port })));
    server.listen({ port, host, backlog: unacceptedMax }, resolve);
  });
  return {
    async [Symbol.asyncDispose]() {
      isDraining = true;
      onDraining?.();
      await pause(drainMs);
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeIdleConnections();
      await Promise.race([closed, pause(closeMaxMs, undefined, { ref: false })]);
      server.closeAllConnections();
      bodies[Symbol.dispose]();
    },
  };
};
