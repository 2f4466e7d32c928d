import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createRequest } from '../src/exchange.ts';

const urlOf = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
};

it('an idle connection is closed before the server closes it, so that no request crosses its end', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('keep-alive', 'timeout=2').setHeader('connection', 'keep-alive').end('{}');
  });
  server.keepAliveTimeout = 0; // never
  const url = await urlOf(server);
  let connections = 0;
  let closed = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.once('close', () => (closed += 1));
  });
  const request = createRequest();
  expect((await request('GET', { url, timeoutMs: 60_000 })).kind).toBe('answered');
  await expect.poll(() => closed).toBe(1);
  expect((await request('GET', { url, timeoutMs: 60_000 })).kind).toBe('answered');
  expect(connections).toBe(2);
  server.close();
  server.closeAllConnections();
});

it('a request ends with its response, even if that came before all was sent, and its time limit aborts nothing later', async () => {
  const server = createServer((request, response) => {
    response.end('{}');
    request.resume();
  });
  const url = await urlOf(server);
  const request = createRequest();
  const timeoutMs = 4_000; // far more than the requests take
  const signal = AbortSignal.timeout(timeoutMs);
  const uncaught: unknown[] = [];
  const hear = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', hear);

  const json = { long: 'x'.repeat(200_000) };
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => request('POST', { url, json, signal, timeoutMs })),
  );
  if (!signal.aborted) await once(signal, 'abort');
  await pause(100); // what listens to the signal has been told
  process.off('uncaughtException', hear);
  server.closeAllConnections();
  server.close();
  expect(new Set(replies.map(({ kind }) => kind))).toEqual(new Set(['answered']));
  expect(uncaught).toEqual([]);
});
