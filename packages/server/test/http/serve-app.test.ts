import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { createMetrics } from '../../src/app/index.ts';
import { freePort, localUrl } from '@leadback/testing/stack';
import express from 'express';
import { expect, it } from 'vitest';
import { serveApp } from '../../src/http/index.ts';

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
