import { gzipSync } from 'node:zlib';
import { respond, type Script } from './scripted-server.ts';

const megabyte = 1024 * 1024;
const html = '<!doctype html><title>Bad gateway</title><h1>502</h1>';

const json = { 'content-type': 'application/json' };

/** Responses that no platform sends, but a proxy may: each is a temporary failure. */
export const foreignAnswers: readonly (readonly [string, Script])[] = [
  ['HTML with HTTP 200', respond(200, html, { 'content-type': 'text/html' })],
  ['HTML with HTTP 400', respond(400, html)],
  ['HTML with HTTP 403', respond(403, html)],
  ['HTML with HTTP 502', respond(502, html)],
  ['HTML that says it is JSON', respond(200, html, json)],
  ['nothing', respond(200, '')],
  ['HTTP 204', respond(204, '')],
  ['half of its JSON', respond(200, '{"events_received":1,"requestId":"r', json)],
  ['JSON of another service', respond(404, { message: 'no such route' })],
  ['JSON of another shape', respond(200, [null])],
  ['JSON of endless depth', respond(200, '['.repeat(100_000) + ']'.repeat(100_000))],
  ['NUL and half surrogates', respond(500, '{"error":"\\u0000\\ud800"}')],
];

/** Compressed once for all platforms of a process. */
let bomb: Buffer | undefined;

/** Broken connections, each with the code that is stored for it. */
export const brokenConnections: readonly (readonly [string, string, Script])[] = [
  ['is reset', 'ECONNRESET', (response) => void response.socket?.resetAndDestroy()],
  ['is closed without a response', 'ECONNRESET', (response) => void response.socket?.end()],
  [
    'is closed in the middle of the response',
    'ERR_HTTP_CONTENT_LENGTH_MISMATCH',
    (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"events_received":1', () => response.socket?.end());
    },
  ],
  ['does not use HTTP', 'HPE_INVALID_CONSTANT', (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n')],
  ['sends 200 kB of headers', 'HPE_HEADER_OVERFLOW', respond(200, '{}', { 'x-long': 'x'.repeat(200_000) })],
  ['sends invalid gzip', 'ERR_READING_RESPONSE_STREAM', respond(200, 'not gzip', { 'content-encoding': 'gzip' })],
  [
    'sends a gzip bomb',
    'ANSWER_TOO_LONG',
    (response) => {
      bomb ??= gzipSync(Buffer.alloc(100 * megabyte));
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    },
  ],
  ['is silent', 'ETIMEDOUT', () => {}],
  [
    'sends the response a byte at a time',
    'ETIMEDOUT',
    (response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    },
  ],
];

/** Sends 300 MB; `closedAfter` resolves with the bytes sent when the connection closes. */
export const floodOf300Megabytes = () => {
  const { promise: closedAfter, resolve } = Promise.withResolvers<number>();
  const script: Script = (response) => {
    const { socket } = response;
    response.writeHead(200).on('close', () => resolve(socket?.bytesWritten ?? 0));
    const chunk = Buffer.alloc(megabyte, ' ');
    let left = 300;
    const pour = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        if (!response.write(chunk)) return response.once('drain', pour);
      }
      return response.end();
    };
    pour();
  };
  return { script, closedAfter };
};
