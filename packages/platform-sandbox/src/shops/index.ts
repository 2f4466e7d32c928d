import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import express, { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { mercadoPagoPayment, shopMessages, type ShopOrder, tiendanubeOrder } from './messages.ts';

const shopSchema = z.object({
  url: z.url(),
  secret: z.string().optional(),
  store: z.string().optional(),
  shop: z.string().optional(),
});
const shopsSchema = z.record(z.string(), shopSchema);

const orderSchema = z.object({
  id: z.union([z.string().regex(/^[\w-]{1,64}$/), z.int()]).optional(),
  landingUrl: z.url().optional(),
  leadReference: z.string().optional(),
  amount: z.number().min(0),
  currency: z.string().length(3),
  email: z.string().default('ana@example.com'),
});
const refundSchema = z.object({ amount: z.number().positive().optional() });

const read = <Schema extends z.ZodType>(schema: Schema, { body }: Request, response: Response) => {
  const { data, error } = schema.safeParse(body ?? {});
  if (error) response.status(400).json({ message: z.prettifyError(error) });
  return data;
};

interface ShopsOptions {
  /** The file that says where each kind of shop sends to. It is read for every order. */
  readonly file: string | undefined;
}

/**
 * Stand-ins for shops, one of each kind: they place orders, send what the real ones would send, and answer what their APIs
 * would answer. Orders are in memory.
 */
export const shopsRouter = ({ file }: ShopsOptions): Router => {
  const orders = new Map<string, ShopOrder>();

  const connected = async (kind: string) => {
    if (file === undefined || !Object.hasOwn(shopMessages, kind)) return undefined;
    return shopsSchema.parse(JSON.parse(await readFile(file, 'utf8')))[kind];
  };

  /** Sends what the shop would send, and says how it was answered. */
  const tell = async (kind: string, order: ShopOrder, status: number, response: Response): Promise<void> => {
    const shop = await connected(kind);
    const messages = shop && shopMessages[kind]?.(order, shop);
    if (!messages) {
      response.status(404).json({ message: `no source is connected to a shop of the kind ${kind}` });
      return;
    }
    orders.set(`${kind} ${order.id}`, order);
    const statuses: number[] = [];
    for (const { url, ...message } of messages) statuses.push((await fetch(url, message)).status);
    response.status(status).json({ id: order.id, statuses });
  };

  return Router()
    .post('/shops/:kind/orders', express.json(), async (request, response) => {
      const wanted = read(orderSchema, request, response);
      if (!wanted) return;
      const { id = randomInt(1e9, 1e12), landingUrl, leadReference, ...sold } = wanted;
      const now = new Date();
      const order = { ...sold, id: String(id), landingUrl, leadReference, paidAt: now, changedAt: now, refunds: [] };
      await tell(request.params.kind, order, 201, response);
    })
    .post('/shops/:kind/orders/:id/refund', express.json(), async (request, response) => {
      const wanted = read(refundSchema, request, response);
      if (!wanted) return;
      const { kind, id } = request.params;
      const order = orders.get(`${kind} ${id}`);
      if (!order) {
        response.status(404).json({ message: 'this shop has no such order' });
        return;
      }
      const left = order.amount - order.refunds.reduce((sum, amount) => sum + amount, 0);
      const refunds = [...order.refunds, Math.min(wanted.amount ?? left, left)];
      // some shops write times in seconds
      const changedAt = new Date(Math.max(Date.now(), order.changedAt.getTime() + 1_000));
      await tell(kind, { ...order, refunds, changedAt }, 200, response);
    })
    .get('/shops/tiendanube/v1/:store/orders', (request, response) => {
      const asked = z.object({ updated_at_min: z.string(), page: z.string() }).safeParse(request.query);
      const since = Date.parse(asked.data?.updated_at_min ?? '');
      const changed = [...orders].filter(
        ([key, { changedAt }]) => key.startsWith('tiendanube ') && changedAt.getTime() >= since,
      );
      if (asked.data?.page === '1')
        response.json(changed.map(([, order]) => tiendanubeOrder(order, request.params.store)));
      else response.status(404).json({ code: 404, message: 'Not Found', description: 'Last page is 1' });
    })
    .get('/shops/tiendanube/v1/:store/orders/:id', (request, response) => {
      const { store, id } = request.params;
      const order = orders.get(`tiendanube ${id}`);
      if (order) response.json(tiendanubeOrder(order, store));
      else response.status(404).json({ code: 404, message: 'Not Found', description: 'Order not found' });
    })
    .get('/shops/mercadopago/v1/payments/:id', (request, response) => {
      const order = orders.get(`mercadopago ${request.params.id}`);
      if (order) response.json(mercadoPagoPayment(order));
      else response.status(404).json({ message: 'Payment not found', error: 'not_found', status: 404 });
    });
};
