import { createHmac, randomBytes } from 'node:crypto';
import express, { type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { bearerToken, isRevoked } from '../tokens.ts';
import { idNumber, phpJson } from './json-forms.ts';
import { buyer, localTime, majorUnits, type Order, randomDigits, refundedOf, shopSite } from './order.ts';
import { type Change, commonSettings, type Message, type ShopKind } from './shop.ts';

const hookSchema = z.object({
  event: z.string().regex(/^[a-z]+\/[a-z_]+$/),
  url: commonSettings.url,
  headers: z.record(z.string(), z.string()).default({}),
});

const settingsSchema = z.strictObject({
  ...commonSettings,
  /** Where all events go, as long as the app has made no hook by the API. */
  url: commonSettings.url.or(z.literal('')).default(''),
  /** Of the app: it signs for all of its shops. */
  secret: z.string().min(1),
  clientId: z.string().min(1).default('8123'),
  /** Where the app takes people back to, once they have let it in. */
  returnUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** What the app may do. */
  scope: z.string().default('read_orders,read_customers'),
  storeId: z.string().regex(/^\d+$/).default('5238476'),
  /** What the API takes. Default: every token but a revoked one, until a code was exchanged. */
  accessToken: z.string().min(1).optional(),
  hooks: z.array(hookSchema.extend({ id: z.string() })).default([]),
});
type Settings = z.infer<typeof settingsSchema>;

/** With an offset without a colon. */
const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : `${localTime(ms)}+0000`);

const paymentStatusOf = (order: Order): string => {
  const refunded = refundedOf(order);
  if (refunded > 0) return refunded === order.total ? 'refunded' : 'partially_refunded';
  if (order.paidAtMs !== undefined) return 'paid';
  return order.standing === 'pending' ? 'pending' : 'voided';
};

const phpDate = (ms: number) => ({
  date: `${localTime(ms).replace('T', ' ')}.000000`,
  timezone_type: 3,
  timezone: 'UTC',
});

const orderOf = (order: Order, { storeId }: Settings) => {
  const { currency, email = null, phone = null } = order;
  const total = majorUnits(order.total, currency);
  return {
    id: idNumber(order.id),
    token: createHmac('sha256', 'token').update(order.id).digest('hex').slice(0, 40),
    store_id: storeId,
    contact_email: email,
    contact_name: `${buyer.firstName} ${buyer.lastName}`,
    contact_phone: phone,
    contact_identification: null,
    billing_name: buyer.firstName,
    billing_phone: phone,
    billing_address: 'Av. Corrientes',
    billing_number: '1234',
    billing_zipcode: buyer.postcode,
    billing_city: buyer.city,
    billing_country: 'AR',
    subtotal: total,
    discount: '0.00',
    total,
    total_usd: '15.20',
    currency,
    language: 'es',
    gateway: 'mercadopago',
    gateway_id: order.paidAtMs === undefined ? null : '102938475601',
    gateway_name: 'Mercado Pago',
    // a form field `extra[leadback]` of the cart
    extra: order.leadReference === undefined ? {} : { leadback: order.leadReference },
    storefront: 'store',
    note: '',
    created_at: timeOf(order.createdAtMs),
    updated_at: timeOf(order.updatedAtMs),
    completed_at: phpDate(order.createdAtMs),
    next_action: 'waiting_packing',
    payment_details: { method: 'credit_card', credit_card_company: 'visa', installments: '1' },
    attributes: [],
    customer: { id: 105799009, name: `${buyer.firstName} ${buyer.lastName}`, email, identification: null, phone },
    products: [
      { id: 1555630602, name: 'Mate de calabaza', price: total, product_id: 195611795, quantity: '1', sku: 'MATE-1' },
    ],
    number: order.number,
    cancel_reason: order.cancelledAtMs === undefined ? null : 'customer',
    owner_note: null,
    cancelled_at: timeOf(order.cancelledAtMs),
    closed_at: null,
    status: order.standing === 'cancelled' ? 'cancelled' : 'open',
    payment_status: paymentStatusOf(order),
    shipping_status: 'unpacked',
    paid_at: timeOf(order.paidAtMs),
    landing_url: order.landingUrl ?? null,
    client_details: { browser_ip: buyer.ip, user_agent: buyer.userAgent },
    app_id: null,
  };
};

/** The payments and refunds of an order. */
const transactionsOf = (order: Order) => {
  if (order.paidAtMs === undefined) return [];
  const money = (minor: number) => ({ value: majorUnits(minor, order.currency), currency: order.currency });
  const event = (type: string, minor: number, ms: number) => ({
    id: createHmac('sha256', type).update(`${order.id} ${ms}`).digest('hex').slice(0, 26),
    type,
    status: 'success',
    amount: money(minor),
    happened_at: timeOf(ms),
  });
  return [
    {
      id: createHmac('sha256', 'transaction').update(order.id).digest('hex').slice(0, 26),
      order_id: idNumber(order.id),
      payment_method: { type: 'credit_card', id: 'visa' },
      status: paymentStatusOf(order),
      captured_amount: money(order.total),
      refunded_amount: money(refundedOf(order)),
      events: [
        event('sale', order.total, order.paidAtMs),
        ...order.refunds.map(({ amount, atMs }) => event('refund', amount, atMs)),
      ],
    },
  ];
};

/** The signature of a body. */
export const signTiendanube = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

const eventsOf = (change: Change, order: Order): readonly string[] => {
  switch (change) {
    case 'created':
      return ['order/created'];
    case 'paid':
      // its documents say so: some messages come several times, with the same content
      return ['order/updated', 'order/paid', 'order/paid'];
    case 'failed':
      return ['order/updated'];
    case 'refunded':
      return refundedOf(order) === order.total ? ['order/updated', 'order/voided'] : ['order/updated', 'order/edited'];
    case 'cancelled':
      return order.paidAtMs === undefined ? ['order/voided', 'order/cancelled'] : ['order/cancelled'];
  }
};

const tell = (event: string, body: string): Message<Settings> => ({
  topic: event,
  hook: event,
  request: ({ url, secret, hooks }) => {
    const hook = hooks.find((one) => one.event === event);
    return {
      method: 'POST',
      url: hook?.url ?? url,
      headers: {
        'user-agent': 'Tiendanube/1.0',
        accept: '*/*',
        'content-type': 'application/json',
        ...hook?.headers,
        'x-linkedstore-hmac-sha256': signTiendanube(body, secret),
      },
      body,
    };
  },
});

const failureWords: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  404: 'Not Found',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
};
const failureOf = (status: number, description: string) => ({
  code: status,
  message: failureWords[status] ?? 'Internal Server Error',
  description,
});

const codeLifeMs = 5 * 60_000;
const exchangeSchema = z.object({
  client_id: z.coerce.string(),
  client_secret: z.string(),
  grant_type: z.literal('authorization_code'),
  code: z.string(),
});
const pageSchema = z.object({
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).max(200).default(30),
  updated_at_min: z.iso.datetime({ offset: true }).optional(),
});
const redactSchema = z.strictObject({ orderId: z.string().optional() });

/** `https://api.tiendanube.com/v1/{store}/…` or `/2025-03/{store}/…`. */
const apiPath = (path: string) => new RegExp(String.raw`^/(?:v1|\d{4}-\d{2})/(?<store>\d+)${path}$`);

/** Hooks and API of an app, version 2025-03. Its messages name the order alone. */
export const tiendanube: ShopKind<Settings> = {
  name: 'tiendanube',
  settings: settingsSchema,
  signing: {
    headerOf: () => 'x-linkedstore-hmac-sha256',
    withSecret: (settings, secret) => ({ ...settings, secret }),
  },
  newId: () => randomDigits(10),
  newRefundId: () => randomDigits(10),
  marksTests: false,
  words: { authorized: 'pending', abandoned: 'failed', voided: 'failed' },
  tell: (change, order, settings) =>
    eventsOf(change, order)
      .filter((event) =>
        settings.hooks.length === 0 ? settings.url !== '' : settings.hooks.some((hook) => hook.event === event),
      )
      .map((event) => tell(event, phpJson({ store_id: Number(settings.storeId), event, id: idNumber(order.id) }))),
  // at once, after 5, 10 and 15 minutes, then after 1.4 times as long each
  retryAfterMinutes: [0, 5, 10, 15, ...Array.from({ length: 13 }, (_, place) => 15 * 1.4 ** (place + 1))],
  timeoutMs: 40_000,
  isTaken: (status) => status >= 200 && status < 300,
  routes: ({ settings, change, orders, send, now }, asTold) => {
    const codes = new Map<string, number>();
    const newCode = (): string => {
      const code = randomBytes(20).toString('hex');
      codes.set(code, now());
      return code;
    };

    const authorise: RequestHandler = (request, response, next) => {
      const token = bearerToken(request.get('authorization') ?? request.get('authentication'));
      const its = settings();
      const store = request.params['store'];
      if ((request.get('user-agent') ?? '') === '') {
        response.status(400).json(failureOf(400, 'User-Agent header is required'));
      } else if (
        its === undefined ||
        store !== its.storeId ||
        token === undefined ||
        isRevoked(token) ||
        (its.accessToken !== undefined && token !== its.accessToken)
      ) {
        response.status(401).json(failureOf(401, 'Invalid access token'));
      } else {
        response.set({ 'x-rate-limit-limit': '40', 'x-rate-limit-remaining': '39', 'x-rate-limit-reset': '500' });
        response.locals['settings'] = its;
        next();
      }
    };
    const api: readonly RequestHandler[] = [
      asTold((status) => failureOf(status, 'The sandbox was told to refuse it')),
      authorise,
    ];
    const its = (): Settings => settingsSchema.parse(settings());

    return (
      Router()
        .get(apiPath(String.raw`/orders/(?<id>\d+)`), ...api, ({ params }, response) => {
          const order = orders.get(String(params['id']));
          if (order === undefined) response.status(404).json(failureOf(404, 'Order with such id does not exist'));
          else response.type('json').send(phpJson(orderOf(order, its())));
        })
        .get(apiPath(String.raw`/orders/(?<id>\d+)/transactions`), ...api, ({ params }, response) => {
          const order = orders.get(String(params['id']));
          if (order === undefined) response.status(404).json(failureOf(404, 'Order with such id does not exist'));
          else response.type('json').send(phpJson(transactionsOf(order)));
        })
        .get(apiPath('/orders'), ...api, ({ query }, response) => {
          const wanted = pageSchema.safeParse(query);
          if (!wanted.success) {
            response.status(422).json(failureOf(422, z.prettifyError(wanted.error)));
            return;
          }
          const { page, per_page: size, updated_at_min: since } = wanted.data;
          const found = Array.from(orders.values()).filter(
            ({ updatedAtMs }) => since === undefined || updatedAtMs >= Date.parse(since),
          );
          const shown = found.slice((page - 1) * size, page * size);
          response.set('x-total-count', String(found.length));
          if (shown.length === 0 && page > 1) response.status(404).json(failureOf(404, 'Last page is 1'));
          else response.type('json').send(phpJson(shown.map((order) => orderOf(order, its()))));
        })
        .get(apiPath('/store'), ...api, (_request, response) => {
          response.json({
            id: Number(its().storeId),
            name: { es: 'Mate de ejemplo' },
            email: 'owner@mate.example',
            country: 'AR',
            main_currency: 'ARS',
            main_language: 'es',
            original_domain: 'matedeejemplo.mitiendanube.com',
            domains: [new URL(shopSite).host],
          });
        })
        .post(apiPath('/webhooks'), express.json(), ...api, ({ body }, response) => {
          const hook = hookSchema.safeParse(body);
          if (!hook.success) {
            response.status(422).json(failureOf(422, z.prettifyError(hook.error)));
            return;
          }
          const made = { ...hook.data, id: randomDigits(7) };
          change({ ...its(), hooks: [...its().hooks, made] });
          response.status(201).json({ ...made, id: Number(made.id) });
        })
        .get(apiPath('/webhooks'), ...api, (_request, response) => {
          response.json(its().hooks.map((hook) => ({ ...hook, id: Number(hook.id) })));
        })
        .delete(apiPath(String.raw`/webhooks/(?<id>\d+)`), ...api, ({ params }, response) => {
          change({ ...its(), hooks: its().hooks.filter(({ id }) => id !== params['id']) });
          response.json({});
        })
        // the owner of the store is signed in, and lets the app in at once
        .get('/apps/:clientId/authorize', ({ params, query }, response) => {
          const known = settings();
          if (known?.returnUrl === undefined || params['clientId'] !== known.clientId) {
            response.status(404).type('text').send('There is no such app, or it has no URL to return to.');
            return;
          }
          const back = new URL(known.returnUrl);
          back.searchParams.set('code', newCode());
          if (typeof query['state'] === 'string') back.searchParams.set('state', query['state']);
          response.redirect(302, back.href);
        })
        .post(
          '/apps/authorize/token',
          express.json(),
          express.urlencoded({ extended: false }),
          asTold((status) => failureOf(status, 'The sandbox was told to refuse it')),
          ({ body }, response) => {
            const exchange = exchangeSchema.safeParse(body);
            const known = settings();
            const isApp =
              exchange.success &&
              known !== undefined &&
              exchange.data.client_id === known.clientId &&
              exchange.data.client_secret === known.secret;
            if (!isApp) {
              response
                .status(401)
                .json({ error: 'invalid_client', error_description: 'The client credentials are invalid' });
              return;
            }
            const madeAtMs = codes.get(exchange.data.code);
            codes.delete(exchange.data.code);
            if (madeAtMs === undefined || now() - madeAtMs > codeLifeMs) {
              response
                .status(400)
                .json({ error: 'invalid_grant', error_description: 'The authorization code has expired' });
              return;
            }
            // the one before ends with it
            const accessToken = randomBytes(20).toString('hex');
            change({ ...known, accessToken });
            response.json({
              access_token: accessToken,
              token_type: 'bearer',
              scope: known.scope,
              user_id: known.storeId,
            });
          },
        )
        .post('/shops/tiendanube/codes', (_request, response) => {
          response.status(201).json({ code: newCode() });
        })
        .post('/shops/tiendanube/data-request', express.json(), async ({ body }, response) => {
          const order = orders.get(redactSchema.parse(body ?? {}).orderId ?? '');
          const payload = {
            store_id: Number(its().storeId),
            customer: { id: 105799009, email: order?.email ?? null, phone: order?.phone ?? null, identification: null },
            orders_requested: order === undefined ? [] : [idNumber(order.id)],
            checkouts_requested: [],
            drafts_orders_requested: [],
            data_request: { id: 456 },
          };
          await send([tell('customers/data_request', phpJson(payload))]);
          response.status(202).json({});
        })
        .post('/shops/tiendanube/redact', express.json(), async ({ body }, response) => {
          const { orderId } = redactSchema.parse(body ?? {});
          const order = orders.get(orderId ?? '');
          const storeId = Number(its().storeId);
          const person = order && {
            id: 105799009,
            email: order.email ?? null,
            phone: order.phone ?? null,
            identification: null,
          };
          const payload = order
            ? { store_id: storeId, customer: person, orders_to_redact: [idNumber(order.id)] }
            : { store_id: storeId };
          await send([tell(order ? 'customers/redact' : 'store/redact', phpJson(payload))]);
          response.status(202).json({});
        })
    );
  },
};
