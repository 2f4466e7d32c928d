import { createHmac } from 'node:crypto';
import { Router } from 'express';
import { z } from 'zod';
import { idNumber, phpJson } from './json-forms.ts';
import { buyer, localTime, majorUnits, type Order, randomDigits, refundedOf, shopSite, wordOf } from './order.ts';
import { commonSettings, type HttpRequest, type Message, type ShopKind } from './shop.ts';

const settingsSchema = z.strictObject({
  ...commonSettings,
  secret: z.string().min(1),
  /** Of the REST API. Default: it has none. */
  consumerKey: z.string().startsWith('ck_').optional(),
  consumerSecret: z.string().startsWith('cs_').optional(),
});
type Settings = z.infer<typeof settingsSchema>;

const shopOffsetMinutes = -180;
const userAgent = 'WooCommerce/10.9.1 Hookshot (WordPress/7.0)';

/** The hooks that the shop owner has made, one for each topic. */
const hookIds = { 'order.created': '7', 'order.updated': '8' } as const;
type Topic = keyof typeof hookIds;

const pageSchema = z.object({
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(10),
  modified_after: z.iso.datetime({ local: true }).optional(),
});

const usualWords = { pending: 'pending', paid: 'processing', failed: 'failed', cancelled: 'cancelled' } as const;
const moreWords = { 'on-hold': 'pending', 'checkout-draft': 'pending', processing: 'paid', completed: 'paid' } as const;

const statusOf = (order: Order): string => {
  if (order.standing === 'paid' && refundedOf(order) === order.total) return 'refunded';
  return wordOf(order, moreWords) ?? usualWords[order.standing];
};

const sourceTypeOf = (entry: URL): string => {
  if (entry.searchParams.has('utm_source') || entry.searchParams.has('gclid')) return 'utm';
  return 'typein';
};

/** What Order Attribution, a part of WooCommerce, keeps of the session. */
const attributionOf = ({ landingUrl, leadReference, createdAtMs }: Order) => {
  const entry = new URL(landingUrl ?? shopSite);
  const utm = Array.from(entry.searchParams).filter(([name]) =>
    /^utm_(?:campaign|source|medium|content|id|term)$/.test(name),
  );
  const kept: readonly (readonly [string, string])[] = [
    ['_wc_order_attribution_source_type', sourceTypeOf(entry)],
    ...utm.map(([name, value]) => [`_wc_order_attribution_${name}`, value] as const),
    ['_wc_order_attribution_session_entry', landingUrl ?? entry.href],
    ['_wc_order_attribution_session_start_time', localTime(createdAtMs - 240_000).replace('T', ' ')],
    ['_wc_order_attribution_session_pages', '4'],
    ['_wc_order_attribution_session_count', '1'],
    ['_wc_order_attribution_user_agent', buyer.userAgent],
    ['_wc_order_attribution_device_type', 'Desktop'],
    // a field of the checkout, which a plug-in added
    ...(leadReference === undefined ? [] : [['_wc_other/leadback/lead-reference', leadReference] as const]),
  ];
  return kept.map(([key, value], place) => ({ id: 991 + place, key, value }));
};

const localAndUtc = (name: string, ms: number | undefined) => ({
  [name]: ms === undefined ? null : localTime(ms, shopOffsetMinutes),
  [`${name}_gmt`]: ms === undefined ? null : localTime(ms),
});

/** An order as version 3 of the REST API has it. */
const bodyOf = (order: Order) => {
  const { currency, number, email = '', phone = '' } = order;
  const id = idNumber(order.id);
  const total = majorUnits(order.total, currency);
  const zero = majorUnits(0, currency);
  const address = {
    first_name: buyer.firstName,
    last_name: buyer.lastName,
    company: '',
    address_1: buyer.street,
    address_2: '',
    city: buyer.city,
    state: 'C',
    postcode: buyer.postcode,
    country: 'AR',
  };
  return {
    id,
    parent_id: 0,
    status: statusOf(order),
    currency,
    version: '10.9.1',
    prices_include_tax: true,
    ...localAndUtc('date_created', order.createdAtMs),
    ...localAndUtc('date_modified', order.updatedAtMs),
    discount_total: zero,
    discount_tax: zero,
    shipping_total: zero,
    shipping_tax: zero,
    cart_tax: zero,
    total,
    total_tax: zero,
    customer_id: 0,
    order_key: `wc_order_${createHmac('sha256', 'order key').update(order.id).digest('hex').slice(0, 13)}`,
    billing: { ...address, email, phone },
    shipping: { ...address, phone: '' },
    payment_method: 'woo-mercado-pago-basic',
    payment_method_title: 'Mercado Pago',
    transaction_id: order.paidAtMs === undefined ? '' : '102938475601',
    customer_ip_address: buyer.ip,
    customer_user_agent: buyer.userAgent,
    created_via: 'checkout',
    customer_note: '',
    ...localAndUtc('date_completed', order.word === 'completed' ? order.paidAtMs : undefined),
    ...localAndUtc('date_paid', order.paidAtMs),
    cart_hash: '5f2a9c1be2bd4a0f8f4a1b6a3c9d7e10',
    number: String(number),
    meta_data: attributionOf(order),
    line_items: [
      {
        id: 31,
        name: 'Mate de calabaza',
        product_id: 93,
        variation_id: 0,
        quantity: 1,
        subtotal: total,
        total,
        sku: 'MATE-1',
      },
    ],
    tax_lines: [],
    shipping_lines: [],
    fee_lines: [],
    coupon_lines: [],
    refunds: order.refunds.map((refund) => ({
      id: Number(refund.id),
      reason: '',
      total: `-${majorUnits(refund.amount, currency)}`,
    })),
    payment_url: `${shopSite}/checkout/order-pay/${order.id}/?pay_for_order=true`,
    is_editable: order.standing === 'pending',
    needs_payment: order.standing === 'pending' || order.standing === 'failed',
    needs_processing: true,
    currency_symbol: '$',
    _links: {
      self: [{ href: `${shopSite}/wp-json/wc/v3/orders/${order.id}` }],
      collection: [{ href: `${shopSite}/wp-json/wc/v3/orders` }],
    },
  };
};

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#039;': "'",
  '&#39;': "'",
  '&#x27;': "'",
};

/** The secret as it signs: what the owner typed is decoded as HTML first. */
const keyOf = (secret: string): string =>
  secret.replaceAll(/&(?:amp|lt|gt|quot|#0?39|#x27);/g, (entity) => entities[entity] ?? entity);

/** The signature of a body, as the plug-in computes it. */
export const signWoocommerce = (body: string, secret: string): string =>
  createHmac('sha256', keyOf(secret)).update(body).digest('base64');

const requestOf = (topic: Topic, body: string, { url, secret }: Settings, nowMs: number): HttpRequest => {
  const [resource = '', event = ''] = topic.split('.');
  const hookId = hookIds[topic];
  return {
    method: 'POST',
    url,
    headers: {
      'user-agent': userAgent,
      accept: '*/*',
      expect: '100-continue',
      'content-type': 'application/json',
      connection: 'close',
      'x-wc-webhook-source': `${shopSite}/`,
      'x-wc-webhook-topic': topic,
      'x-wc-webhook-resource': resource,
      'x-wc-webhook-event': event,
      'x-wc-webhook-signature': signWoocommerce(body, secret),
      'x-wc-webhook-id': hookId,
      // of the hook and the second alone: two deliveries in one second share it
      'x-wc-webhook-delivery-id': createHmac('md5', shopSite)
        .update(hookId + Math.floor(nowMs / 1_000))
        .digest('hex'),
    },
    body,
  };
};

const tell = (topic: Topic, order: Order): Message<Settings> => {
  const body = phpJson(bodyOf(order));
  return { topic, hook: topic, request: (settings, nowMs) => requestOf(topic, body, settings, nowMs) };
};

/** What the plug-in sends when a hook is saved: unsigned, and any response but 200 is shown to the owner as an error. */
const ping = (topic: Topic): Message<Settings> => ({
  topic: 'ping',
  hook: topic,
  request: ({ url }) => ({
    method: 'POST',
    url,
    headers: {
      'user-agent': userAgent,
      accept: '*/*',
      'content-type': 'application/x-www-form-urlencoded',
      connection: 'close',
    },
    body: `webhook_id=${hookIds[topic]}`,
  }),
});

/** Hooks of WooCommerce 10, `wp_api_v3`. It never retries, and switches a hook off at the seventh failure in a row. */
export const woocommerce: ShopKind<Settings> = {
  name: 'woocommerce',
  settings: settingsSchema,
  signing: { headerOf: () => 'x-wc-webhook-signature', withSecret: (settings, secret) => ({ ...settings, secret }) },
  newId: () => randomDigits(5),
  newRefundId: () => randomDigits(5),
  marksTests: false,
  words: moreWords,
  tell: (change, order) => {
    if (change === 'created') return [tell('order.created', order)];
    // the notification of the payment and the page of thanks are two requests, and each queues a delivery
    if (change === 'paid') return [tell('order.updated', order), tell('order.updated', order)];
    return [tell('order.updated', order)];
  },
  greeting: () => [ping('order.created'), ping('order.updated')],
  retryAfterMinutes: [],
  timeoutMs: 60_000,
  isTaken: (status) => status >= 200 && status < 303,
  switchesOffAt: { failures: 7 },
  routes: ({ settings, orders }, asTold) =>
    Router().get(
      '/wp-json/wc/v3/orders',
      asTold((status) => ({ code: 'sandbox', message: 'The sandbox was told to refuse it', data: { status } })),
      ({ query, headers }, response) => {
        const { consumerKey, consumerSecret } = settings() ?? {};
        const key = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64');
        const wanted = pageSchema.safeParse(query);
        if (consumerKey === undefined || headers.authorization !== `Basic ${key}`) {
          const message = 'Consumer key is invalid.';
          response.status(401).json({ code: 'woocommerce_rest_authentication_error', message, data: { status: 401 } });
        } else if (wanted.success) {
          const { page, per_page: size, modified_after: after } = wanted.data;
          const since = after === undefined ? 0 : Date.parse(`${after}Z`);
          const found = Array.from(orders.values()).filter(({ updatedAtMs }) => updatedAtMs > since);
          response.set({
            'x-wp-total': String(found.length),
            'x-wp-totalpages': String(Math.ceil(found.length / size)),
          });
          response.type('json').send(phpJson(found.slice((page - 1) * size, page * size).map(bodyOf)));
        } else {
          const message = 'Invalid parameter(s)';
          response.status(400).json({ code: 'rest_invalid_param', message, data: { status: 400 } });
        }
      },
    ),
};
