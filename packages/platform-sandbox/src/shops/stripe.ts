import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { buyer, decimalsOf, type Order, randomLetters, refundedOf } from './order.ts';
import { type Change, commonSettings, type Message, type ShopKind } from './shop.ts';

const settingsSchema = z.strictObject({
  ...commonSettings,
  secret: z.string().startsWith('whsec_', 'expected whsec_…, as the page of the endpoint shows it'),
});
type Settings = z.infer<typeof settingsSchema>;

const apiVersion = '2026-10-28.endive';

// Stripe's own list. ISK and UGX have no decimals either, but are sent with two, as ever
const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const threeDecimal = new Set('BHD JOD KWD OMR TND'.split(' '));
const stripeDecimalsOf = (currency: string): number => {
  if (zeroDecimal.has(currency)) return 0;
  return threeDecimal.has(currency) ? 3 : 2;
};

/** In the smallest unit, as Stripe has it. */
const stripeAmount = (minor: number, currency: string): number =>
  Math.round(minor * 10 ** (stripeDecimalsOf(currency) - decimalsOf(currency)));

const seconds = (ms: number): number => Math.floor(ms / 1_000);

/** The objects beside the payment, by whose id an order is named: each event has it. */
const idsOf = (order: Order) => {
  const suffix = createHmac('sha256', 'stripe')
    .update(order.id)
    .digest('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .padEnd(28, '0');
  return {
    session: `cs_${order.isTest ? 'test' : 'live'}_a1${suffix.slice(0, 28)}${suffix.slice(0, 28)}`,
    charge: `ch_3${suffix.slice(0, 16)}1x${suffix.slice(16, 21)}`,
  };
};

const billingOf = ({ email, phone }: Order) => ({
  address: {
    city: buyer.city,
    country: 'AR',
    line1: buyer.street,
    line2: null,
    postal_code: buyer.postcode,
    state: 'C',
  },
  email: email ?? null,
  name: `${buyer.firstName} ${buyer.lastName}`,
  phone: phone ?? null,
});

const sessionOf = (order: Order, status: 'open' | 'complete' | 'expired') => ({
  id: idsOf(order).session,
  object: 'checkout.session',
  amount_subtotal: stripeAmount(order.total, order.currency),
  amount_total: stripeAmount(order.total, order.currency),
  client_reference_id: order.leadReference ?? null,
  created: seconds(order.createdAtMs),
  currency: order.currency.toLowerCase(),
  customer: null,
  customer_details: { ...billingOf(order), tax_exempt: 'none', tax_ids: [] },
  expires_at: seconds(order.createdAtMs) + 86_400,
  livemode: !order.isTest,
  // what the code of the shop put there; a Payment Link has none
  metadata: order.landingUrl === undefined ? {} : { landing_url: order.landingUrl.slice(0, 500) },
  mode: 'payment',
  payment_intent: status === 'expired' ? null : order.id,
  payment_link: order.landingUrl === undefined ? 'plink_1QaZm0te0000000000000000' : null,
  payment_method_types: ['card'],
  payment_status: order.paidAtMs === undefined ? 'unpaid' : 'paid',
  status,
  success_url: 'https://mate.example/thanks',
});

// metadata of the session is not copied to these two
const paymentIntentOf = (order: Order, status: string) => ({
  id: order.id,
  object: 'payment_intent',
  amount: stripeAmount(order.total, order.currency),
  amount_received: order.paidAtMs === undefined ? 0 : stripeAmount(order.total, order.currency),
  created: seconds(order.createdAtMs),
  currency: order.currency.toLowerCase(),
  latest_charge: order.paidAtMs === undefined ? null : idsOf(order).charge,
  livemode: !order.isTest,
  metadata: {},
  receipt_email: null,
  status,
});

const chargeOf = (order: Order) => {
  const amount = stripeAmount(order.total, order.currency);
  return {
    id: idsOf(order).charge,
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: stripeAmount(refundedOf(order), order.currency),
    billing_details: billingOf(order),
    captured: true,
    created: seconds(order.paidAtMs ?? order.createdAtMs),
    currency: order.currency.toLowerCase(),
    livemode: !order.isTest,
    metadata: {},
    paid: true,
    payment_intent: order.id,
    refunded: refundedOf(order) === order.total,
    status: 'succeeded',
  };
};

const refundOf = (order: Order, { id, amount, atMs }: Order['refunds'][number]) => ({
  id,
  object: 'refund',
  amount: stripeAmount(amount, order.currency),
  charge: idsOf(order).charge,
  created: seconds(atMs),
  currency: order.currency.toLowerCase(),
  metadata: {},
  payment_intent: order.id,
  reason: 'requested_by_customer',
  status: 'succeeded',
});

/** The value of `Stripe-Signature`. The key is the whole text of the secret. */
const signStripe = (body: string, secret: string, nowMs: number): string => {
  const signature = createHmac('sha256', secret)
    .update(`${seconds(nowMs)}.${body}`)
    .digest('hex');
  return `t=${seconds(nowMs)},v1=${signature}`;
};

interface StripeEvent {
  readonly type: string;
  readonly object: object;
  readonly previous?: object;
}

const eventsOf = (change: Change, order: Order): readonly StripeEvent[] => {
  const refund = order.refunds.at(-1);
  switch (change) {
    case 'created': {
      const unpaid = { type: 'checkout.session.completed', object: sessionOf(order, 'complete') };
      const created = { type: 'payment_intent.created', object: paymentIntentOf(order, 'requires_payment_method') };
      // a voucher or a transfer: the buyer has left the page, and pays later
      return order.word === 'unpaid' ? [created, unpaid] : [created];
    }
    case 'paid': {
      const end = order.word === 'unpaid' ? 'checkout.session.async_payment_succeeded' : 'checkout.session.completed';
      return [
        { type: 'payment_intent.succeeded', object: paymentIntentOf(order, 'succeeded') },
        { type: 'charge.succeeded', object: chargeOf(order) },
        { type: end, object: sessionOf(order, 'complete') },
      ];
    }
    case 'failed': {
      const failed = {
        type: 'payment_intent.payment_failed',
        object: paymentIntentOf(order, 'requires_payment_method'),
      };
      return order.word === 'unpaid'
        ? [failed, { type: 'checkout.session.async_payment_failed', object: sessionOf(order, 'complete') }]
        : [failed];
    }
    case 'refunded': {
      if (refund === undefined) return [];
      const before = stripeAmount(refundedOf(order) - refund.amount, order.currency);
      return [
        { type: 'refund.created', object: refundOf(order, refund) },
        { type: 'charge.refunded', object: chargeOf(order), previous: { amount_refunded: before, refunded: false } },
      ];
    }
    case 'cancelled':
      return [
        {
          type: 'payment_intent.canceled',
          object: { ...paymentIntentOf(order, 'canceled'), canceled_at: seconds(order.updatedAtMs) },
        },
        { type: 'checkout.session.expired', object: sessionOf(order, 'expired') },
      ];
  }
};

/** A webhook endpoint of Checkout and Payment Links. A retry is signed again. */
export const stripe: ShopKind<Settings> = {
  name: 'stripe',
  settings: settingsSchema,
  signing: { headerOf: () => 'stripe-signature', withSecret: (settings, secret) => ({ ...settings, secret }) },
  newId: () => `pi_3${randomLetters(23)}`,
  newRefundId: () => `re_3${randomLetters(23)}`,
  marksTests: true,
  words: { unpaid: 'pending' },
  namesOf: idsOf,
  // what is paid is refunded, not cancelled
  cannotCancelPaid: true,
  tell: (change, order) =>
    eventsOf(change, order).map(({ type, object, previous }): Message<Settings> => {
      const event = {
        id: `evt_1${randomLetters(23)}`,
        object: 'event',
        api_version: apiVersion,
        created: seconds(order.updatedAtMs),
        data: { object, ...(previous && { previous_attributes: previous }) },
        livemode: !order.isTest,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      const body = JSON.stringify(event, null, 2);
      return {
        topic: type,
        request: ({ url, secret }, nowMs) => ({
          method: 'POST',
          url,
          headers: {
            'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
            accept: '*/*; q=0.5, application/xml',
            'cache-control': 'no-cache',
            'content-type': 'application/json; charset=utf-8',
            'stripe-signature': signStripe(body, secret, nowMs),
          },
          body,
        }),
      };
    }),
  // three days, slower and slower
  retryAfterMinutes: [5, 30, 60, 180, 360, 720, 1_440, 1_440],
  timeoutMs: 20_000,
  isTaken: (status) => status >= 200 && status < 300,
};
