import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { idNumber, railsJson } from './json-forms.ts';
import {
  buyer,
  decimalsOf,
  majorUnits,
  type Order,
  randomDigits,
  refundedOf,
  remainderOf,
  wordOf,
  zonedTime,
} from './order.ts';
import { type Change, commonSettings, type Message, type ShopKind } from './shop.ts';

const settingsSchema = z.strictObject({
  ...commonSettings,
  secret: z.string().min(1),
  shop: z
    .string()
    .regex(/^[a-z0-9-]+\.myshopify\.com$/, 'expected NAME.myshopify.com')
    .default('mate-shop.myshopify.com'),
  /** What the shop counts in, if its buyers pay in another currency, and how much of theirs is one of its own. */
  shopMoney: z.strictObject({ currency: z.string().regex(/^[A-Z]{3}$/), rate: z.number().positive() }).optional(),
});
type Settings = z.infer<typeof settingsSchema>;

const apiVersion = '2026-10';
const shopOffsetMinutes = -180;
const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : zonedTime(ms, shopOffsetMinutes));

/** An amount in the currencies of the shop and of the buyer. */
const moneySet = (minor: number, currency: string, { shopMoney }: Settings) => {
  const presentment = { amount: majorUnits(minor, currency), currency_code: currency };
  if (shopMoney === undefined) return { shop_money: presentment, presentment_money: presentment };
  const { currency: shops, rate } = shopMoney;
  const inShops = Math.round((Number(presentment.amount) / rate) * 10 ** decimalsOf(shops));
  return {
    shop_money: { amount: majorUnits(inShops, shops), currency_code: shops },
    presentment_money: presentment,
  };
};

const moreWords = { authorized: 'pending', partially_paid: 'pending', voided: 'failed' } as const;

const financialStatusOf = (order: Order): string => {
  const refunded = refundedOf(order);
  if (refunded > 0) return refunded === order.total ? 'refunded' : 'partially_refunded';
  if (order.standing === 'cancelled') return order.paidAtMs === undefined ? 'voided' : 'paid';
  return wordOf(order, moreWords) ?? (order.standing === 'paid' ? 'paid' : 'pending');
};

type Refund = Order['refunds'][number];

/** An id that belongs to another one, with as many digits. */
const idBeside = (id: string, kind: string): object | string =>
  idNumber(
    `7${createHmac('sha256', kind).update(id).digest().readUIntBE(0, 6).toString().slice(-12).padStart(12, '0')}`,
  );

const refundOf = (order: Order, refund: Refund, settings: Settings) => ({
  id: idNumber(refund.id),
  admin_graphql_api_id: `gid://shopify/Refund/${refund.id}`,
  order_id: idNumber(order.id),
  created_at: timeOf(refund.atMs),
  processed_at: timeOf(refund.atMs),
  note: null,
  user_id: 548380009,
  restock: false,
  duties: [],
  refund_line_items: [],
  return: null,
  order_adjustments: [
    {
      id: idBeside(refund.id, 'adjustment'),
      kind: 'refund_discrepancy',
      reason: 'Refund discrepancy',
      order_id: idNumber(order.id),
      refund_id: idNumber(refund.id),
      amount: `-${moneySet(refund.amount, order.currency, settings).shop_money.amount}`,
    },
  ],
  transactions: [
    {
      id: idBeside(refund.id, 'transaction'),
      kind: 'refund',
      gateway: 'mercado_pago',
      status: 'success',
      order_id: idNumber(order.id),
      parent_id: idBeside(order.id, 'transaction'),
      created_at: timeOf(refund.atMs),
      processed_at: timeOf(refund.atMs),
      test: order.isTest,
      amount: majorUnits(refund.amount, order.currency),
      currency: order.currency,
    },
  ],
});

/** The first page of the visit, without the shop's host; none for a visit that Shopify did not see. */
const landingSiteOf = ({ landingUrl }: Order): string | null => {
  if (landingUrl === undefined) return null;
  const { pathname, search } = new URL(landingUrl);
  return pathname + search;
};

const orderOf = (order: Order, settings: Settings) => {
  const { currency, number, email = null, phone = null } = order;
  const total = moneySet(order.total, currency, settings);
  const current = moneySet(remainderOf(order), currency, settings);
  const zero = moneySet(0, currency, settings);
  const address = {
    first_name: buyer.firstName,
    last_name: buyer.lastName,
    name: `${buyer.firstName} ${buyer.lastName}`,
    address1: buyer.street,
    address2: null,
    city: buyer.city,
    zip: buyer.postcode,
    province: 'Buenos Aires',
    country: 'Argentina',
    country_code: 'AR',
    phone,
  };
  return {
    id: idNumber(order.id),
    admin_graphql_api_id: `gid://shopify/Order/${order.id}`,
    app_id: 580111,
    browser_ip: buyer.ip,
    buyer_accepts_marketing: false,
    cancel_reason: order.cancelledAtMs === undefined ? null : 'customer',
    cancelled_at: timeOf(order.cancelledAtMs),
    client_details: { accept_language: 'es-AR', browser_ip: buyer.ip, user_agent: buyer.userAgent },
    closed_at: null,
    confirmed: true,
    contact_email: email,
    created_at: timeOf(order.createdAtMs),
    currency: total.shop_money.currency_code,
    current_total_price: current.shop_money.amount,
    current_total_price_set: current,
    current_total_discounts: zero.shop_money.amount,
    customer_locale: 'es-AR',
    email,
    financial_status: financialStatusOf(order),
    fulfillment_status: null,
    landing_site: landingSiteOf(order),
    name: `#${number}`,
    note: null,
    // attributes of the cart, which a script of the shop sets
    note_attributes: order.leadReference === undefined ? [] : [{ name: 'leadback', value: order.leadReference }],
    number: number - 1_000,
    order_number: number,
    payment_gateway_names: ['mercado_pago'],
    phone,
    presentment_currency: currency,
    processed_at: timeOf(order.paidAtMs ?? order.createdAtMs),
    referring_site: 'https://www.google.com/',
    source_name: 'web',
    subtotal_price: total.shop_money.amount,
    tags: '',
    test: order.isTest,
    total_discounts: zero.shop_money.amount,
    total_outstanding: order.paidAtMs === undefined ? total.shop_money.amount : zero.shop_money.amount,
    total_price: total.shop_money.amount,
    total_price_set: total,
    total_tax: zero.shop_money.amount,
    updated_at: timeOf(order.updatedAtMs),
    billing_address: address,
    customer: {
      id: idBeside(order.id, 'customer'),
      email,
      phone,
      first_name: buyer.firstName,
      last_name: buyer.lastName,
      default_address: address,
    },
    discount_codes: [],
    fulfillments: [],
    line_items: [
      {
        id: idBeside(order.id, 'line'),
        name: 'Mate de calabaza',
        price: total.shop_money.amount,
        product_id: idNumber('788032119674292922'),
        properties: [],
        quantity: 1,
        sku: 'MATE-1',
        title: 'Mate de calabaza',
      },
    ],
    refunds: order.refunds.map((refund) => refundOf(order, refund, settings)),
    shipping_lines: [],
  };
};

/** The signature of a body. */
export const signShopify = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('base64');

const topicsOf: Readonly<Record<Change, readonly string[]>> = {
  created: ['orders/create'],
  paid: ['orders/paid', 'orders/updated'],
  failed: ['orders/updated'],
  refunded: ['refunds/create', 'orders/updated'],
  cancelled: ['orders/cancelled', 'orders/updated'],
};

/** Hooks of version 2026-10. A retry has the ids, the body and the time of the first attempt. */
export const shopify: ShopKind<Settings> = {
  name: 'shopify',
  settings: settingsSchema,
  signing: { headerOf: () => 'x-shopify-hmac-sha256', withSecret: (settings, secret) => ({ ...settings, secret }) },
  // as the sample order of the notifications page, whose id has 18 digits
  newId: ({ isTest }) => (isTest ? `8209829119${randomDigits(8)}` : `6${randomDigits(12)}`),
  newRefundId: () => `9${randomDigits(11)}`,
  marksTests: true,
  words: moreWords,
  tell: (change, order, settings) => {
    // one action of the buyer or the owner: all its topics have it
    const eventId = randomUUID();
    const refund = order.refunds.at(-1);
    return topicsOf[change].map((topic): Message<Settings> => {
      const isRefund = topic === 'refunds/create' && refund !== undefined;
      const body = railsJson(isRefund ? refundOf(order, refund, settings) : orderOf(order, settings));
      const [webhookId, triggeredAt] = [randomUUID(), new Date(order.updatedAtMs).toISOString()];
      return {
        topic,
        request: ({ url, secret, shop }) => ({
          method: 'POST',
          url,
          headers: {
            'user-agent': 'Shopify-Captain-Hook',
            accept: '*/*',
            'content-type': 'application/json',
            'x-shopify-topic': topic,
            'x-shopify-shop-domain': shop,
            'x-shopify-api-version': apiVersion,
            'x-shopify-webhook-id': webhookId,
            'x-shopify-event-id': eventId,
            'x-shopify-triggered-at': triggeredAt,
            'x-shopify-hmac-sha256': signShopify(body, secret),
          },
          body,
        }),
      };
    });
  },
  // eight within four hours
  retryAfterMinutes: [1, 2, 4, 8, 16, 32, 64, 113],
  timeoutMs: 5_000,
  isTaken: (status) => status >= 200 && status < 300,
};
