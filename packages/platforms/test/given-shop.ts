import { once } from 'node:events';
import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:https';
import { vi } from 'vitest';
import { type WebhookTuning, webhookDestination } from '../src/webhook/index.ts';
import { shopCertificate } from './shop-certificate.ts';

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const message = {
  kind: 'webhook',
  eventId: 'evt_1',
  type: 'delivery.delivered',
  occurredAt: new Date('2026-11-22T12:00:00.000Z'),
  data: { deliveryId: 1 },
} as const;

export const addressOf = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });

/** A shop that receives webhooks by https, on this machine, under the name shop.example. */
export const givenShop = async (answer: { readonly status: number; readonly body?: string } = { status: 200 }) => {
  const bodies: string[] = [];
  const sockets = new Set<unknown>();
  const server = createServer(shopCertificate, (request, response) => {
    sockets.add(request.socket);
    request.setEncoding('utf8').on('data', (body: string) => void bodies.push(body));
    request.on('end', () => response.writeHead(answer.status).end(answer.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const resolve = vi.fn<(host: string) => Promise<readonly LookupAddress[]>>(() =>
    Promise.resolve([addressOf('127.0.0.1')]),
  );

  const send = (url = `https://shop.example:${port}/leadback`, tuning: WebhookTuning = {}) => {
    const { cert: certificateAuthority } = shopCertificate;
    const shop = webhookDestination({ allowLoopback: true, ports: [port], certificateAuthority, resolve, ...tuning });
    const access = shop.access({ url }, { secret }, 'live');
    const prepared = access.prepare(message, message.occurredAt.getTime());
    if (prepared.kind !== 'event') throw new Error('expected an event');
    return access.send([prepared.event]);
  };
  return {
    port,
    send,
    resolve,
    bodies,
    sockets,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
