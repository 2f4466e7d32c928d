import { instantOf } from '@leadback/domain';
import { z } from 'zod';
import { currencyIn, lessRefunds, plainDecimal } from '../../amounts.ts';
import { readBody, readJson, textAt, valueAt } from '../../body.ts';
import { fetchJson } from '../../fetch-json.ts';
import {
  defineKind,
  type Fetched,
  type FetchTools,
  type Meaning,
  type Reading,
  type ReceivedRequest,
  type SigningSecrets,
  type SourceOrder,
  type Verdict,
} from '../../kind.ts';
import { isSignedBy } from '../../signature.ts';
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

const pathOf = (type: string, id: string | undefined): string | undefined => {
  if (id === undefined || !idShape.test(id)) return undefined;
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

const meaningOf = (payment: unknown): Meaning => {
  const [reference, status = ''] = [textAt(payment, 'id'), textAt(payment, 'status')];
  const total = plainDecimal(valueAt(payment, 'transaction_amount'));
  const currency = currencyIn(valueAt(payment, 'currency_id'));
  if (reference === undefined) return wrong('id: not in the payment');
  if (total === undefined) return wrong('transaction_amount: no amount');
  if (currency === undefined) return wrong('currency_id: not of ISO 4217');
  if (textAt(payment, 'order.type') === 'mercadolibre') return { kind: 'nothing', reason: 'not-from-web' };
  const refunded = plainDecimal(valueAt(payment, 'transaction_amount_refunded')) ?? '0';
  const order: SourceOrder = {
    reference,
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
  const path = pathOf(type, id ?? textAt(message, 'data.id'));
  const reading = { event, searched: message };
  if (path === undefined) return { ...reading, means: { kind: 'nothing', reason: 'not-used' } };
  if (fetched === undefined) return { ...reading, means: { kind: 'fetch', path } };
  const payment = readJson(fetched);
  return { event, means: meaningOf(payment), searched: payment };
};

/** The payment of an order of payments: some sellers are told of these orders alone. */
const paymentOf = (order: string): string | undefined => {
  const payments = valueAt(readJson(order), 'payments');
  const list: readonly unknown[] = Array.isArray(payments) ? payments : [];
  const found = list.find((one) => paid.includes(textAt(one, 'status') ?? ''));
  const id = textAt(found, 'id');
  return id !== undefined && idShape.test(id) ? `/v1/payments/${id}` : undefined;
};

const fetch = async ({ request, urlOf }: FetchTools, path: string, accessToken: string): Promise<Fetched> => {
  const get = (wanted: string) =>
    fetchJson({ request }, { url: urlOf(apiUrl) + wanted, headers: { authorization: `Bearer ${accessToken}` } });
  const fetched = await get(path);
  if (fetched.kind !== 'fetched' || !path.startsWith('/merchant_orders/')) return fetched;
  const payment = paymentOf(fetched.body);
  // it comes with the payment, and another note then
  return payment === undefined ? { kind: 'missing' } : get(payment);
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
  }),
});
