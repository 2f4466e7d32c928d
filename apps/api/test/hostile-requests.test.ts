import { Conversion, PlatformConnection } from '@leadback/db';
import { givenAccount, givenApiKey, givenConnection, rawAnswer, shared, smugglingCorpus } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi, givenPartner, sale } from './given-api.ts';

const api = await shared(givenApi());

describe('a hostile partner of the API', () => {
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

const path = '/api/v1/client/conversion';
const hidden = JSON.stringify(sale);

const headersOf = (key: string) => [`x-api-key: ${key}`, 'Content-Type: application/json'];
const registering = (key: string) =>
  [`POST ${path} HTTP/1.1`, 'Host: x', ...headersOf(key), `Content-Length: ${hidden.length}`, '', hidden].join('\r\n');
const corpus = (key: string) => smugglingCorpus({ path, headers: headersOf(key), hidden: registering(key) });

describe('the API behind a proxy', async () => {
  const { key } = await givenPartner(api);

  it.each(corpus('').map(({ name }, index) => [name, index] as const))(
    'closes the connection after a request with %s, and does not run the request inside',
    async (_name, index) => {
      const answer = await rawAnswer(api.port, corpus(key)[index]?.wire ?? '');
      expect(answer.match(/^HTTP\/1\.1 \d{3}/gm)).toEqual(['HTTP/1.1 400']);
      expect(await api.database.em().count(Conversion)).toBe(0);
    },
  );

  // after the others: what they hide may run late
  it('runs the request that the others hide only if it is sent alone', async () => {
    const alone = registering(key).replace('Host: x', 'Host: x\r\nConnection: close');
    expect(await rawAnswer(api.port, alone)).toMatch(/^HTTP\/1\.1 201/);
    expect(await api.database.em().count(Conversion)).toBe(1);
  });
});
