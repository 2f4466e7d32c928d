import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { givenAccount, givenApiKey, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';

describe('the order of checks', async () => {
  const api = await shared(givenApi());
  const key = await givenApiKey(api.database.em());

  const tooLarge = { text: 'x'.repeat(70_000) };
  const plain = { 'content-type': 'text/plain' };
  const post = (body: unknown, headers: Record<string, string> = {}, path = '/api/v1/client') =>
    api.send('POST', path, { key, body, headers });

  it('checks the API key before the path, the method, the media type and the body', async () => {
    const wrong = 'lb_wrong';
    const replies = [
      await api.send('POST', '/api/v1/nothing', { key: wrong, body: tooLarge, headers: plain }),
      await api.send('DELETE', '/api/v1/client', { key: wrong }),
      await api.send('POST', '/api/v1/client', { key: wrong, body: tooLarge }),
      await api.send('POST', '/api/v1/client', { body: '{' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  it('checks the account right after the API key', async () => {
    const account = await givenAccount(api.database.em(), { status: 'suspended' });
    const suspended = await givenApiKey(api.database.em(), { account });
    expect((await api.send('POST', '/api/v1/nothing', { key: suspended, body: '{' })).status).toBe(403);
  });

  it('checks the path before the method, and both before the body', async () => {
    expect((await post('{', plain, '/api/v1/nothing')).status).toBe(404);
    expect((await api.send('PATCH', '/api/v1/client', { key, body: '{', headers: plain })).status).toBe(405);
  });

  it('checks the media type before the size, the size before the JSON, and the JSON before the rules', async () => {
    expect((await post(tooLarge, plain)).status).toBe(415);
    expect((await post(`{${'x'.repeat(70_000)}`)).status).toBe(413);
    expect((await post('{')).body).toEqual({ message: 'body: expected valid JSON' });
    expect((await post({ leadReference: 'x', name: 7 })).status).toBe(400);
    expect((await post({ leadReference: 'x' })).status).toBe(404);
  });

  it.each([
    ['an empty body', '', 'application/json', 400, 'body: expected valid JSON'],
    ['a compressed body', '{}', 'application/json', 415, 'Content-Encoding: send the body uncompressed'],
    ['a form', 'leadReference=x', 'application/x-www-form-urlencoded', 415, 'Content-Type: expected application/json'],
    ['another charset', '{}', 'application/json; charset=iso-8859-1', 415, 'Content-Type: expected charset utf-8'],
  ])('refuses a request with %s', async (what, body, type, status, message) => {
    const encoding = what === 'a compressed body' ? { 'content-encoding': 'gzip' } : {};
    const headers = { 'content-type': type, ...encoding };
    const reply = await api.send('POST', '/api/v1/client', { key, headers, body });
    expect([reply.status, reply.body]).toEqual([status, { message }]);
  });

  it.each(['application/json', 'application/json; charset=utf-8'])(
    'refuses a request with the Content-Type %s and neither Content-Length nor Transfer-Encoding with 415',
    async (type) => {
      const socket = connect(api.port, '127.0.0.1');
      const head = ['POST /api/v1/client HTTP/1.1', 'Host: x', 'Connection: close', `x-api-key: ${key}`];
      socket.write([...head, `Content-Type: ${type}`, '', ''].join('\r\n'));
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 415 /);
    },
  );

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"'])(
    'accepts the Content-Type %s',
    async (type) => {
      expect((await post({ leadReference: 'x' }, { 'content-type': type })).status).toBe(404);
    },
  );

  it.each(['/api/v1/nothing', '/api/v1//client', '/api/v1/Client', '/api/v2/', '/', '/docs/nothing'])(
    'answers 404 with a message to the path %s',
    async (path) => {
      const reply = await api.send('GET', path, { key });
      expect([reply.status, reply.body]).toEqual([404, { message: expect.stringMatching(/^no such path; .+/) }]);
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('answers HEAD like GET without a body, and OPTIONS with the allowed methods', async () => {
    const head = await api.send('HEAD', '/api/v1/', { key });
    expect([head.status, head.body]).toEqual([200, undefined]);
    const options = await api.send('OPTIONS', '/api/v1/client/conversion', { key });
    expect([options.status, options.headers.get('allow')]).toEqual([405, 'POST, GET, HEAD']);
  });
});
