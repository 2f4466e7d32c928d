import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { givenServer } from '@leadback/testing';
import { freePort, localUrl } from '@leadback/testing/stack';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/app/index.ts';
import { operationsApp, serve, serveApp } from '../../src/http/index.ts';

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

it('serves the operations port on its own host, whatever the host of the app is', async () => {
  const [port, operationsPort] = [await freePort(), await freePort()];
  const listener = express();
  listener.get('/', (_request, response) => void response.end());
  await using _server = await serveApp({
    host: '0.0.0.0',
    operationsHost: '127.0.0.1',
    operationsPort,
    offered: { port, listener, perNetwork: undefined },
    metrics: createMetrics('test'),
    checks: [],
  });
  // Linux gives every address of 127.0.0.0/8 to the loopback interface
  const others = Object.values(networkInterfaces()).flatMap((found = []) =>
    found.flatMap(({ family, address, internal }) => (family === 'IPv4' && !internal ? [address] : [])),
  );
  for (const address of ['127.0.0.2', ...others]) {
    expect((await fetch(`http://${address}:${port}/`)).status).toBe(200);
    await expect(fetch(`http://${address}:${operationsPort}/health`)).rejects.toThrow('fetch failed');
  }
  expect((await fetch(`${localUrl(operationsPort)}/health`)).status).toBe(200);
});

it('tells how many connections are open at /ready and in metrics', async () => {
  const [port, operationsPort] = [await freePort(), await freePort()];
  const host = '127.0.0.1';
  await using _server = await serveApp({
    host,
    operationsHost: host,
    operationsPort,
    offered: { port, listener: express(), perNetwork: 5 },
    metrics: createMetrics('test'),
    checks: [],
  });
  const sockets = Array.from({ length: 8 }, () => connect(port, host).on('error', () => {}));
  const read = async (path: string) => (await fetch(`${localUrl(operationsPort)}${path}`)).text();
  await expect
    .poll(() => read('/metrics'))
    .toContain('leadback_http_connections_closed_total{reason="network",app="test"} 3');
  const metrics = await read('/metrics');
  expect(metrics).toContain('leadback_http_connections{app="test"} 5');
  expect(metrics).toContain('leadback_http_connections_dropped_total{app="test"} 0');
  expect(JSON.parse(await read('/ready'))).toMatchObject({ ready: true, connections: { open: 5, max: 10_000 } });
  for (const socket of sockets) socket.destroy();
});

const request = 'GET / HTTP/1.1\r\nHost: x\r\n';
const twoHundredRequests = `${`${request}\r\n`.repeat(199)}${request}Connection: close\r\n\r\n`;

it('refuses what it cannot handle soon, and measures all of it, if requests take turns', async () => {
  const [port, operationsPort] = [await freePort(), await freePort()];
  const listener = express();
  listener.get('/', (_request, response) => void response.end());
  let refused = 0;
  const host = '127.0.0.1';
  await using _server = await serveApp({
    host,
    operationsHost: host,
    operationsPort,
    offered: { port, listener, perNetwork: undefined, turns: { onOverloaded: () => (refused += 1) } },
    metrics: createMetrics('test'),
    checks: [],
  });
  const connections = Array.from({ length: 20 }, () => connect(port, host));
  await Promise.all(connections.map((connection) => once(connection, 'connect')));
  // 4,000 requests that arrive in a turn or two of the event loop, in which this process sends them
  for (const connection of connections) connection.write(twoHundredRequests);
  const received = (await Promise.all(connections.map((connection) => text(connection)))).join('');
  const countOf = (status: number) => received.split(`HTTP/1.1 ${status} `).length - 1;
  expect(countOf(503)).toBe(refused);
  expect(refused).toBeGreaterThan(0);
  expect(countOf(200)).toBe(4_000 - refused);
  const metrics = await (await fetch(`http://${host}:${operationsPort}/metrics`)).text();
  expect(metrics).toContain(
    `leadback_http_request_seconds_count{app="test",method="GET",route="none",status="503"} ${refused}`,
  );
});

const givenOperations = (isReady: () => boolean | Promise<boolean>) =>
  givenServer(operationsApp({ metrics: createMetrics('test'), checks: [{ name: 'database', isReady }] }));

describe('the operations port', () => {
  it('reports at /health and /ready that the process is alive and can serve', async () => {
    await using server = await givenOperations(() => true);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    const ready = await fetch(`${server.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, checks: { database: true } }]);
  });

  it.each([
    ['fails', () => false],
    ['throws', () => Promise.reject(new Error('unavailable'))],
  ])('reports a check that %s at /ready, while /health succeeds', async (_, isReady) => {
    await using server = await givenOperations(isReady);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    const ready = await fetch(`${server.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { ready: false, checks: { database: false } }]);
  });

  it('exports the metrics of the process at /metrics', async () => {
    await using server = await givenOperations(() => true);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('process_cpu_seconds_total{app="test"}');
  });
});
