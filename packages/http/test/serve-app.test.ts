import { networkInterfaces } from 'node:os';
import { createMetrics } from '@leadback/runtime';
import { freePort } from '@leadback/local-stack';
import express from 'express';
import { expect, it } from 'vitest';
import { serveApp } from '../src/index.ts';

it('serves the operations port on its own host, whatever the host of the app is', async () => {
  const [port, operationsPort] = [await freePort(), await freePort()];
  const listener = express();
  listener.get('/', (_request, response) => void response.end());
  await using _server = await serveApp({
    host: '0.0.0.0',
    operationsHost: '127.0.0.1',
    operationsPort,
    offered: { port, listener, perAddress: undefined },
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
  expect((await fetch(`http://127.0.0.1:${operationsPort}/health`)).status).toBe(200);
});
