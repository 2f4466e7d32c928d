import { instantOf } from '@leadback/domain';
import { z } from 'zod';
import { currencyIn, lessRefunds, plainDecimal } from '../../amounts.ts';
import { readBody, textAt, valueAt } from '../../body.ts';
import { defineKind, type Meaning, type Reading, type ReceivedRequest, type SourceOrder } from '../../kind.ts';
import { dataRequestMeaning, redactMeaning, shopRedactMeaning } from '../../privacy.ts';
import { isSignedBy } from '../../signature.ts';
import { shopifyTexts } from './texts.ts';

/** A newer kind of delivery has the same headers without `x-`. */
const header = ({ headers }: ReceivedRequest, name: string): string | undefined =>
  headers[`x-shopify-${name}`] ?? headers[`shopify-${name}`];

const names = ['topic', 'shop-domain', 'event-id', 'webhook-id'].flatMap((name) => [
  `x-shopify-${name}`,
  `shopify-${name}`,
]);

const orderTopics = ['orders/paid', 'orders/updated', 'orders/create', 'orders/cancelled', 'orders/fulfilled'];

const listAt = (value: unknown, path: string): readonly unknown[] => {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
};

const nameAt = (value: unknown, path: string): string | undefined =>
  [textAt(value, `${path}.first_name`), textAt(value, `${path}.last_name`)].filter(Boolean).join(' ') || undefined;

/** What a refund gave back: only what was paid out counts, and not what was put back into the shelf. */
const paidOut = (refund: unknown): readonly unknown[] =>
  listAt(refund, 'transactions').filter(
    (one) => textAt(one, 'kind') === 'refund' && textAt(one, 'status') === 'success',
  );

/** The same in the currency of the shop; a buyer may have paid in another one. */
const paidBack = (refund: unknown, currency: string): string[] =>
  paidOut(refund)
    .filter((one) => (textAt(one, 'currency') ?? currency) === currency)
    .flatMap((one) => plainDecimal(valueAt(one, 'amount')) ?? []);

const timeAt = (value: unknown, path: string): string | undefined => instantOf(textAt(value, path) ?? '');

const wrong = (message: string): Meaning => ({ kind: 'nothing', reason: 'fields-wrong', message });

const smaller = (one: string, other: string | undefined): string =>
  other !== undefined && Number(other) < Number(one) ? other : one;

const paidStatuses = ['paid', 'partially_refunded', 'refunded'];

const orderMeaning = (order: unknown, shop: string): Meaning => {
  const [reference, status = ''] = [textAt(order, 'id'), textAt(order, 'financial_status')];
  const total = plainDecimal(valueAt(order, 'total_price'));
  const currency = currencyIn(valueAt(order, 'currency'));
  if (reference === undefined) return wrong('id: not in the order');
  if (total === undefined) return wrong('total_price: no amount');
  if (currency === undefined) return wrong('currency: not of ISO 4217');
  const landing = textAt(order, 'landing_site');
  const afterRefunds = lessRefunds(
    total,
    listAt(order, 'refunds').flatMap((refund) => paidBack(refund, currency)),
    currency,
  );
  const isEnded = status === 'refunded' || textAt(order, 'cancelled_at') !== undefined;
  const read: SourceOrder = {
    reference,
    isPaid: paidStatuses.includes(status),
    total,
    left: isEnded ? '0' : smaller(afterRefunds, plainDecimal(valueAt(order, 'current_total_price'))),
    currency,
    paidAt: timeAt(order, 'processed_at') ?? timeAt(order, 'created_at'),
    stateAt: timeAt(order, 'updated_at'),
    isTest: valueAt(order, 'test') === true,
    buyer: {
      name: textAt(order, 'billing_address.name') ?? nameAt(order, 'customer'),
      email: textAt(order, 'email') ?? textAt(order, 'contact_email') ?? textAt(order, 'customer.email'),
      phone: textAt(order, 'phone') ?? textAt(order, 'customer.phone') ?? textAt(order, 'billing_address.phone'),
      country: textAt(order, 'billing_address.country_code'),
    },
    landingUrls: [landing?.startsWith('/') ? `https://${shop}${landing}` : landing],
    ip: textAt(order, 'browser_ip'),
    userAgent: textAt(order, 'client_details.user_agent'),
  };
  return { kind: 'order', order: read };
};

const refundMeaning = (refund: unknown): Meaning => {
  const [reference, id] = [textAt(refund, 'order_id'), textAt(refund, 'id')];
  if (reference === undefined || id === undefined) return wrong('order_id: not in the refund');
  const currency = currencyIn(valueAt(paidOut(refund)[0], 'currency'));
  const amounts = paidBack(refund, currency ?? '');
  if (amounts.length === 0) return { kind: 'nothing', reason: 'not-used' };
  const amount = amounts.reduce((sum, one) => sum + Number(one), 0).toFixed(4);
  const stateAt = timeAt(refund, 'created_at');
  return {
    kind: 'change',
    change: { reference, currency, stateAt, changedAt: stateAt, to: { kind: 'less', amount, id } },
  };
};

const meaningOf = (topic: string, message: unknown, shop: string): Meaning => {
  if (orderTopics.includes(topic)) return orderMeaning(message, shop);
  if (topic === 'refunds/create') return refundMeaning(message);
  if (topic === 'customers/data_request') return dataRequestMeaning(message);
  // The signature does not cover the topic: a signed order could be sent again with another one. No order has these fields.
  const isOfShop = textAt(message, 'shop_domain')?.toLowerCase() === shop;
  const isOrder = valueAt(message, 'line_items') !== undefined || valueAt(message, 'order_id') !== undefined;
  if (topic === 'customers/redact' || topic === 'shop/redact') {
    if (!isOfShop || isOrder) return wrong('shop_domain: not of a privacy webhook of this shop');
    if (topic === 'shop/redact') return shopRedactMeaning;
    return Array.isArray(valueAt(message, 'orders_to_redact'))
      ? redactMeaning(message)
      : wrong('orders_to_redact: no list');
  }
  return { kind: 'nothing', reason: 'not-used' };
};

const read = (request: ReceivedRequest, shop: string): Reading => {
  const message = readBody(request);
  const topic = header(request, 'topic') ?? 'message';
  // two official pages name two headers: one event has both, whichever of them stays the same
  const id = header(request, 'event-id') ?? header(request, 'webhook-id');
  const from = header(request, 'shop-domain')?.toLowerCase() ?? textAt(message, 'shop_domain');
  const means: Meaning =
    from !== undefined && from !== shop ? { kind: 'nothing', reason: 'other-store' } : meaningOf(topic, message, shop);
  return { event: topic, key: id && `${id} ${topic}`, means, searched: message };
};

const expectedShop = 'expected the name of the shop at Shopify, such as mates.myshopify.com';

/** Orders of a Shopify shop, by the webhooks that its owner adds in its settings. */
export const shopify = defineKind({
  name: 'shopify',
  title: 'Shopify',
  texts: shopifyTexts,
  settings: z.object({
    shop: z
      .string(expectedShop)
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9][a-z0-9-]{0,62}\.myshopify\.com$/, expectedShop)
      .meta({ help: 'the shop, such as mates.myshopify.com', value: 'name' }),
  }),
  secrets: z.object({
    secret: z
      .string('expected the secret that Shopify shows under the list of webhooks')
      .trim()
      .min(1, 'must not be empty')
      // it is shown once its URL is known there: until then nothing is genuine, and is sent again later
      .optional()
      .meta({ help: 'secret of the webhooks of the shop', value: 'secret', isSecret: true }),
  }),
  methods: ['POST'],
  headers: names,
  open: ({ shop }, _secrets, signing) => ({
    verify(request) {
      const signed = { encoding: 'base64', content: [request.body] } as const;
      return isSignedBy(signing, header(request, 'hmac-sha256'), signed) ? 'genuine' : 'wrong-signature';
    },
    read: (request) => read(request, shop),
  }),
});
