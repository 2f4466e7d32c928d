import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { serveSandbox } from './serve-sandbox.ts';

interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
}

const addressSchema = z.object({ port: z.number() });
const deliverySchema = z.object({
  id: z.number(),
  topic: z.string(),
  state: z.string(),
  attempts: z.array(z.looseObject({ status: z.number().optional(), error: z.string().optional() })),
});

/** Waits until a check holds: what is sent and retried has its own time. */
export const soon = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 120_000, interval: 20 });

/** The other side: takes what a shop sends, and responds with the statuses it is given, then with 200. */
const serveReceiver = async () => {
  const received: Received[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    buffer(request).then(
      (raw) => {
        const url = new URL(request.url ?? '', 'http://receiver');
        received.push({ method: request.method ?? '', url, headers: request.headers, raw });
        response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' }).end('{"ok":true}');
      },
      () => response.destroy(), // half of a body
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${addressSchema.parse(server.address()).port}/source/opaque`,
    received,
    statuses,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** A simulated shop that is connected to a receiver. */
export const givenShop = async (kind: string, settings: object = {}) => {
  const sandbox = await serveSandbox();
  const receiver = await serveReceiver();
  const at = (path: string) => `/shops/${kind}${path}`;
  const connected = await sandbox.request('PUT', at(''), { url: receiver.url, minuteMs: 0.1, ...settings });
  expect(connected).toMatchObject({ status: 200 });
  // what it sends when it is connected
  receiver.received.length = 0;
  await sandbox.request('PUT', at('/behaviour'), {});

  const deliveries = async () => z.array(deliverySchema).parse((await sandbox.request('GET', at('/deliveries'))).body);
  return {
    sandbox,
    ...receiver,
    put: (path: string, body: object) => sandbox.request('PUT', at(path), body),
    post: (path: string, body: object = {}) => sandbox.request('POST', at(path), body),
    get: (path: string, headers: Record<string, string> = {}) => sandbox.request('GET', path, undefined, headers),
    behave: (behaviour: object) => sandbox.request('PUT', at('/behaviour'), behaviour),
    /** Makes an order, and returns what the shop says of it. */
    order: async (order: object = {}) => {
      const made = await sandbox.request('POST', at('/orders'), { amount: '15400.50', currency: 'ARS', ...order });
      expect(made).toMatchObject({ status: 201 });
      return z.looseObject({ id: z.string() }).parse(made.body);
    },
    /** Newest first. */
    deliveries,
    /** Everything that was sent, once nothing waits any more. */
    settled: async (): Promise<readonly Received[]> => {
      await soon(async () => {
        const states = (await deliveries()).map(({ state }) => state);
        expect(states).not.toContain('waiting');
      });
      return receiver.received;
    },
    [Symbol.asyncDispose]: async () => {
      await sandbox[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
};

/** The body as JSON. */
export const jsonOf = ({ raw }: Pick<Received, 'raw'>): unknown => JSON.parse(raw.toString());

export const reference = '6f0QmXz81LbT9cVw2RkP4a';
export const landingUrl = `https://mate.example/p/mate?serviceId=${reference}&utm_source=google&gclid=Cj0abc`;
