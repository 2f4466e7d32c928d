import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { givenAccount, givenApiKey, givenClient, waitMaxMs } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenApi, type TestApi } from './given-api.ts';

const callers = 1_000;
const order = { amount: 1, currency: 'USD', clientExternalReference: 'C1' };

const head = (key: string, length: number) =>
  `POST /api/v1/client HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n`;

describe.concurrent('a caller that is slow or sends too much', () => {
  let api: TestApi;
  let key: string;
  beforeAll(async () => {
    api = await givenApi();
    const em = api.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    key = await givenApiKey(em, { account });
  });
  afterAll(() => api[Symbol.asyncDispose]());

  /** Sends the start of a request, then a byte twice a second. */
  const drip = (start: string): Socket => {
    const socket = connect(api.port, '127.0.0.1').on('error', () => {});
    socket.write(start);
    const timer = setInterval(() => socket.write('x'), 500);
    for (const ending of ['end', 'close']) socket.once(ending, () => clearInterval(timer));
    return socket;
  };

  const register = () =>
    api.send('POST', '/api/v1/client/conversion', { key, body: order, signal: AbortSignal.timeout(waitMaxMs) });

  it.each([
    ['headers', () => `${head(key, 10)}x-slow: `],
    ['bodies', () => `${head(key, 60_000)}\r\n{`],
  ])('disconnects callers whose %s never end with 408, while others are served', async (_, start) => {
    const answers = Array.from({ length: callers }, () => text(drip(start())));
    const served = await Promise.all(Array.from({ length: 200 }, register));
    expect(new Set(served.map(({ status }) => status))).toEqual(new Set([201]));
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*\r\n\r\n\{"message":"the request took too long to arrive"\}$/);
    }
  });

  it('disconnects a caller that never reads responses, while others are served', async () => {
    // more responses than all buffers hold
    const socket = drip('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10_000));
    const cutOff = new Promise((resolve) => {
      socket.once('error', resolve);
    });
    expect((await register()).status).toBe(201);
    expect(await cutOff).toMatchObject({ code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/) });
  });

  it('answers 413 to a body of more than 64 KiB before it is sent completely', async () => {
    const sockets = Array.from({ length: callers }, () => {
      const socket = connect(api.port, '127.0.0.1').on('error', () => {});
      socket.write(`${head(key, 1_000_000_000)}connection: close\r\n\r\n{`);
      return socket;
    });
    const answers = await Promise.all(
      sockets.map(async (socket) => {
        const answer = await new Promise<string>((resolve) => {
          socket.once('data', (data) => resolve(data.toString()));
        });
        socket.destroy();
        return answer;
      }),
    );
    for (const answer of answers)
      expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*\{"message":"body: larger than 64 KiB"\}$/);
    expect((await register()).status).toBe(201);
  });
});
