import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RefusalCode, Refusal, type RefusalName, refusalOf } from '@leadback/domain';
import type { ErrorRequestHandler, Response, Express } from 'express';
import { requestIdOf } from './request-log.ts';

/** The compiler requires a status for each new code. */
export const statusOfCode: Record<RefusalCode, number> = {
  'key-missing': 401,
  'key-invalid': 401,
  'key-expired': 401,
  'account-suspended': 403,
  'scope-missing': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'unsupported-media-type': 415,
  'body-too-large': 413,
  'invalid-json': 400,
  'invalid-fields': 400,
  'lead-unknown': 404,
  'lead-pending': 503,
  suppressed: 400,
  'client-unknown': 404,
  'conversion-repeated': 400,
  'conversion-unknown': 404,
  'adjustment-repeated': 400,
  'idempotency-key-reused': 422,
  'idempotency-in-progress': 409,
  'rate-limited': 429,
  overloaded: 503,
  unavailable: 503,
  internal: 500,
};

export const errorHeader = 'Leadback-Error';
export const repeatedConversionHeader = 'Leadback-Conversion-Id';
export const repeatedFieldHeader = 'Leadback-Repeated-Field';

/** Of a 503, and of a 429 that says nothing else. */
const retryAfterSeconds = 5;

/** The refusal that an error means; undefined if the error is unexpected. */
const refusalOfError = (error: unknown): Refusal | undefined => {
  if (error instanceof Refusal) return error;
  return error instanceof URIError ? new Refusal('invalid-fields.path') : undefined;
};

/** Sends the body `{message}` and the code in `Leadback-Error`. A 429 and a 503 have `Retry-After`. */
const send = (response: Response, { code, message, conversionId, repeatedField }: Refusal): void => {
  const status = statusOfCode[code];
  if (status === 503 || (status === 429 && !response.hasHeader('Retry-After')))
    response.set('Retry-After', String(retryAfterSeconds));
  if (conversionId !== undefined) response.set(repeatedConversionHeader, String(conversionId));
  if (repeatedField !== undefined) response.set(repeatedFieldHeader, repeatedField);
  response.status(status).set(errorHeader, code).json({ message });
};

interface ErrorResponderOptions {
  /** Whether the error means that a dependency is temporarily unavailable. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** A request was refused because too many wait. */
  readonly onOverloaded?: () => void;
}

/** The last handler of an app: turns errors into `{message}` and logs unexpected ones. */
export const errorResponder =
  ({ isUnavailable, onOverloaded }: ErrorResponderOptions): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const refusal = refusalOfError(error);
    if (refusal?.code === 'overloaded') onOverloaded?.();
    if (refusal) return send(response, refusal);
    if (isUnavailable(error)) {
      request.log().warn({ err: error }, 'dependency unavailable');
      return send(response, new Refusal('unavailable'));
    }
    request.log().error({ err: error }, 'request failed');
    send(response, new Refusal('internal'));
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

const replyOf = (refusal: RefusalName) => {
  const { code, message } = refusalOf(refusal);
  const body = JSON.stringify({ message });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    [errorHeader]: code,
  };
  return { headers, body };
};

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
export const refuseEarly = ({ socket }: IncomingMessage, response: ServerResponse, problem: Unreadable): void => {
  refusedSockets.add(socket);
  const { headers, body } = lastReplyOf(problem);
  response.writeHead(problem.status, headers).end(body);
};

/** Whether a request must not run: it follows one that was refused, and the two may be one of a proxy in front. */
export const isAfterRefused = ({ socket }: IncomingMessage): boolean => refusedSockets.has(socket);

/** Whether a request names its host once. Node.js would take the first of two. RFC 9112, 3.2. */
export const namesHost = ({ httpVersion, rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
};

const overloaded = replyOf('overloaded');

/** Refuses a request before it reaches the app, which would do it likewise. */
export const refuseOverloaded = (request: IncomingMessage, response: ServerResponse): void => {
  response
    .writeHead(statusOfCode.overloaded, {
      ...overloaded.headers,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Retry-After': retryAfterSeconds,
      'x-request-id': requestIdOf(request),
    })
    .end(overloaded.body);
};
