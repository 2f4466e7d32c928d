import { createHmac, randomUUID } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { bearerToken, isRevoked } from '../tokens.ts';
import { idNumber } from './json-forms.ts';
import { buyer, majorUnits, type Order, randomDigits, refundedOf, wordOf, zonedTime } from './order.ts';
import { type Change, commonSettings, type Message, type ShopKind } from './shop.ts';

const settingsSchema = z.strictObject({
  ...commonSettings,
  secret: z.string().min(1),
  /** What the API takes. Default: every token but a revoked one. */
  accessToken: z.string().min(1).optional(),
  userId: z.string().regex(/^\d+$/).default('2025701502'),
  applicationId: z.string().regex(/^\d+$/).default('8339021212080291'),
  /** Whether it sends the old notifications as well, which nobody signs. */
  sendsIpn: z.boolean().default(false),
  /** Whether the checkout makes orders of the newer API: they are told in place of payments. */
  makesOrders: z.boolean().default(false),
});
type Settings = z.infer<typeof settingsSchema>;

/** Mercado Pago's own zone, wherever the seller is. */
const timeOf = (ms: number | undefined): string | null =>
  ms === undefined
    ? null
    : zonedTime(ms, -240).replace(/(?=[+-]\d{2}:\d{2}$)/, `.${String(ms % 1_000).padStart(3, '0')}`);

const moreWords = { in_process: 'pending', authorized: 'pending', rejected: 'failed' } as const;
const details: Readonly<Record<string, string>> = {
  pending: 'pending_waiting_payment',
  in_process: 'pending_review_manual',
  authorized: 'pending_capture',
  rejected: 'cc_rejected_other_reason',
  cancelled: 'by_collector',
  approved: 'accredited',
  refunded: 'refunded',
};
const usualWords = { pending: 'pending', paid: 'approved', failed: 'rejected', cancelled: 'cancelled' } as const;

const statusOf = (order: Order) => {
  const refunded = refundedOf(order);
  if (refunded > 0 && refunded < order.total) return { status: 'approved', status_detail: 'partially_refunded' };
  const status = refunded > 0 ? 'refunded' : (wordOf(order, moreWords) ?? usualWords[order.standing]);
  return { status, status_detail: details[status] };
};

const merchantOrderIdOf = (paymentId: string): string =>
  `2${createHmac('sha256', 'merchant order').update(paymentId).digest().readUIntBE(0, 6).toString().padStart(10, '0').slice(-10)}`;

/** A phone number in two parts, as Mercado Pago has it. */
const phoneOf = (phone: string | undefined) => {
  const digits = phone?.replaceAll(/\D/g, '').replace(/^54/, '').replace(/^9/, '');
  if (digits === undefined) return { area_code: null, number: null, extension: null };
  return { area_code: digits.slice(0, -8), number: digits.slice(-8), extension: null };
};

const refundOf = (order: Order, { id, amount, atMs }: Order['refunds'][number], { userId }: Settings) => ({
  id: idNumber(id),
  payment_id: idNumber(order.id),
  amount: Number(majorUnits(amount, order.currency)),
  metadata: {},
  source: { id: userId, name: 'Mate de ejemplo', type: 'collector' },
  date_created: timeOf(atMs),
  unique_sequence_number: null,
  refund_mode: 'standard',
  adjustment_amount: 0,
  status: 'approved',
  reason: null,
});

const paymentOf = (order: Order, settings: Settings) => {
  const amount = Number(majorUnits(order.total, order.currency));
  return {
    id: idNumber(order.id),
    date_created: timeOf(order.createdAtMs),
    date_approved: timeOf(order.paidAtMs),
    date_last_updated: timeOf(order.updatedAtMs),
    date_of_expiration: null,
    money_release_date: null,
    operation_type: 'regular_payment',
    issuer_id: '279',
    payment_method_id: 'visa',
    payment_type_id: 'credit_card',
    ...statusOf(order),
    currency_id: order.currency,
    description: 'Mate de calabaza',
    live_mode: !order.isTest,
    collector_id: Number(settings.userId),
    payer: {
      type: 'customer',
      id: '305796397',
      email: order.email ?? null,
      identification: { type: 'DNI', number: '12345678' },
      phone: phoneOf(order.phone),
      first_name: buyer.firstName,
      last_name: buyer.lastName,
    },
    // keys come back in snake case
    metadata: order.landingUrl === undefined ? {} : { landing_url: order.landingUrl },
    additional_info: { ip_address: buyer.ip },
    order: { id: merchantOrderIdOf(order.id), type: 'mercadopago' },
    external_reference: order.leadReference ?? `mate-${order.number}`,
    transaction_amount: amount,
    transaction_amount_refunded: Number(majorUnits(refundedOf(order), order.currency)),
    coupon_amount: 0,
    transaction_details: {
      net_received_amount: Number((amount * 0.94).toFixed(2)),
      // with the fees of the instalments, which are not the seller's
      total_paid_amount: Number((amount * 1.12).toFixed(2)),
      overpaid_amount: 0,
      installment_amount: Number((amount * 0.56).toFixed(2)),
    },
    captured: true,
    installments: 2,
    refunds: order.refunds.map((refund) => refundOf(order, refund, settings)),
    point_of_interaction: { type: 'CHECKOUT' },
  };
};

const newOrderIdOf = (paymentId: string): string =>
  `ORD01${createHmac('sha256', 'order').update(paymentId).digest('hex').slice(0, 21).toUpperCase()}`;

/** As the newer API has it: with amounts as text, the country in place of the currency, and the payments inside. */
const newOrderOf = (order: Order, settings: Settings) => {
  const { status, status_detail, external_reference, payer } = paymentOf(order, settings);
  const states: Readonly<Record<string, string>> = {
    approved: 'processed',
    refunded: 'refunded',
    rejected: 'failed',
    cancelled: 'canceled',
  };
  const amount = majorUnits(order.total, order.currency);
  const state = { status: states[status] ?? 'action_required', status_detail };
  return {
    id: newOrderIdOf(order.id),
    type: 'online',
    processing_mode: 'automatic',
    external_reference,
    total_amount: amount,
    ...(order.paidAtMs !== undefined && { total_paid_amount: amount }),
    country_code: 'AR',
    user_id: settings.userId,
    ...state,
    capture_mode: 'automatic',
    created_date: new Date(order.createdAtMs).toISOString(),
    last_updated_date: new Date(order.updatedAtMs).toISOString(),
    payer: { email: payer.email },
    transactions: {
      payments: [{ id: `PAY01${order.id}`, amount, ...state, payment_method: { id: 'visa', type: 'credit_card' } }],
      refunds: order.refunds.map((refund) => ({
        id: `REF01${refund.id}`,
        transaction_id: `PAY01${order.id}`,
        amount: majorUnits(refund.amount, order.currency),
        status: 'processed',
      })),
    },
  };
};

const merchantOrderOf = (order: Order, settings: Settings) => {
  const { id, status, status_detail, transaction_amount, currency_id, date_approved, external_reference } = paymentOf(
    order,
    settings,
  );
  return {
    id: idNumber(merchantOrderIdOf(order.id)),
    status: order.paidAtMs === undefined ? 'opened' : 'closed',
    external_reference,
    payments: [{ id, transaction_amount, currency_id, status, status_detail, date_approved }],
    total_amount: transaction_amount,
    paid_amount: order.paidAtMs === undefined ? 0 : transaction_amount,
    order_status: order.paidAtMs === undefined ? 'payment_required' : 'paid',
    is_test: order.isTest,
  };
};

/** The value of `x-signature`: of the URL and the headers, not of the body. */
const signMercadopago = (dataId: string, requestId: string, ms: number, secret: string): string =>
  `ts=${ms},v1=${createHmac('sha256', secret).update(`id:${dataId};request-id:${requestId};ts:${ms};`).digest('hex')}`;

const withQuery = (url: string, parameters: Readonly<Record<string, string>>): string => {
  const target = new URL(url);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return target.href;
};

interface Notification {
  readonly type: string;
  readonly action: string;
  readonly dataId: string;
  readonly body: object;
}

const tell = ({ type, action, dataId, body }: Notification, isTest: boolean): Message<Settings> => ({
  topic: action,
  request: ({ url, secret, userId, applicationId }, nowMs) => {
    const requestId = randomUUID();
    // each delivery has another id, a retry too
    const whole = {
      ...body,
      api_version: 'v1',
      application_id: Number(applicationId),
      date_created: new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z'),
      id: randomDigits(12),
      live_mode: !isTest,
      type,
      user_id: Number(userId),
    };
    return {
      method: 'POST',
      url: withQuery(url, { 'data.id': dataId, type }),
      headers: {
        'user-agent': `MercadoPago WebHook v1.0 ${type}`,
        accept: '*/*',
        'content-type': 'application/json',
        'x-request-id': requestId,
        'x-signature': signMercadopago(dataId, requestId, nowMs, secret),
      },
      body: JSON.stringify(whole),
    };
  },
});

/** The old kind, which has no signature. */
const tellIpn = (topic: string, id: string, resource: string): Message<Settings> => ({
  topic: `ipn ${topic}`,
  request: ({ url }) => ({
    method: 'POST',
    url: withQuery(url, { id, topic }),
    headers: { 'user-agent': `MercadoPago Feed v2.0 ${topic}`, accept: '*/*', 'content-type': 'application/json' },
    body: JSON.stringify({ resource, topic }),
  }),
});

const messagesOf = (
  change: Change,
  order: Order,
  { sendsIpn, makesOrders }: Settings,
): readonly Message<Settings>[] => {
  if (makesOrders) {
    const isPart = refundedOf(order) < order.total;
    const ends = { created: 'created', paid: 'processed', failed: 'failed', cancelled: 'canceled' } as const;
    const action = `order.${change === 'refunded' ? (isPart ? 'partially_refunded' : 'refunded') : ends[change]}`;
    const dataId = newOrderIdOf(order.id);
    return [tell({ type: 'order', action, dataId, body: { action, data: { id: dataId } } }, order.isTest)];
  }
  const action = change === 'created' ? 'payment.created' : 'payment.updated';
  const merchantOrderId = merchantOrderIdOf(order.id);
  const isPaid = order.paidAtMs !== undefined;
  return [
    tell({ type: 'payment', action, dataId: order.id, body: { action, data: { id: order.id } } }, order.isTest),
    tell(
      {
        type: 'topic_merchant_order_wh',
        action: 'topic_merchant_order_wh',
        dataId: merchantOrderId,
        body: {
          action: change === 'created' ? 'create' : 'update',
          data: { currency_id: '', marketplace: 'NONE', status: isPaid ? 'closed' : 'opened' },
          status: isPaid ? 'closed' : 'opened',
        },
      },
      order.isTest,
    ),
    ...(sendsIpn
      ? [
          tellIpn('payment', order.id, order.id),
          tellIpn('merchant_order', merchantOrderId, `https://api.mercadolibre.com/merchant_orders/${merchantOrderId}`),
        ]
      : []),
  ];
};

const failureOf = (status: number, message: string, error: string, code: number) => ({
  message,
  error,
  status,
  cause: [{ code, description: message, data: null }],
});
const failures: Readonly<Record<number, object>> = {
  401: failureOf(401, 'invalid access token', 'unauthorized', 401),
  404: failureOf(404, 'Payment not found', 'not_found', 2000),
  429: failureOf(429, 'too many requests', 'local_rate_limited', 429),
};
const told = (status: number) => failures[status] ?? failureOf(status, 'internal_error', 'internal_error', status);

const searchSchema = z.object({
  limit: z.coerce.number().int().min(0).max(1_000).default(30),
  offset: z.coerce.number().int().min(0).default(0),
  external_reference: z.string().optional(),
  status: z.string().optional(),
  range: z.enum(['date_created', 'date_approved', 'date_last_updated']).default('date_created'),
  begin_date: z.string().optional(),
  end_date: z.string().optional(),
  criteria: z.enum(['asc', 'desc']).default('asc'),
});

/** As in `NOW-1DAYS`, or a time. */
const instantOf = (text: string | undefined, nowMs: number): number | undefined => {
  if (text === undefined) return undefined;
  const [, count, unit] = /^NOW(?:-(\d+)(DAYS?|HOURS?|MONTHS?))?$/.exec(text) ?? [];
  if (!text.startsWith('NOW')) return Date.parse(text);
  const unitMs = { D: 86_400_000, H: 3_600_000, M: 30 * 86_400_000 }[unit?.[0] ?? ''] ?? 0;
  return nowMs - Number(count ?? 0) * unitMs;
};

/** Notifications and API of an application. The notification proves nothing but itself: the payment is in the API. */
export const mercadopago: ShopKind<Settings> = {
  name: 'mercadopago',
  settings: settingsSchema,
  signing: { headerOf: () => 'x-signature', withSecret: (settings, secret) => ({ ...settings, secret }) },
  newId: () => randomDigits(12),
  newRefundId: () => randomDigits(10),
  marksTests: true,
  words: moreWords,
  cannotCancelPaid: true,
  tell: messagesOf,
  // every 15 minutes, more slowly after the third attempt; its documents name no end
  retryAfterMinutes: [15, 15, 30, 60, 120, 240, 480, 720, 1_440, 1_440],
  timeoutMs: 22_000,
  isTaken: (status) => status === 200 || status === 201,
  routes: ({ settings, orders, now }, asTold) => {
    const its = (): Settings => settingsSchema.parse(settings());
    const authorise: RequestHandler = (request, response, next) => {
      const token = bearerToken(request.get('authorization'));
      const wanted = settings()?.accessToken;
      const isGood =
        settings() !== undefined && token !== undefined && !isRevoked(token) && token === (wanted ?? token);
      if (isGood) next();
      else response.status(401).json(failures[401]);
    };
    const api = [asTold(told), authorise];
    const times = { date_created: 'createdAtMs', date_approved: 'paidAtMs', date_last_updated: 'updatedAtMs' } as const;

    return Router()
      .get('/v1/payments/search', ...api, ({ query }, response) => {
        const wanted = searchSchema.safeParse(query);
        if (!wanted.success) {
          response.status(400).json(failureOf(400, z.prettifyError(wanted.error), 'bad_request', 400));
          return;
        }
        const {
          limit,
          offset,
          range,
          criteria,
          external_reference: reference,
          status,
          begin_date: begin,
          end_date: end,
        } = wanted.data;
        const [beginMs = 0, endMs = Number.POSITIVE_INFINITY] = [instantOf(begin, now()), instantOf(end, now())];
        const found = Array.from(orders.values())
          .filter((order) => {
            const ms = order[times[range]];
            return ms !== undefined && ms >= beginMs && ms <= endMs;
          })
          .map((order) => paymentOf(order, its()))
          .filter((payment) => reference === undefined || payment.external_reference === reference)
          .filter((payment) => status === undefined || payment.status === status);
        if (criteria === 'desc') found.reverse();
        response.json({ paging: { total: found.length, limit, offset }, results: found.slice(offset, offset + limit) });
      })
      .get('/v1/payments/:id', ...api, ({ params }, response) => {
        const order = orders.get(String(params['id']));
        if (order === undefined) response.status(404).json(failures[404]);
        else response.json(paymentOf(order, its()));
      })
      .get('/v1/payments/:id/refunds', ...api, ({ params }, response) => {
        const order = orders.get(String(params['id']));
        if (order === undefined) response.status(404).json(failures[404]);
        else response.json(order.refunds.map((refund) => refundOf(order, refund, its())));
      })
      .get('/merchant_orders/:id', ...api, ({ params }, response) => {
        const order = Array.from(orders.values()).find(({ id }) => merchantOrderIdOf(id) === params['id']);
        if (order === undefined)
          response.status(404).json(failureOf(404, 'merchant order not found', 'not_found', 404));
        else response.json(merchantOrderOf(order, its()));
      })
      .get('/v1/orders/:id', ...api, ({ params }, response) => {
        const order = Array.from(orders.values()).find(({ id }) => newOrderIdOf(id) === params['id']);
        if (order === undefined) response.status(404).json(failures[404]);
        else response.json(newOrderOf(order, its()));
      })
      .get('/users/me', ...api, (_request, response) => {
        response.json({
          id: Number(its().userId),
          nickname: 'MATEDEEJEMPLO',
          country_id: 'AR',
          site_id: 'MLA',
          email: 'owner@mate.example',
        });
      });
  },
};
