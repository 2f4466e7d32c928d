import { once } from 'node:events';
import { createServer } from 'node:https';
import { expect, it, vi } from 'vitest';
import type { PlatformResponse } from '../src/index.ts';
import { brokenConnections, floodOf300Megabytes, foreignAnswers } from './network-troubles.ts';
import { respond, serveScripted } from './scripted-server.ts';
import { selfSigned } from './self-signed.ts';

/** Every network failure is temporary and uses limited time and memory. */
export const itHandlesNetworkFailures = (
  send: (url: string, requestTimeoutMs?: number) => Promise<PlatformResponse>,
): void => {
  it.each(foreignAnswers)('retries after %s', async (_name, script) => {
    await using server = await serveScripted();
    server.play(script);
    const answer = await send(server.url);
    expect(answer.outcome.kind).toBe('unavailable');
    expect(answer.body).not.toMatch(/\p{Cc}|\ud800/u);
  });

  it.each(brokenConnections)('retries after a connection that %s', async (_name, reason, script) => {
    await using server = await serveScripted();
    server.play(script);
    const timeoutMs = reason === 'ETIMEDOUT' ? 300 : undefined;
    const answer = await send(server.url, timeoutMs);
    expect(answer).toEqual({ outcome: { kind: 'unavailable', reason }, httpStatus: null, body: null });
  });

  it('retries if the connection is refused', async () => {
    const server = await serveScripted();
    await server[Symbol.asyncDispose]();
    expect(await send(server.url)).toMatchObject({ outcome: { kind: 'unavailable', reason: 'ECONNREFUSED' } });
  });

  it.each([301, 302, 303, 307, 308])('never follows a redirect (%i)', async (status) => {
    await using server = await serveScripted();
    await using elsewhere = await serveScripted();
    server.play(respond(status, '', { location: `${elsewhere.url}/collect` }));
    expect(await send(server.url)).toMatchObject({ outcome: { kind: 'unavailable' }, httpStatus: status });
    expect(elsewhere.arrived).toEqual([]);
  });

  it('does not read a response of 300 MB', async () => {
    await using server = await serveScripted();
    const { script, closedAfter } = floodOf300Megabytes();
    server.play(script);
    expect(await send(server.url)).toMatchObject({ outcome: { kind: 'unavailable', reason: 'ANSWER_TOO_LONG' } });
    expect(await closedAfter).toBeLessThan(30 * 1024 * 1024);
  });

  it('rejects a self-signed certificate, even if the environment disables the check', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    let requests = 0;
    const server = createServer(selfSigned, (_request, response) => {
      requests += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const answer = await send(`https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    expect(answer.outcome).toEqual({ kind: 'unavailable', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(requests).toBe(0);
    server.close();
    vi.unstubAllEnvs();
  });
};
