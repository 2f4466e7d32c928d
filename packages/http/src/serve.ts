import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Express } from 'express';
import { acceptQueued } from './accept-queued.ts';
import { type ConnectionLimits, watchConnections } from './connections.ts';
import { expressMessages } from './express-messages.ts';
import { listenFailure } from './listen-failure.ts';
import { isAfterRefused, namesHost, refuseEarly, refuseLate, refuseUnreadable } from './refuse-requests.ts';
import { slowBodies } from './slow-bodies.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** How long a stopping server accepts requests, so that load balancers notice before connections close. */
  readonly drainMs?: number;
  readonly onDraining?: () => void;
  /** Default: 10 000, and no limit of a network. */
  readonly connections?: Partial<ConnectionLimits>;
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
  // what is late by then is cut off in one turn of the event loop: with five seconds, others waited 80 ms for two thousand
  connectionsCheckingInterval: 100,
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

export interface Served extends AsyncDisposable {
  readonly connections: () => OpenConnections;
}

export interface OpenConnections {
  readonly open: number;
  readonly max: number;
}

/**
 * Serves until disposed. Disposing drains: responses close their connections, new requests are served for `drainMs`,
 * and open requests may finish within 10 s.
 */
export const serve = async (listener: RequestListener, options: ServeOptions): Promise<Served> => {
  const { host, port, drainMs = 0, onDraining, mayTakeLong = () => false, express } = options;
  const limitsOfConnections = { max: connectionsMax, ...options.connections };
  let isDraining = false;
  const bodies = slowBodies({
    timeoutMs: bodyTimeoutMs,
    everyMs: limits.connectionsCheckingInterval,
    mayTakeLong,
    onLate: refuseLate,
  });
  const server = createServer({ ...limits, ...(express && expressMessages(express)) }, (request, response) => {
    connections.watch(request, response);
    if (isDraining) response.setHeader('Connection', 'close');
    if (isAfterRefused(request)) return;
    if (!namesHost(request)) return refuseEarly(request, response, { status: 400, refusal: 'invalid-fields.host' });
    bodies.watch(request, response);
    listener(request, response);
  });
  server.timeout = idleMaxMs;
  server.maxRequestsPerSocket = requestsPerConnectionMax;
  const connections = watchConnections(server, limitsOfConnections);
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    refuseEarly(request, response, { status: 417, refusal: 'invalid-fields.expect' });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(error, { host, port })));
    server.listen({ port, host, backlog: unacceptedMax }, resolve);
  });
  return {
    connections: () => ({ open: connections.count(), max: limitsOfConnections.max }),
    async [Symbol.asyncDispose]() {
      isDraining = true;
      onDraining?.();
      await pause(drainMs);
      await acceptQueued(server, unacceptedMax);
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeIdleConnections();
      await Promise.race([closed, pause(closeMaxMs, undefined, { ref: false })]);
      server.closeAllConnections();
      bodies[Symbol.dispose]();
      connections[Symbol.dispose]();
    },
  };
};
