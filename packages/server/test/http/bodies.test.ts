import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Refusal } from '@leadback/domain';
import { givenServer } from '@leadback/testing';
import { freePort } from '@leadback/testing/stack';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { csvBody, imageBody, jsonBody } from '../../src/http/bodies.ts';
import { formFields, serve } from '../../src/http/index.ts';

const readers = [
  ['application/json', jsonBody],
  ['image/png', imageBody],
  ['text/csv', csvBody],
] as const;

const readParts: RequestHandler = async ({ body }: { body: unknown }, _response, next) => {
  const parts: AsyncIterable<unknown> = Object(body);
  if (Symbol.asyncIterator in parts) for await (const _ of parts);
  next();
};

it.each(
  readers.flatMap(([type, reader]) => [
    { type, reader, when: 'while its body is read', reads: undefined },
    { type, reader, when: 'before its body is read', reads: 'close' },
  ]),
)(
  'takes a caller that sends $type and breaks off $when for one with an incomplete body',
  async ({ type, reader, reads }) => {
    const arrived = Promise.withResolvers<void>();
    const failed = Promise.withResolvers<unknown>();
    const app = express();
    app.use(async (request, _response, next) => {
      arrived.resolve();
      if (reads) await once(request, reads).catch(() => {});
      next();
    });
    app.post('/', ...reader.handlers, readParts);
    const noteError: ErrorRequestHandler = (error: unknown, _request, _response, _next) => failed.resolve(error);
    app.use(noteError);
    await using server = await givenServer(app);
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\ncontent-type: ${type}\r\ncontent-length: 10\r\n\r\n{`);
    await arrived.promise;
    socket.destroy();
    const error = await failed.promise;
    expect(error instanceof Refusal && error.message).toBe(new Refusal('invalid-json.incomplete').message);
  },
);

it('answers a request with two transfer codings once, and takes none of its body for another request', async () => {
  const app = express();
  app.use(...jsonBody.handlers, (_request, response) => {
    response.sendStatus(204);
  });
  await using server = await givenServer(app);
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
  socket.end(
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\nTransfer-Encoding: chunked\r\n\r\n` +
      `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
  );
  expect((await text(socket)).match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
});

const mebibyte = Buffer.alloc(2 ** 20, 'x');
const hugeParts = 64;

const withLength = { header: `Content-Length: ${hugeParts * mebibyte.length}`, parts: [mebibyte] };
const chunked = {
  header: 'Transfer-Encoding: chunked',
  parts: [`${mebibyte.length.toString(16)}\r\n`, mebibyte, '\r\n'],
};

const app = express();
app.post('/json', ...jsonBody.handlers);
app.post('/form', async (request, response) => {
  await formFields(request, 1024).catch(() => response.sendStatus(413));
});
app.use((_request, response) => {
  response.sendStatus(404);
});
const refused: express.ErrorRequestHandler = (_error: unknown, _request, response, _next) => {
  response.status(413).json({ message: 'refused' });
};
app.use(refused);

const givenListening = async (listener: RequestListener = app) => {
  const port = await freePort();
  const sockets: Socket[] = [];
  const server = await serve(
    (request, response) => {
      sockets.push(request.socket);
      listener(request, response);
    },
    { host: '127.0.0.1', port },
  );
  return {
    port,
    bytesRead: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};

const head = (path: string, header: string, type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${header}\r\n\r\n`;

/** Sends as fast as the server reads until it closes the connection, and returns what it has sent. */
const flood = async (port: number, start: string, parts: readonly (string | Buffer)[]): Promise<string> => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const answer: Buffer[] = [];
  socket.on('data', (part: Buffer) => answer.push(part));
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  socket.write(start);
  for (let sent = 0; sent < hugeParts && socket.writable; sent += 1) {
    for (const part of parts) {
      if (socket.writable && !socket.write(part))
        await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
    }
  }
  socket.end();
  await closed;
  return Buffer.concat(answer).toString();
};

describe('a body that nobody needs', () => {
  it.each([
    { path: '/nothing', status: 404, type: 'application/json', ...withLength },
    { path: '/nothing', status: 404, type: 'application/json', ...chunked },
    { path: '/nothing', status: 404, type: 'text/csv', ...withLength },
    { path: '/json', status: 413, type: 'application/json', ...withLength },
    { path: '/json', status: 413, type: 'application/json', ...chunked },
    { path: '/json', status: 413, type: 'text/csv', ...withLength },
    { path: '/form', status: 413, type: 'application/x-www-form-urlencoded', ...withLength },
    { path: '/form', status: 413, type: 'application/x-www-form-urlencoded', ...chunked },
  ])('is read no further than a few MiB if $type to $path goes on after $status ($header)', async (given) => {
    await using server = await givenListening();
    const answer = await flood(server.port, head(given.path, given.header, given.type), given.parts);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${given.status} `));
    expect(server.bytesRead()).toBeLessThan(4 * 2 ** 20);
  });

  const small = Buffer.alloc(900 * 1024, 'x');
  it.each([
    { path: '/nothing', status: 404, sent: [small], header: `Content-Length: ${small.length}` },
    { path: '/json', status: 413, sent: [small], header: `Content-Length: ${small.length}` },
    {
      path: '/json',
      status: 413,
      sent: [`${small.length.toString(16)}\r\n`, small, '\r\n0\r\n\r\n'],
      header: 'Transfer-Encoding: chunked',
    },
  ])(
    'is read if it is small, so that a caller that sends it to its end gets $status from $path ($header)',
    async (given) => {
      await using server = await givenListening();
      const socket = connect(server.port, '127.0.0.1');
      socket.write(head(given.path, given.header));
      for (const part of given.sent) await new Promise((resolve) => socket.write(part, resolve));
      // the connection serves the next request, too
      socket.write('GET /next HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      expect((await text(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${given.status}`, 'HTTP/1.1 404']);
    },
  );
});
