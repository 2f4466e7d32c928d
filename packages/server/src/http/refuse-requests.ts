import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RefusalName, refusalOf } from '@leadback/domain';
import { errorHeader, retryAfterSeconds, statusOfCode } from './errors.ts';
import { requestIdOf } from './request-log.ts';

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
