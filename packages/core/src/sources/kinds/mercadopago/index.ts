import { instantOf } from '@leadback/domain';
import { z } from 'zod';
import { currencyIn, lessRefunds, plainDecimal } from '../../amounts.ts';
import { readBody, readJson, textAt, valueAt } from '../../body.ts';
import { fetchJson } from '../../fetch-json.ts';
import {
  defineKind,
  type Fetched,
  type FetchTools,
  type ListedState,
  type Meaning,
  type Reading,
  type ReceivedRequest,
  type SigningSecrets,
  type SourceOrder,
  type Verdict,
} from '../../kind.ts';
import { isSignedBy } from '../../signature.ts';
import { isOrderId, orderMeaning } from './orders.ts';
import { mercadoPagoTexts } from './texts.ts';

const apiUrl = 'MERCADOPAGO_API_URL';

interface Note {
  readonly type: string;
  /** As the URL has it: it is signed. */
  readonly id: string | undefined;
  /** Whether it is of the former kind, which is never signed. */
  readonly isIpn: boolean;
}

const noteOf = ({ query }: ReceivedRequest): Note => {
  const parameters = new URLSearchParams(query);
  const isIpn = parameters.has('topic') && !parameters.has('data.id');
  return {
    type: parameters.get('type') ?? parameters.get('topic') ?? '',
    id: parameters.get('data.id') ?? parameters.get('id') ?? undefined,
    isIpn,
  };
};

const part = (signature: string, name: string): string | undefined =>
  new RegExp(`(?:^|,)\\s*${name}=([^,\\s]+)`).exec(signature)?.[1];

/** Missing parts are left out with their names. Whether the id was put into small letters, documents and libraries differ. */
const manifests = (id: string | undefined, requestId: string | undefined, time: string): string[] => {
  const rest = `${requestId === undefined ? '' : `request-id:${requestId};`}ts:${time};`;
  return id === undefined ? [rest] : [...new Set([id, id.toLowerCase()])].map((one) => `id:${one};${rest}`);
};

/**
 * A note says nothing but that there is something to fetch: its age does not matter, and a note of the former kind, or of a
 * payment by QR code, needs no signature. The payment that is fetched is the proof.
 */
const verify = (request: ReceivedRequest, signing: SigningSecrets): Verdict => {
  const { id, isIpn } = noteOf(request);
  const signature = request.headers['x-signature'];
  if (signature === undefined) return isIpn ? 'genuine' : 'wrong-signature';
  const [time, written] = [part(signature, 'ts'), part(signature, 'v1')];
  if (time === undefined) return 'wrong-signature';
  const isSigned = manifests(id, request.headers['x-request-id'], time).some((text) =>
    isSignedBy(signing, written, { encoding: 'hex', content: [text] }),
  );
  return isSigned ? 'genuine' : 'wrong-signature';
};

const idShape = /^\d{1,20}$/;

const ordersPath = '/v1/orders/';

const pathOf = (type: string, id: string | undefined): string | undefined => {
  if (id === undefined) return undefined;
  if (type === 'order' || type === 'orders') return isOrderId(id) ? `${ordersPath}${id}` : undefined;
  if (!idShape.test(id)) return undefined;
  if (type === 'payment') return `/v1/payments/${id}`;
  return type === 'merchant_order' || type === 'topic_merchant_order_wh' ? `/merchant_orders/${id}` : undefined;
};

const wrong = (message: string): Meaning => ({ kind: 'nothing', reason: 'fields-wrong', message });

// its money was there, also if it was given back; in mediation, it still is
const paid = ['approved', 'refunded', 'charged_back', 'in_mediation'];
const ended = ['refunded', 'charged_back'];

const phoneIn = (payment: unknown): string | undefined =>
  [textAt(payment, 'payer.phone.area_code'), textAt(payment, 'payer.phone.number')].filter(Boolean).join(' ') ||
  undefined;

const nameIn = (payment: unknown): string | undefined =>
  [textAt(payment, 'payer.first_name'), textAt(payment, 'payer.last_name')].filter(Boolean).join(' ') || undefined;

/** The order of the newer API that a payment is a part of. Undefined: of none. */
const orderIdOf = (payment: unknown): string | undefined => {
  const id = textAt(payment, 'order.id');
  return id !== undefined && isOrderId(id) ? id : undefined;
};

const meaningOf = (payment: unknown): Meaning => {
  const [reference, status = ''] = [textAt(payment, 'id'), textAt(payment, 'status')];
  const total = plainDecimal(valueAt(payment, 'transaction_amount'));
  const currency = currencyIn(valueAt(payment, 'currency_id'));
  if (reference === undefined) return wrong('id: not in the payment');
  if (total === undefined) return wrong('transaction_amount: no amount');
  if (currency === undefined) return wrong('currency_id: not of ISO 4217');
  if (textAt(payment, 'order.type') === 'mercadolibre') return { kind: 'nothing', reason: 'not-from-web' };
  const refunded = plainDecimal(valueAt(payment, 'transaction_amount_refunded')) ?? '0';
  // an order of the newer API is told with it, by its own id
  const order: SourceOrder = {
    reference: orderIdOf(payment) ?? reference,
    isPaid: paid.includes(status),
    total,
    left: ended.includes(status) ? '0' : lessRefunds(total, [refunded], currency),
    currency,
    paidAt: instantOf(textAt(payment, 'date_approved') ?? ''),
    stateAt: instantOf(textAt(payment, 'date_last_updated') ?? ''),
    isTest: valueAt(payment, 'live_mode') === false,
    buyer: { name: nameIn(payment), email: textAt(payment, 'payer.email'), phone: phoneIn(payment) },
    ip: textAt(payment, 'additional_info.ip_address'),
  };
  return { kind: 'order', order };
};

const read = (request: ReceivedRequest, fetched: string | undefined): Reading => {
  const { type, id } = noteOf(request);
  const message = request.body.length === 0 ? undefined : readBody(request);
  const event = textAt(message, 'action') ?? (type || 'message');
  const named = id ?? textAt(message, 'data.id');
  const path = pathOf(type, named);
  // what was listed says when it was changed; what was sent has nothing that tells repeats
  const listedAt = textAt(message, 'listed_at');
  const key = listedAt === undefined ? undefined : `${named} ${listedAt}`;
  const reading = { event, key, searched: message };
  if (path === undefined) return { ...reading, means: { kind: 'nothing', reason: 'not-used' } };
  if (fetched === undefined) return { ...reading, means: { kind: 'fetch', path } };
  const found = readJson(fetched);
  if (!isOrderId(textAt(found, 'id') ?? '')) return { event, key, means: meaningOf(found), searched: found };
  // the order does not say whether it is a test: its message does
  return { event, key, means: orderMeaning(found, valueAt(message, 'live_mode') === false), searched: found };
};

/** The payment of an order of payments: some sellers are told of these orders alone. */
const paymentOf = (order: string): string | undefined => {
  const payments = valueAt(readJson(order), 'payments');
  const list: readonly unknown[] = Array.isArray(payments) ? payments : [];
  const found = list.find((one) => paid.includes(textAt(one, 'status') ?? ''));
  const id = textAt(found, 'id');
  return id !== undefined && idShape.test(id) ? `/v1/payments/${id}` : undefined;
};

const get = ({ request, urlOf }: FetchTools, path: string, accessToken: string): Promise<Fetched> =>
  fetchJson({ request }, { url: urlOf(apiUrl) + path, headers: { authorization: `Bearer ${accessToken}` } });

/** What a payment that a search showed is called in the log. */
const listed = 'payment.listed';

// whole payments: more of them may be longer than what is read of a response
const perPage = 50;

/** All that was changed, also of old payments: refunds and chargebacks change them. */
const searchPath = (since: Date, page: number): string => {
  const query = {
    range: 'date_last_updated',
    begin_date: since.toISOString(),
    end_date: 'NOW',
    sort: 'date_last_updated',
    criteria: 'asc',
    limit: String(perPage),
    offset: String((page - 1) * perPage),
  };
  return `/v1/payments/search?${String(new URLSearchParams(query))}`;
};

/** As their notes, of which each is looked up: what a search shows may be older than the payment. */
const listedStates = (body: string): ListedState[] => {
  const list = valueAt(readJson(body), 'results');
  if (!Array.isArray(list)) throw new TypeError('results: not a list');
  return list.flatMap((payment: unknown): ListedState[] => {
    const id = textAt(payment, 'id');
    const stateAt = instantOf(textAt(payment, 'date_last_updated') ?? '');
    if (id === undefined || stateAt === undefined) return [];
    const note = { action: listed, type: 'payment', data: { id }, listed_at: stateAt };
    const query = String(new URLSearchParams({ 'data.id': id, type: 'payment' }));
    const sent = Buffer.from(JSON.stringify(note));
    const reference = orderIdOf(payment) ?? id;
    return [{ reference, stateAt, request: { method: 'POST', headers: {}, query, body: sent } }];
  });
};

const fetch = async (tools: FetchTools, path: string, accessToken: string): Promise<Fetched> => {
  const fetched = await get(tools, path, accessToken);
  if (fetched.kind !== 'fetched') return fetched;
  if (path.startsWith('/v1/payments/')) {
    // of one order, there may be several payments: the order has their total
    const orderId = orderIdOf(readJson(fetched.body));
    if (orderId === undefined) return fetched;
    const order = await get(tools, ordersPath + orderId, accessToken);
    return order.kind === 'missing' ? fetched : order;
  }
  if (!path.startsWith('/merchant_orders/')) return fetched;
  const payment = paymentOf(fetched.body);
  // it comes with the payment, and another note then
  return payment === undefined ? { kind: 'missing' } : get(tools, payment, accessToken);
};

/** Payments of a seller at Mercado Pago: a message names the payment, which is fetched. */
export const mercadoPago = defineKind({
  name: 'mercadopago',
  title: 'Mercado Pago',
  texts: mercadoPagoTexts,
  settings: z.object({}),
  secrets: z.object({
    secret: z
      .string('expected the secret of the webhooks')
      .trim()
      .min(1, 'must not be empty')
      // it is shown once its URL is known there: until then nothing is genuine, and is sent again later
      .optional()
      .meta({ help: 'secret of the webhooks of your application', value: 'secret', isSecret: true }),
    accessToken: z
      .string('expected the access token of the seller')
      .trim()
      .min(1, 'must not be empty')
      .meta({ help: 'access token of the seller, with which payments are read', value: 'token', isSecret: true }),
  }),
  methods: ['POST'],
  env: { [apiUrl]: 'https://api.mercadopago.com' },
  open: (_settings, { accessToken }, signing) => ({
    verify: (request) => verify(request, signing),
    read,
    fetch: (tools, path) => fetch(tools, path, accessToken),
    catchUp: {
      fetch: (tools, since, page) => get(tools, searchPath(since, page), accessToken),
      read: listedStates,
    },
  }),
});
