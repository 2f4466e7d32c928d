import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type Asked, hashedRequestNumber, requestNumber } from './load.ts';
import { startLoadGenerator } from './load-generator.ts';

const addressSchema = z.object({ port: z.number() });

const listening = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = addressSchema.parse(server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const load = (url: string, perSecond?: number) => {
  const body: Asked['body'] = [
    '{"n":',
    requestNumber,
    ',"hash":"',
    hashedRequestNumber,
    '","name":"',
    { next: ['a', 'b'] },
    '"}',
  ];
  const asked: Asked = { url, method: 'POST', headers: { 'x-own': 'yes' }, body, expected: 201 };
  return { asked, seconds: 0.3, warmUpSeconds: 0, connections: 3, ...(perSecond !== undefined && { perSecond }) };
};

const bodySchema = z.object({ n: z.int(), hash: z.string(), name: z.enum(['a', 'b']) });

it('sends each request once with a number of its own and counts the responses', async () => {
  const [received, hashes] = [new Array<number>(), new Set<string>()];
  await using server = await listening((request, response) => {
    void json(request).then((sent) => {
      const { n, hash } = bodySchema.parse(sent);
      received.push(n);
      hashes.add(hash);
      const status = request.headers['x-own'] === 'yes' ? 201 : 400;
      response.writeHead(status, { 'content-length': 100_000 }).end('x'.repeat(100_000));
    });
  });
  await using generator = startLoadGenerator();
  const rates = [await generator.run(load(server.url)), await generator.run(load(server.url, 20))];
  expect([new Set(received).size, hashes.size]).toEqual([received.length, received.length]);
  expect(rates.reduce((sum, { operations }) => sum + operations, 0)).toBe(received.length);
  expect(rates[1]?.responses.map(([number]) => number)).toEqual(received.slice(rates[0]?.operations));
});

it('fails if a response has another status than the expected one', async () => {
  await using server = await listening((_request, response) => {
    response.writeHead(500, { 'content-length': 6 }).end('broken');
  });
  await using generator = startLoadGenerator();
  await expect(generator.run(load(server.url))).rejects.toThrow('has ended');
});
