import { randomBase62 } from '@leadback/domain/keys';
import { z } from 'zod';
import { currencyIn, lessRefunds, plainDecimal } from '../../amounts.ts';
import { isRecord, readBody, readJson, textAt, textIn, valueAt } from '../../body.ts';
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
import { isSignedBy } from '../../signature.ts';
import { wooCommerceTexts } from './texts.ts';

const signatureHeader = 'x-wc-webhook-signature';
const topicHeader = 'x-wc-webhook-topic';
const shopHeader = 'x-wc-webhook-source';

/** `…_gmt` is in UTC and does not say so. */
const utc = (written: string | undefined): string | undefined => written && `${written.replace(/Z$/, '')}Z`;

// An order that was paid stays so; of these, money was never there, or is no more.
const unpaid = ['pending', 'on-hold', 'failed', 'checkout-draft', 'draft', 'auto-draft'];
const ended = ['refunded', 'cancelled', 'trash'];

const listAt = (value: unknown, path: string): readonly unknown[] => {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
};

/** The first page of the visit, with its query: WooCommerce keeps it with the order. */
const sessionEntry = (order: unknown): string | undefined =>
  listAt(order, 'meta_data')
    .filter((meta) => textAt(meta, 'key') === '_wc_order_attribution_session_entry')
    .map((meta) => textAt(meta, 'value'))[0];

const nameOf = (order: unknown): string | undefined =>
  [textAt(order, 'billing.first_name'), textAt(order, 'billing.last_name')].filter(Boolean).join(' ') || undefined;

const itemOf = (line: unknown) => {
  const [price, quantity] = [valueAt(line, 'price'), valueAt(line, 'quantity')];
  const id = textAt(line, 'sku') ?? textAt(line, 'product_id');
  return {
    ...(id !== undefined && { id: id.slice(0, 100) }),
    ...(textAt(line, 'name') !== undefined && { name: textAt(line, 'name')?.slice(0, 200) }),
    ...(typeof quantity === 'number' && Number.isInteger(quantity) && quantity > 0 && { quantity }),
    ...(typeof price === 'number' && price >= 0 && { price }),
  };
};

const refundsOf = (order: unknown): string[] =>
  listAt(order, 'refunds').flatMap((refund) => plainDecimal(valueAt(refund, 'total')) ?? []);

const meaningOf = (order: unknown, topic: string): Meaning => {
  if (topic === 'order.deleted') return { kind: 'nothing', reason: 'not-used' };
  const [reference, status] = [textAt(order, 'id'), textAt(order, 'status')];
  const total = plainDecimal(valueAt(order, 'total'));
  const currency = currencyIn(valueAt(order, 'currency'));
  if (reference === undefined || status === undefined) return { kind: 'nothing', reason: 'not-used' };
  if (total === undefined) return { kind: 'nothing', reason: 'fields-wrong', message: 'total: no amount' };
  if (currency === undefined) return { kind: 'nothing', reason: 'fields-wrong', message: 'currency: not of ISO 4217' };
  const paidAt = utc(textAt(order, 'date_paid_gmt'));
  const items = listAt(order, 'line_items').slice(0, 100).map(itemOf);
  const read: SourceOrder = {
    reference,
    isPaid: paidAt !== undefined && !unpaid.includes(status),
    total,
    left: ended.includes(status) ? '0' : lessRefunds(total, refundsOf(order), currency),
    currency,
    paidAt,
    stateAt: utc(textAt(order, 'date_modified_gmt')),
    buyer: {
      name: nameOf(order),
      email: textAt(order, 'billing.email'),
      phone: textAt(order, 'billing.phone'),
      country: textAt(order, 'billing.country'),
    },
    landingUrls: [sessionEntry(order)],
    ip: textAt(order, 'customer_ip_address'),
    userAgent: textAt(order, 'customer_user_agent'),
    ...(items.length > 0 && { more: { items } }),
  };
  return { kind: 'order', order: read };
};

/**
 * Two deliveries of one second have the same delivery id, and one change may be sent up to four times: what the order says
 * tells repeats.
 */
const keyOf = (order: unknown, topic: string): string | undefined => {
  const id = textAt(order, 'id');
  if (id === undefined) return undefined;
  if (topic === 'order.deleted') return `${id} deleted`;
  const modified = textAt(order, 'date_modified_gmt');
  if (modified === undefined) return undefined;
  return [id, modified, textAt(order, 'status'), ...refundsOf(order)].join(' ');
};

const isGreeting = ({ headers, body }: ReceivedRequest): boolean =>
  headers[signatureHeader] === undefined && body.length < 64 && /^webhook_id=\d+$/.test(body.toString());

const read = (request: ReceivedRequest): Reading => {
  const sent = readBody(request);
  // the shape of the API's former versions
  const order = isRecord(sent) && isRecord(sent['order']) ? sent['order'] : sent;
  // security plug-ins drop headers that they do not know
  const topic = textIn(request.headers[topicHeader]) ?? 'order.updated';
  const means: Meaning = topic.startsWith('order.') ? meaningOf(order, topic) : { kind: 'nothing', reason: 'not-used' };
  return { event: topic, key: topic.startsWith('order.') ? keyOf(order, topic) : undefined, means, searched: order };
};

interface ShopApi {
  readonly shop: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

// whole orders: more of them may be longer than what is read of a response
const perPage = 25;

const fetchOrders = async (
  { requestTyped }: FetchTools,
  { shop, consumerKey, consumerSecret }: ShopApi,
  since: Date,
  page: number,
): Promise<Fetched> => {
  const query = {
    modified_after: since.toISOString().slice(0, 19),
    dates_are_gmt: 'true',
    orderby: 'id',
    order: 'asc',
    per_page: String(perPage),
    page: String(page),
  };
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
  const url = `${shop.replace(/\/+$/, '')}/wp-json/wc/v3/orders?${String(new URLSearchParams(query))}`;
  const listed = await fetchJson({ request: requestTyped }, { url, headers: { authorization } });
  if (listed.kind !== 'missing') return listed;
  return {
    kind: 'refused',
    reason: 'HTTP 404: there is no REST API at the address of the shop; plain permalinks have none',
  };
};

/** As its webhook would have sent them. */
const listedStates = (body: string): ListedState[] => {
  const list = readJson(body);
  if (!Array.isArray(list)) throw new TypeError('orders: not a list');
  return list.flatMap((order: unknown): ListedState[] => {
    const [reference, stateAt] = [textAt(order, 'id'), utc(textAt(order, 'date_modified_gmt'))];
    if (reference === undefined || stateAt === undefined) return [];
    const headers = { 'content-type': 'application/json', [topicHeader]: 'order.listed' };
    return [
      {
        reference,
        stateAt,
        request: { method: 'POST', headers, query: '', body: Buffer.from(JSON.stringify(order)) },
      },
    ];
  });
};

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#039;': "'",
};

/** WordPress reads what its owner typed as HTML, and signs with that. */
const asTyped = (secret: string): string[] => {
  const decoded = secret.replaceAll(/&(?:amp|lt|gt|quot|#039);/g, (entity) => entities[entity] ?? entity);
  return decoded === secret ? [secret] : [secret, decoded];
};

const keyText = (expected: string, start: string) =>
  z
    .string(expected)
    .trim()
    .startsWith(start, expected)
    .regex(/^[\w]+$/, expected);
const expectedKey = 'expected the consumer key, which begins with ck_';
const expectedKeySecret = 'expected the consumer secret, which begins with cs_';

/** Orders of a WooCommerce shop, by the webhooks that its owner adds in its settings. */
export const wooCommerce = defineKind({
  name: 'woocommerce',
  title: 'WooCommerce',
  sentTo: { setting: 'shop', secrets: ['consumerKey', 'consumerSecret'] },
  texts: wooCommerceTexts,
  settings: z.object({
    shop: z
      .url({ protocol: /^https?$/, error: 'expected the address of the shop, such as https://shop.example' })
      .optional()
      .meta({ help: 'address of the shop, to ask it once an hour for what no webhook told', value: 'url' }),
  }),
  secrets: z.object({
    secret: z.string('expected the secret of the webhook').trim().min(1, 'must not be empty').meta({
      help: 'the secret that you type into the webhook; without it, one is made',
      value: 'secret',
      isSecret: true,
    }),
    consumerKey: keyText(expectedKey, 'ck_').optional().meta({
      help: 'consumer key of the REST API of the shop, with the right to read',
      value: 'key',
      isSecret: true,
    }),
    consumerSecret: keyText(expectedKeySecret, 'cs_').optional().meta({
      help: 'consumer secret of this key',
      value: 'secret',
      isSecret: true,
    }),
  }),
  newSecret: () => randomBase62(40),
  methods: ['POST'],
  headers: [topicHeader, shopHeader],
  open: ({ shop }, { consumerKey, consumerSecret }, signing) => ({
    verify(request) {
      if (isGreeting(request)) return 'greeting';
      const signed = { encoding: 'base64', content: [request.body] } as const;
      return isSignedBy(signing.flatMap(asTyped), request.headers[signatureHeader], signed)
        ? 'genuine'
        : 'wrong-signature';
    },
    read,
    catchUp:
      shop === undefined || consumerKey === undefined || consumerSecret === undefined
        ? undefined
        : {
            fetch: (tools, since, page) => fetchOrders(tools, { shop, consumerKey, consumerSecret }, since, page),
            read: listedStates,
          },
  }),
});
