import { setTimeout as wait } from 'node:timers/promises';
import express, { type ErrorRequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { mercadopago } from './mercadopago.ts';
import {
  majorUnits,
  minorUnits,
  type Order,
  type OrderInput,
  orderInputSchema,
  refundedOf,
  refundInputSchema,
  remainderOf,
  type Standing,
} from './order.ts';
import { postback } from './postback.ts';
import { createSender, sendingSchema } from './sending.ts';
import type { AsTold, Change, ShopKind, ShopSettings } from './shop.ts';
import { shopify } from './shopify.ts';
import { stripe } from './stripe.ts';
import { tiendanube } from './tiendanube.ts';
import { webhook } from './webhook.ts';
import { woocommerce } from './woocommerce.ts';

const behaviourSchema = sendingSchema.extend({
  /** How its API answers, if it has one, until so many requests were made. */
  api: z
    .strictObject({
      status: z.int().min(400).max(599).optional(),
      delayMs: z.int().min(0).max(600_000).default(0),
      times: z.int().min(1).optional(),
    })
    .optional(),
});
type Api = NonNullable<z.infer<typeof behaviourSchema>['api']>;

const refuse = (response: Response, status: number, message: string): void => {
  response.status(status).json({ message });
};

const paymentMs = 75_000;
const ordersMax = 20_000;

/** The standing that a word asks for; undefined if the shop does not know it. */
const standingOf = (word: string, words: Readonly<Record<string, Standing>>): Standing | undefined => {
  if (word === 'paid' || word === 'pending' || word === 'failed') return word;
  return words[word];
};

/** How an order is shown, whatever the shop is. */
const summaryOf = (order: Order) => ({
  id: order.id,
  status: order.standing,
  currency: order.currency,
  total: majorUnits(order.total, order.currency),
  refunded: majorUnits(refundedOf(order), order.currency),
});

const malformed: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (error instanceof z.ZodError) refuse(response, 400, z.prettifyError(error));
  else if (error instanceof SyntaxError) refuse(response, 400, 'the body is not JSON');
  else next(error);
};

/** One simulated shop: its orders, what it sends of them, and its API. */
const shopRouter = <Settings extends ShopSettings>(kind: ShopKind<Settings>, now: () => number): Router => {
  let settings: Settings | undefined;
  let api: Api | undefined;
  const orders = new Map<string, Order>();
  let number = 1_000;
  const sender = createSender(kind, () => settings, now);

  /** Keeps the order as it is now, and sends what the shop sends of it. */
  const tell = (change: Change, order: Order): void => {
    orders.set(order.id, order);
    if (settings !== undefined) void sender.send(kind.tell(change, order, settings), order.id);
  };

  const newOrder = (input: OrderInput): Order => {
    const { amount, currency, status: word, isTest, ...rest } = input;
    number += 1;
    const createdAtMs = now() - paymentMs;
    return {
      ...rest,
      id: input.id ?? kind.newId({ isTest }),
      number,
      standing: 'pending',
      word,
      currency,
      total: minorUnits(amount, currency),
      refunds: [],
      isTest,
      createdAtMs,
      updatedAtMs: createdAtMs,
    };
  };

  /** Each change is later than the one before, also for shops that count in seconds. */
  const laterThan = ({ updatedAtMs }: Order): number => Math.max(now(), updatedAtMs + 1_000);

  const pay = (order: Order): Order => {
    const paidAtMs = laterThan(order);
    return { ...order, standing: 'paid', paidAtMs, updatedAtMs: paidAtMs };
  };

  /** The order that the path names; undefined if the response says that there is none. */
  const named = (id: string | undefined, response: Response): Order | undefined => {
    const order = orders.get(id ?? '');
    if (order === undefined) refuse(response, 404, 'this shop has no such order');
    return order;
  };

  const asTold: AsTold = (bodyOf) => async (_request, response, next) => {
    if (api === undefined) return next();
    const { status, delayMs, times } = api;
    if (times !== undefined) api = times === 1 ? undefined : { ...api, times: times - 1 };
    if (delayMs > 0) await wait(delayMs, undefined, { ref: false });
    if (status === undefined) return next();
    response
      .status(status)
      .set(status === 429 ? { 'retry-after': '1' } : {})
      .json(bodyOf(status));
  };

  const shown = () => ({ ...settings, switchedOff: sender.switchedOff() });

  const own = Router()
    .use(express.json())
    .put('/', async ({ body }, response) => {
      settings = kind.settings.parse(body);
      sender.switchOn();
      await sender.send(kind.greeting?.(settings) ?? []);
      response.json(shown());
    })
    .get('/', (_request, response) => {
      response.json(shown());
    })
    .delete('/', (_request, response) => {
      settings = undefined;
      api = undefined;
      orders.clear();
      sender.clear();
      response.status(204).end();
    })
    .put('/behaviour', ({ body }, response) => {
      const { api: ofApi, ...sending } = behaviourSchema.parse(body);
      if (kind.signing === undefined && sending.messages !== 'well') {
        return refuse(response, 400, `${kind.name} sends neither a signature nor a body`);
      }
      sender.behave(sending);
      api = ofApi;
      response.json({ ...sending, ...(ofApi && { api: ofApi }) });
    })
    .get('/deliveries', (_request, response) => {
      response.json(sender.newestFirst());
    })
    .post('/deliveries/release', async ({ body }, response) => {
      const { isNewestFirst } = z.strictObject({ isNewestFirst: z.boolean().default(false) }).parse(body ?? {});
      response.json({ released: await sender.release(isNewestFirst) });
    })
    .post('/deliveries/:id/again', async ({ params }, response) => {
      const delivery = await sender.again(Number(params.id));
      if (delivery === undefined) refuse(response, 404, 'this shop has sent no such message');
      else response.json(delivery);
    })
    .post('/orders', ({ body }, response) => {
      if (settings === undefined) {
        return refuse(response, 409, `first say where its messages go: PUT /shops/${kind.name} {"url": …}`);
      }
      const input = orderInputSchema.parse(body);
      const standing = standingOf(input.status ?? 'paid', kind.words);
      if (standing === undefined) {
        const words = ['paid', 'pending', 'failed', ...Object.keys(kind.words)].join(', ');
        return refuse(response, 400, `status: expected one of ${words}`);
      }
      if (input.isTest && !kind.marksTests) return refuse(response, 400, `${kind.name} marks no order as a test`);
      if (input.id !== undefined && orders.has(input.id))
        return refuse(response, 409, 'this shop has an order with this id');
      const created = newOrder(input);
      const [oldest] = orders.keys();
      if (orders.size >= ordersMax && oldest !== undefined) orders.delete(oldest);
      tell('created', created);
      if (standing === 'paid') tell('paid', pay(created));
      if (standing === 'failed') tell('failed', { ...created, standing, updatedAtMs: laterThan(created) });
      const order = orders.get(created.id) ?? created;
      response.status(201).json({ ...summaryOf(order), ...kind.namesOf?.(order) });
    })
    .post('/orders/:id/pay', ({ params }, response) => {
      const order = named(params.id, response);
      if (order === undefined) return;
      if (order.standing !== 'pending' && order.standing !== 'failed')
        return refuse(response, 409, 'the order waits for no payment');
      const paid = pay(order);
      tell('paid', paid);
      response.json(summaryOf(paid));
    })
    .post('/orders/:id/refund', ({ params, body }, response) => {
      const order = named(params.id, response);
      if (order === undefined) return;
      const { amount } = refundInputSchema.parse(body ?? {});
      const left = remainderOf(order);
      const refunded = amount === undefined ? left : minorUnits(amount, order.currency);
      if (order.paidAtMs === undefined) return refuse(response, 409, 'the order is not paid');
      if (refunded === 0 || refunded > left) {
        return refuse(
          response,
          409,
          `of the order, ${majorUnits(left, order.currency)} ${order.currency} can be refunded`,
        );
      }
      const atMs = laterThan(order);
      const changed = {
        ...order,
        updatedAtMs: atMs,
        refunds: [...order.refunds, { id: kind.newRefundId(), amount: refunded, atMs }],
      };
      tell('refunded', changed);
      response.json(summaryOf(changed));
    })
    .post('/orders/:id/cancel', ({ params }, response) => {
      const order = named(params.id, response);
      if (order === undefined) return;
      if (order.standing === 'cancelled') return refuse(response, 409, 'the order is cancelled already');
      if (order.paidAtMs !== undefined && kind.cannotCancelPaid) {
        return refuse(response, 409, `${kind.name} cancels nothing that is paid: refund it`);
      }
      const cancelledAtMs = laterThan(order);
      const changed: Order = { ...order, standing: 'cancelled', cancelledAtMs, updatedAtMs: cancelledAtMs };
      tell('cancelled', changed);
      response.json(summaryOf(changed));
    });

  const router = Router().use(`/shops/${kind.name}`, own);
  const change = (changed: Settings): void => {
    settings = changed;
  };
  const routes = kind.routes?.({ settings: () => settings, change, orders, now, send: sender.send }, asTold);
  if (routes) router.use(routes);
  return router.use(malformed);
};

/** Simulated shops and payment services, which send their orders to a source of Leadback. */
export const shopsRouter = (now: () => number): Router =>
  Router().use(
    shopRouter(woocommerce, now),
    shopRouter(tiendanube, now),
    shopRouter(mercadopago, now),
    shopRouter(shopify, now),
    shopRouter(stripe, now),
    shopRouter(webhook, now),
    shopRouter(postback, now),
  );
