import { instantOf } from '@leadback/domain';
import { z } from 'zod';
import { currencyIn, plainDecimal } from '../../amounts.ts';
import { readBody, readJson, textAt, valueAt } from '../../body.ts';
import { fetchJson } from '../../fetch-json.ts';
import {
  defineKind,
  type FetchTools,
  type ListedState,
  type Meaning,
  type Reading,
  type ReceivedRequest,
  type SourceOrder,
} from '../../kind.ts';
import { isSignedBy } from '../../signature.ts';
import { tiendanubeTexts } from './texts.ts';

const apiUrl = 'TIENDANUBE_API_URL';
const signatureHeader = 'x-linkedstore-hmac-sha256';

// what came by other ways than the shop's own pages: a marketplace, an API, a draft of an employee
const otherFronts = ['meli', 'api', 'form'];
const paidStatuses = ['paid', 'partially_refunded', 'refunded'];
const endedStatuses = ['refunded', 'voided'];

/** `+0000`, without a colon. */
const timeAt = (order: unknown, path: string): string | undefined => instantOf(textAt(order, path) ?? '');

const wrong = (message: string): Meaning => ({ kind: 'nothing', reason: 'fields-wrong', message });

const meaningOf = (order: unknown, store: string): Meaning => {
  const storeId = textAt(order, 'store_id');
  if (storeId !== undefined && storeId !== store) return { kind: 'nothing', reason: 'other-store' };
  const [reference, status] = [textAt(order, 'id'), textAt(order, 'status')];
  const payment = textAt(order, 'payment_status');
  const total = plainDecimal(valueAt(order, 'total'));
  const currency = currencyIn(valueAt(order, 'currency'));
  if (reference === undefined) return wrong('id: not in the order');
  if (total === undefined) return wrong('total: no amount');
  if (currency === undefined) return wrong('currency: not of ISO 4217');
  if (otherFronts.includes(textAt(order, 'storefront') ?? '')) return { kind: 'nothing', reason: 'not-from-web' };
  const paidAt = timeAt(order, 'paid_at');
  const isEnded = status === 'cancelled' || endedStatuses.includes(payment ?? '');
  const read: SourceOrder = {
    reference,
    isPaid: paidAt !== undefined || paidStatuses.includes(payment ?? ''),
    total,
    left: isEnded ? '0' : total,
    currency,
    paidAt,
    stateAt: timeAt(order, 'updated_at'),
    buyer: {
      name: textAt(order, 'customer.name') ?? textAt(order, 'contact_name'),
      email: textAt(order, 'customer.email') ?? textAt(order, 'contact_email'),
      phone: textAt(order, 'customer.phone') ?? textAt(order, 'contact_phone') ?? textAt(order, 'billing_phone'),
      country: textAt(order, 'billing_country'),
    },
    landingUrls: [textAt(order, 'landing_url'), textAt(order, 'landing_site')],
    ip: textAt(order, 'client_details.browser_ip'),
    userAgent: textAt(order, 'client_details.user_agent'),
  };
  return { kind: 'order', order: read };
};

/** A customer has asked the shop to be forgotten; the shop's app is told by a message of its own shape. */
const redacted = (message: unknown): Meaning => {
  const email = textAt(message, 'customer.email');
  return { kind: 'erase', emails: email === undefined ? [] : [email] };
};

const idShape = /^\d{1,20}$/;

const read = (request: ReceivedRequest, store: string, fetched: string | undefined): Reading => {
  const message = readBody(request);
  const event = textAt(message, 'event') ?? (valueAt(message, 'orders_to_redact') ? 'customers/redact' : 'message');
  // what was listed says when it was changed; what was sent has nothing that tells repeats
  const changed = textAt(message, 'updated_at');
  const key = changed === undefined ? undefined : `${textAt(message, 'id')} ${changed}`;
  const reading = { event, key, searched: message };
  if (textAt(message, 'store_id') !== store) return { ...reading, means: { kind: 'nothing', reason: 'other-store' } };
  if (event === 'customers/redact') return { ...reading, means: redacted(message) };
  const id = textAt(message, 'id');
  if (!event.startsWith('order/') || id === undefined || !idShape.test(id)) {
    return { ...reading, means: { kind: 'nothing', reason: 'not-used' } };
  }
  if (fetched === undefined) return { ...reading, means: { kind: 'fetch', path: `/v1/${store}/orders/${id}` } };
  const order = readJson(fetched);
  return { event, key, means: meaningOf(order, store), searched: order };
};

const get = ({ urlOf, request }: FetchTools, path: string, accessToken: string) =>
  fetchJson(
    { request },
    // the name of the header is theirs, and requests without a user agent are refused
    {
      url: urlOf(apiUrl) + path,
      headers: { authentication: `bearer ${accessToken}`, 'user-agent': 'Leadback (sales of the store)' },
    },
  );

const perPage = 200;

const listPath = (store: string, since: Date, page: number): string => {
  const query = {
    updated_at_min: since.toISOString(),
    per_page: String(perPage),
    page: String(page),
    fields: 'id,updated_at',
  };
  return `/v1/${store}/orders?${String(new URLSearchParams(query))}`;
};

const listedStates = (body: string, store: string): ListedState[] => {
  const list = readJson(body);
  if (!Array.isArray(list)) throw new TypeError('orders: not a list');
  return list.flatMap((order: unknown): ListedState[] => {
    const [reference, stateAt] = [textAt(order, 'id'), timeAt(order, 'updated_at')];
    if (reference === undefined || stateAt === undefined) return [];
    const message = { store_id: store, event: 'order/listed', id: reference, updated_at: stateAt };
    const sent = Buffer.from(JSON.stringify(message));
    return [{ reference, stateAt, request: { method: 'POST', headers: {}, query: '', body: sent } }];
  });
};

const expectedStore = 'expected the digits of the store id, as the address of its admin or the token response shows it';
const secretText = (expected: string) => z.string(expected).trim().min(1, 'must not be empty');

/** Orders of a shop of Tiendanube or Nuvemshop, by an app of its own: a message names the order, which is fetched. */
export const tiendanube = defineKind({
  name: 'tiendanube',
  title: 'Tiendanube',
  texts: tiendanubeTexts,
  settings: z.object({
    store: z
      .string(expectedStore)
      .trim()
      .regex(/^\d{1,20}$/, expectedStore)
      .meta({ help: 'id of the store', value: 'id' }),
  }),
  secrets: z.object({
    secret: secretText('expected the client secret of the app').meta({
      help: 'client secret of the app',
      value: 'secret',
      isSecret: true,
    }),
    accessToken: secretText('expected the access token of the store').meta({
      help: 'access token that the store gave the app, with the scope read_orders',
      value: 'token',
      isSecret: true,
    }),
  }),
  methods: ['POST'],
  env: { [apiUrl]: 'https://api.tiendanube.com' },
  open: ({ store }, { accessToken }, signing) => ({
    verify(request) {
      const signed = { encoding: 'hex', content: [request.body] } as const;
      return isSignedBy(signing, request.headers[signatureHeader], signed) ? 'genuine' : 'wrong-signature';
    },
    read: (request, fetched) => read(request, store, fetched),
    fetch: (tools, path) => get(tools, path, accessToken),
    catchUp: {
      fetch: (tools, since, page) => get(tools, listPath(store, since, page), accessToken),
      read: (body) => listedStates(body, store),
    },
  }),
});
