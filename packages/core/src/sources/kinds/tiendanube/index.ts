import { instantOf } from '@leadback/domain';
import { z } from 'zod';
import { currencyIn, lessRefunds, plainDecimal } from '../../amounts.ts';
import { isRecord, readBody, readJson, textAt, valueAt } from '../../body.ts';
import { fetchJson } from '../../fetch-json.ts';
import {
  defineKind,
  type Fetched,
  type FetchTools,
  type ListedState,
  type Meaning,
  type Reading,
  type ReceivedRequest,
  type SourceOrder,
} from '../../kind.ts';
import { dataRequestMeaning, redactMeaning, shopRedactMeaning } from '../../privacy.ts';
import { isSignedBy } from '../../signature.ts';
import { connectingOf, userAgent } from './connect.ts';
import { tiendanubeTexts } from './texts.ts';

const apiUrl = 'TIENDANUBE_API_URL';
const appsUrl = 'TIENDANUBE_APPS_API_URL';
const signatureHeader = 'x-linkedstore-hmac-sha256';

// what came by other ways than the shop's own pages: a marketplace, an API, a draft of an employee
const otherFronts = ['meli', 'api', 'form', 'pos'];
const paidStatuses = ['paid', 'partially_refunded', 'refunded'];
const endedStatuses = ['refunded', 'voided'];

/** `+0000`, without a colon. */
const timeAt = (order: unknown, path: string): string | undefined => instantOf(textAt(order, path) ?? '');

const wrong = (message: string): Meaning => ({ kind: 'nothing', reason: 'fields-wrong', message });

const partly = 'partially_refunded';

/** What the transactions of an order say was given back; undefined: they do not say. */
const refundsOf = (transactions: unknown): string[] | undefined => {
  const list: readonly unknown[] = Array.isArray(transactions) ? transactions : [];
  const amounts = list.flatMap((one) => plainDecimal(valueAt(one, 'refunded_amount.value')) ?? []);
  return amounts.some((amount) => Number(amount) > 0) ? amounts : undefined;
};

const meaningOf = (order: unknown, transactions: unknown, store: string): Meaning => {
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
  const refunds = payment === partly && !isEnded ? refundsOf(transactions) : [];
  if (refunds === undefined) return wrong('refunded_amount: the store does not tell how much was given back');
  const read: SourceOrder = {
    reference,
    isPaid: paidAt !== undefined || paidStatuses.includes(payment ?? ''),
    total,
    left: isEnded ? '0' : lessRefunds(total, refunds, currency),
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

/** What the law makes every app take. */
const privacyMeaning = (event: string, message: unknown): Meaning => {
  if (event === 'store/redact') return shopRedactMeaning;
  return event === 'customers/data_request' ? dataRequestMeaning(message) : redactMeaning(message);
};

/** Messages about privacy do not name their event. */
const eventOf = (message: unknown): string => {
  const named = textAt(message, 'event');
  if (named !== undefined) return named;
  if (valueAt(message, 'data_request') !== undefined) return 'customers/data_request';
  if (valueAt(message, 'customer') !== undefined) return 'customers/redact';
  const isBare = isRecord(message) && Object.keys(message).every((name) => name === 'store_id');
  return isBare ? 'store/redact' : 'message';
};

const privacyEvents = ['store/redact', 'customers/redact', 'customers/data_request'];

const idShape = /^\d{1,20}$/;

const read = (request: ReceivedRequest, store: string | undefined, fetched: string | undefined): Reading => {
  const message = readBody(request);
  const event = eventOf(message);
  // what was listed says when it was changed; what was sent has nothing that tells repeats
  const changed = textAt(message, 'updated_at');
  const key = changed === undefined ? undefined : `${textAt(message, 'id')} ${changed}`;
  const reading = { event, key, searched: message };
  if (store === undefined || textAt(message, 'store_id') !== store) {
    return { ...reading, means: { kind: 'nothing', reason: 'other-store' } };
  }
  if (privacyEvents.includes(event)) return { ...reading, means: privacyMeaning(event, message) };
  const id = textAt(message, 'id');
  if (!event.startsWith('order/') || id === undefined || !idShape.test(id)) {
    return { ...reading, means: { kind: 'nothing', reason: 'not-used' } };
  }
  if (fetched === undefined) return { ...reading, means: { kind: 'fetch', path: `/v1/${store}/orders/${id}` } };
  const all = readJson(fetched);
  const order = valueAt(all, 'order');
  return { event, key, means: meaningOf(order, valueAt(all, 'transactions'), store), searched: order };
};

const readSafely = (body: string): unknown => {
  try {
    return readJson(body);
  } catch {
    return undefined;
  }
};

const get = ({ urlOf, request }: FetchTools, path: string, accessToken: string) =>
  fetchJson(
    { request },
    // the name of the header is theirs, and requests without a user agent are refused
    {
      url: urlOf(apiUrl) + path,
      headers: { authentication: `bearer ${accessToken}`, 'user-agent': userAgent },
    },
  );

/** The order; and what was given back of it, which the order itself does not say. */
const fetchOrder = async (tools: FetchTools, path: string, accessToken: string): Promise<Fetched> => {
  const order = await get(tools, path, accessToken);
  if (order.kind !== 'fetched') return order;
  const isPartly = textAt(readSafely(order.body), 'payment_status') === partly;
  const transactions = isPartly ? await get(tools, `${path}/transactions`, accessToken) : undefined;
  if (transactions?.kind === 'unavailable') return transactions;
  const told = transactions?.kind === 'fetched' ? transactions.body : 'null';
  // as text: ids keep all of their digits
  return { kind: 'fetched', body: `{"order":${order.body},"transactions":${told}}` };
};

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
const expectedApp = 'expected the digits of the id of the app, as the partner panel shows it';
const idText = (expected: string) => z.string(expected).trim().regex(idShape, expected);
const secretText = (expected: string) => z.string(expected).trim().min(1, 'must not be empty');

/** Orders of a shop of Tiendanube or Nuvemshop, by an app of its own: a message names the order, which is fetched. */
export const tiendanube = defineKind({
  name: 'tiendanube',
  title: 'Tiendanube',
  texts: tiendanubeTexts,
  settings: z.object({
    appId: idText(expectedApp)
      .optional()
      .meta({ help: 'id of the app, to connect the store in the console', value: 'id' }),
    // an app of one's own is created with the URLs of the source: what it gives is entered later, or comes with its code
    store: idText(expectedStore).optional().meta({ help: 'id of the store', value: 'id' }),
  }),
  secrets: z.object({
    secret: secretText('expected the client secret of the app').optional().meta({
      help: 'client secret of the app',
      value: 'secret',
      isSecret: true,
    }),
    accessToken: secretText('expected the access token of the store').optional().meta({
      help: 'access token that the store gave the app, with the scope read_orders',
      value: 'token',
      isSecret: true,
    }),
  }),
  methods: ['POST'],
  env: { [apiUrl]: 'https://api.tiendanube.com', [appsUrl]: 'https://www.tiendanube.com' },
  connects: true,
  open: ({ appId, store }, { secret, accessToken }, signing) => ({
    verify(request) {
      const signed = { encoding: 'hex', content: [request.body] } as const;
      return isSignedBy(signing, request.headers[signatureHeader], signed) ? 'genuine' : 'wrong-signature';
    },
    read: (request, fetched) => read(request, store, fetched),
    fetch: async (tools, path) =>
      accessToken === undefined
        ? { kind: 'refused', reason: 'the store is not connected: there is no access token' }
        : fetchOrder(tools, path, accessToken),
    catchUp:
      store === undefined || accessToken === undefined
        ? undefined
        : {
            fetch: (tools, since, page) => get(tools, listPath(store, since, page), accessToken),
            read: (body) => listedStates(body, store),
          },
    connecting:
      appId === undefined || secret === undefined
        ? undefined
        : connectingOf({ apiUrl, appsUrl, appId, secret, store, accessToken }),
  }),
});
