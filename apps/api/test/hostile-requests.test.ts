import { PlatformConnection } from '@leadback/db';
import { givenAccount, givenApiKey, givenConnection, rawAnswer, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';

describe('a hostile partner of the API', async () => {
  const api = await shared(givenApi());

  it.each([
    ['DELETE', '', undefined],
    ['PATCH', '', { state: 'paused' }],
    ['PATCH', '', { url: 'https://hooks.example/' }],
    ['POST', '/secret', {}],
    ['POST', '/test', {}],
    ['GET', '/deliveries', undefined],
  ])('cannot reach a connection to a platform as a webhook: %s /webhook/{id}%s', async (method, rest, body) => {
    const em = api.database.em();
    const account = await givenAccount(em);
    const key = await givenApiKey(em, { account });
    const connection = await givenConnection(em, { account });
    const { status } = await api.send(method, `/api/v1/webhook/${connection.id}${rest}`, { key, body });
    expect(status).toBe(404);
    const { version, state, credentials } = connection;
    const now = await api.database.em().findOneOrFail(PlatformConnection, connection.id);
    expect(now).toMatchObject({ version, state, credentials: Buffer.from(credentials) });
  });

  it('may send a byte order mark before JSON, and marks of direction in a text', async () => {
    const key = await givenApiKey(api.database.em());
    const send = (mark: string) =>
      api.send('POST', '/api/v1/client', { key, body: `${mark}${JSON.stringify({ name: 'Ana\u200F' })}` });
    const read = { status: 400, body: { message: 'leadReference: expected a string' } };
    expect(await send('')).toMatchObject(read);
    expect(await send('\uFEFF')).toMatchObject(read);
  });

  it.each([
    ['CONNECT evil.example:443 HTTP/1.1', [], /^$/],
    ['TRACE /api/v1/ HTTP/1.1', ['x-secret: canary'], /^HTTP\/1\.1 (401|404|405) /],
    [
      'GET /openapi.json HTTP/1.1',
      ['Connection: close, Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'],
      /^HTTP\/1\.1 200 /,
    ],
    [
      'GET /openapi.json HTTP/1.1',
      [
        'Connection: close, Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ],
      /^HTTP\/1\.1 200 /,
    ],
    [
      'POST /api/v1/client HTTP/1.1',
      ['Expect: 200-maybe', 'Content-Length: 2', 'Connection: close'],
      /^HTTP\/1\.1 417 /,
    ],
  ])('gets no tunnel, echo or other protocol by %s with %j', async (line, headers, expected) => {
    const answer = await rawAnswer(
      api.port,
      [
        line,
        'Host: x',
        ...headers,
        ...(headers.some((one) => one.startsWith('Connection')) ? [] : ['Connection: close']),
        '',
        '',
      ].join('\r\n'),
    );
    expect(answer).toMatch(expected);
    expect(answer).not.toMatch(/canary|101 Switching/);
  });

  it.each(['/docs', '/openapi.json', '/docs/', '/nothing'])('finds no foreign host in %s', async (path) => {
    const answer = await rawAnswer(
      api.port,
      `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 [2-4]\d\d /);
    expect(answer).not.toContain('evil.example');
  });
});
