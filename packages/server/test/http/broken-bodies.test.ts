import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Refusal } from '@leadback/domain';
import { givenServer } from '@leadback/testing';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { expect, it } from 'vitest';
import { csvBody, imageBody, jsonBody } from '../../src/http/bodies.ts';

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
