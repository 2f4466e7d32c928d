import { randomUUID } from 'node:crypto';
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { RefusalName } from '@leadback/domain';
import express, { type Express, type Router } from 'express';
import { type Metrics, instruments } from '../app/index.ts';
import { type ConnectionLimits, watchConnections, closeReasons } from './connections.ts';
import { replyOf } from './errors.ts';
import { limitRest, slowBodies } from './bodies.ts';
import { requestMeter } from './request-log.ts';
import { takeTurns, type Turns } from './take-turns.ts';

/**
 * Accepts the connections that the kernel has already established, and reads the requests that have arrived, before
 * `server` closes: it would reset them. Node accepts one connection in each turn of its event loop.
 */
const acceptQueued = async (server: Server, queuedMax: number): Promise<void> => {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  for (let turn = 0, before = -1; accepted !== before && turn < queuedMax; turn += 1) {
    before = accepted;
    await nextTurn();
  }
  server.off('connection', count);
};

interface Wanted {
  readonly host: string;
  readonly port: number;
}

/** The error of a server that could not listen, with the remedy. */
const listenFailure = (error: Error, { host, port }: Wanted): Error => {
  if (!('code' in error) || error.code !== 'EADDRINUSE') return error;
  const remedy = 'Stop the process that listens there, or set PORT or OPERATIONS_PORT to a free port';
  return new Error(`port ${port} on ${host} is in use. ${remedy}`, { cause: error });
};

/**
 * The options with which a server creates requests and responses that have the prototypes of an Express app from the
 * start. Express otherwise replaces their prototypes in every request, which makes each later access to them slower.
 */
export const expressMessages = (app: Express) => {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
};

/** Sent by this server alone, with statuses that no endpoint has. */
interface Unreadable {
  readonly status: number;
  readonly refusal: RefusalName;
}

const unreadable: Unreadable = { status: 400, refusal: 'invalid-fields.http' };
const tooLarge: Unreadable = { status: 431, refusal: 'invalid-fields.headers' };
const tooLate: Unreadable = { status: 408, refusal: 'invalid-json.late' };

const lastReplyOf = ({ refusal }: Unreadable) => {
  const { headers, body } = replyOf(refusal);
  return { headers: { ...headers, 'x-request-id': randomUUID(), Connection: 'close' }, body };
};

const refusedSockets = new WeakSet<Duplex>();

const endWith = (problem: Unreadable, socket: Duplex): void => {
  if (!socket.writable) return void socket.destroy();
  const { headers, body } = lastReplyOf(problem);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, '', body].join('\r\n'));
};

// to end a connection takes a tenth of a millisecond, and strangers make thousands late at the same time
const latePerTurn = 5;
const late: (() => void)[] = [];

const refuseNextLate = (): void => {
  for (const refuse of late.splice(0, latePerTurn)) refuse();
  if (late.length > 0) setImmediate(refuseNextLate);
};

/** Refuses what is late, a few in each turn of the event loop: others would otherwise wait for all of them. */
const refuseInTurn = (refuse: () => void): void => {
  if (late.push(refuse) === 1) setImmediate(refuseNextLate);
};

/** Responds to an unreadable request with the error format of the API. */
export const refuseUnreadable = ({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void => {
  if (code === 'ECONNRESET') socket.destroy();
  else if (code === 'HPE_HEADER_OVERFLOW') endWith(tooLarge, socket);
  else if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') endWith(unreadable, socket);
  else {
    refusedSockets.add(socket); // the rest of it may arrive before its turn
    refuseInTurn(() => endWith(tooLate, socket));
  }
};

/** A request that has its response already must not get a second one. */
export const refuseLate = (request: IncomingMessage, response: ServerResponse): void => {
  refuseInTurn(() => {
    if (request.complete) return; // the rest of it arrived before its turn
    if (response.headersSent) request.socket.destroy();
    else endWith(tooLate, request.socket);
  });
};

/**
 * Refuses a readable request before it reaches the app, and closes the connection. Node.js has read what follows on it
 * and hands it over all the same: see `isAfterRefused`.
 */
const refuseEarly = ({ socket }: IncomingMessage, response: ServerResponse, problem: Unreadable): void => {
  refusedSockets.add(socket);
  const { headers, body } = lastReplyOf(problem);
  response.writeHead(problem.status, headers).end(body);
};

/** Whether a request must not run: it follows one that was refused, and the two may be one of a proxy in front. */
export const isAfterRefused = ({ socket }: IncomingMessage): boolean => refusedSockets.has(socket);

/** Whether a request names its host once. Node.js would take the first of two. RFC 9112, 3.2. */
const namesHost = ({ httpVersion, rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
};

interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** How long a stopping server accepts requests, so that load balancers notice before connections close. */
  readonly drainMs?: number;
  readonly onDraining?: () => void;
  /** Default: 10,000, and no limit of a network. */
  readonly connections?: Partial<ConnectionLimits>;
  /** Whether a body may take longer than 30 s to arrive, up to 15 minutes. Default: none. */
  readonly mayTakeLong?: (request: IncomingMessage) => boolean;
  /** How long the request line and all headers may be together. Default: 16 KiB. */
  readonly headersMaxBytes?: number;
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
  requireHostHeader: false,
};

const headersUsualMaxBytes = 16 * 1024;
const bodyTimeoutMs = 30_000;

// a connection without progress, such as that of a caller that never reads the response
const idleMaxMs = 15_000;
const connectionsMax = 10_000;
// connections that arrive together; a busy process accepts them late, and beyond Node's 511 some would be reset
const unacceptedMax = 4_096;
// the response to the last one closes the connection, so that busy callers move to other instances from time to time
const requestsPerConnectionMax = 10_000;

const closeMaxMs = 10_000;

interface Served extends AsyncDisposable {
  readonly connections: () => OpenConnections;
}

interface OpenConnections {
  readonly open: number;
  readonly max: number;
}

/**
 * Serves until disposed. Disposing drains: responses close their connections, new requests are served for `drainMs`,
 * and open requests may finish within 10 s.
 */
export const serve = async (listener: RequestListener, options: ServeOptions): Promise<Served> => {
  const { host, port, drainMs = 0, onDraining, mayTakeLong = () => false, express: app } = options;
  const { headersMaxBytes: maxHeaderSize = headersUsualMaxBytes } = options;
  const limitsOfConnections = { max: connectionsMax, ...options.connections };
  let isDraining = false;
  const bodies = slowBodies({
    timeoutMs: bodyTimeoutMs,
    everyMs: limits.connectionsCheckingInterval,
    mayTakeLong,
    onLate: refuseLate,
  });
  const server = createServer({ ...limits, maxHeaderSize, ...(app && expressMessages(app)) }, (request, response) => {
    connections.watch(request, response);
    if (isDraining) response.setHeader('Connection', 'close');
    if (isAfterRefused(request)) return;
    if (!namesHost(request)) return refuseEarly(request, response, { status: 400, refusal: 'invalid-fields.host' });
    bodies.watch(request, response);
    limitRest(request, response);
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

interface ReadinessCheck {
  readonly name: string;
  readonly isReady: () => boolean | Promise<boolean>;
}

interface OperationsOptions {
  readonly metrics: Metrics;
  readonly checks: readonly ReadinessCheck[];
  /** What else the app answers there. */
  readonly routes?: Router;
  /** Of the public server, if there is one. */
  readonly connections?: () => OpenConnections | undefined;
}

const passes = async ({ isReady }: ReadinessCheck): Promise<boolean> => {
  try {
    return await isReady();
  } catch {
    return false;
  }
};

/** `/health` (the process responds), `/ready` (it can serve; lists every check, and how many connections are open), `/metrics`. */
export const operationsApp = ({ metrics, checks, routes, connections }: OperationsOptions): Express => {
  const app = express().disable('x-powered-by');
  app.get('/health', (_request, response) => {
    response.json({ status: 'alive' });
  });
  app.get('/ready', async (_request, response) => {
    const results = await Promise.all(checks.map(async (check) => [check.name, await passes(check)] as const));
    const isReady = results.every(([, passed]) => passed);
    response
      .status(isReady ? 200 : 503)
      .json({ ready: isReady, checks: Object.fromEntries(results), connections: connections?.() });
  });
  app.get('/metrics', async (_request, response) => {
    response.set('Content-Type', metrics.contentType).send(await metrics.metrics());
  });
  if (routes) app.use(routes);
  // that of Express reads a body to its end before it responds
  app.use((_request, response) => {
    response.sendStatus(404);
  });
  return app;
};

interface ServedApp extends Omit<OperationsOptions, 'connections'> {
  readonly host: string;
  readonly operationsHost: string;
  readonly operationsPort: number;
  /** The public server of the app, if it has one. */
  readonly offered?: Pick<ServeOptions, 'port' | 'mayTakeLong' | 'headersMaxBytes'> & {
    readonly listener: Express;
    /** How many connections a network may have: see `ConnectionLimits`. Undefined: any number. */
    readonly perNetwork: number | undefined;
    /** If requests may be refused in an overload: see `takeTurns`. */
    readonly turns?: Turns;
  };
}

// longer than two checks of /ready by a load balancer that checks every half second
const drainMs = 1_500;

/**
 * Serves the operations port and the public server, which it measures. Disposing drains: `/ready` fails at once,
 * requests are served for a while, and the operations port closes last.
 */
export const serveApp = async ({
  host,
  operationsHost,
  operationsPort,
  offered,
  metrics,
  checks,
  routes,
}: ServedApp): Promise<AsyncDisposable> => {
  let isDraining = false;
  let publicServer: Served | undefined;
  const serving = { name: 'serving', isReady: () => !isDraining };
  await using servers = new AsyncDisposableStack();
  servers.use(
    await serve(
      operationsApp({
        metrics,
        checks: [serving, ...checks],
        ...(routes && { routes }),
        connections: () => publicServer?.connections(),
      }),
      {
        host: operationsHost,
        port: operationsPort,
      },
    ),
  );
  const onDraining = () => {
    isDraining = true;
  };
  if (offered) {
    const { listener: app, perNetwork, turns, ...offer } = offered;
    const { counter, gauge } = instruments(metrics);
    const closed = counter({
      name: 'leadback_http_connections_closed_total',
      help: 'Connections closed to make room for new ones: their network had too many, the process had too many, or they had sent nothing for two seconds',
      labels: { reason: closeReasons },
    });
    const dropped = counter({
      name: 'leadback_http_connections_dropped_total',
      help: 'Connections refused, because the process had as many as it takes',
    });
    gauge({
      name: 'leadback_http_connections',
      help: 'Open connections of the public server',
      refresh: (set) => set.set(publicServer?.connections().open ?? 0),
    });
    publicServer = await serve(requestMeter(metrics, turns ? takeTurns(app, turns) : app), {
      ...offer,
      host,
      drainMs,
      onDraining,
      express: app,
      connections: {
        ...(perNetwork !== undefined && { perNetwork }),
        onClosed: (reason) => closed.inc({ reason }),
        onDropped: () => dropped.inc(),
      },
    });
    servers.use(publicServer);
  }
  return servers.move();
};
