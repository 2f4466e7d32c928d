import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { platformSandbox } from '../src/index.ts';
import { z } from 'zod';

const server = platformSandbox().listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close());
const { port } = z.object({ port: z.number() }).parse(server.address());

/** What a browser sends, as `fetch` of Node.js does not let tests choose these headers. */
const statusOf = async (headers: Readonly<Record<string, string>>) => {
  const sent = request({ port, host: '127.0.0.1', path: '/behaviour', method: 'PUT', agent: false, headers });
  sent.end(JSON.stringify({ platform: 'meta', answer: 'ok' }));
  const [response]: IncomingMessage[] = await once(sent, 'response');
  response?.resume();
  return response?.statusCode;
};
const json = { 'content-type': 'application/json' };

describe('the sandbox', () => {
  it.each([
    { host: 'evil.example' },
    { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
    { host: 'localhost.evil.example' },
    { host: 'sandbox.evil.example:3003' },
    { host: '127.0.0.1.evil.example' },
    { host: `127.0.0.1:${port}`, origin: 'https://evil.example' },
    { host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port + 1}` },
    { host: `127.0.0.1:${port}`, origin: 'null' },
    { host: `127.0.0.1:${port}`, origin: '' },
    { host: '@evil.example' },
  ])('refuses what a page of another site sends: %o', async (headers) => {
    expect(await statusOf({ ...json, ...headers })).toBe(403);
  });

  it.each([
    { host: `127.0.0.1:${port}` },
    { host: 'localhost:3003' },
    { host: '[::1]:3003' },
    { host: 'sandbox:3003' },
    { host: 'localhost:3003', origin: 'http://localhost:3003' },
  ])('does what programs and its own page ask for: %o', async (headers) => {
    expect(await statusOf({ ...json, ...headers })).toBe(200);
  });
});
