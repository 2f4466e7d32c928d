import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { freePort } from '@leadback/testing/stack';
import { describe, expect, it } from 'vitest';
import { serve } from '../../src/http/index.ts';

/** Returns the status and the Connection header of the response. */
const ask = (port: number, agent: Agent): Promise<{ status: number | undefined; connection: string | undefined }> =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent }, (response) => {
      response.resume();
      response.once('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }));
    }).once('error', reject);
  });

describe('a server', () => {
  it('goes on answering while it drains after it was asked to stop, closing each connection with its answer', async () => {
    const port = await freePort();
    const agent = new Agent({ keepAlive: true });
    let isDraining = false;
    const server = await serve((_request, response) => response.end('ok'), {
      host: '127.0.0.1',
      port,
      drainMs: 500,
      onDraining: () => {
        isDraining = true;
      },
    });
    expect(await ask(port, agent)).toEqual({ status: 200, connection: 'keep-alive' });
    const stopped = server[Symbol.asyncDispose]();
    expect(isDraining).toBe(true);
    expect(await ask(port, agent)).toEqual({ status: 200, connection: 'close' });
    await stopped;
    await expect(ask(port, agent)).rejects.toThrow('ECONNREFUSED');
  });

  it('finishes open requests when it stops', async () => {
    const port = await freePort();
    const arrived = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const server = await serve(
      (_request, response) => {
        arrived.resolve();
        void gate.promise.then(() => response.end('late'));
      },
      { host: '127.0.0.1', port },
    );
    const answer = ask(port, new Agent());
    await arrived.promise;
    const stopped = server[Symbol.asyncDispose]();
    gate.resolve();
    expect((await answer).status).toBe(200);
    await stopped;
  });

  it('responds on every connection that the kernel established before the server closes', async () => {
    const port = await freePort();
    const server = await serve((_request, response) => response.end('ok'), { host: '127.0.0.1', port });
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    const answers = Array.from({ length: 100 }, () => text(connect(port, '127.0.0.1').end(request)));
    await new Promise<void>((resolve) => process.nextTick(resolve)); // which connects
    const stopped = server[Symbol.asyncDispose]();
    // the end of the drain is due before the event loop accepts any of them
    for (const until = performance.now() + 20; performance.now() < until; );
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    await stopped;
  });

  it('closes a connection with the response to its ten-thousandth request', async () => {
    const port = await freePort();
    await using _server = await serve((_request, response) => response.end('ok'), { host: '127.0.0.1', port });
    const requests = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10_000);
    const answers = (await text(connect(port, '127.0.0.1').end(requests))).split(/(?=HTTP\/1\.1 200 OK)/);
    expect(answers).toHaveLength(10_000);
    expect(answers.flatMap((answer, index) => (/^connection: close/im.test(answer) ? [index] : []))).toEqual([9_999]);
  });

  it('says that a port is taken', async () => {
    const port = await freePort();
    await using _server = await serve((_request, response) => response.end(), { host: '127.0.0.1', port });
    await expect(serve((_request, response) => response.end(), { host: '127.0.0.1', port })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use`,
    );
  });

  it.each([
    ['garbage', 'no such thing\r\n\r\n', 400],
    ['headers beyond 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
  ])('answers %s with a message and the id of the request', async (_, sent, status) => {
    const port = await freePort();
    await using _server = await serve((_request, response) => response.end(), { host: '127.0.0.1', port });
    const answer = await text(connect(port, '127.0.0.1').end(sent));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r\n[^]*\r\n\r\n\{"message":".+"\}$/);
  });
});
