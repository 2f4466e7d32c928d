import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createRequest } from '../src/request.ts';

it('a request ends with its response, even if that came before all was sent, and its time limit aborts nothing later', async () => {
  const server = createServer((request, response) => {
    response.end('{}');
    request.resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
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
