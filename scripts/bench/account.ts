import { setTimeout as pause } from 'node:timers/promises';
import type { LocalProcess } from '@leadback/testing/stack';
import type { Pool } from 'pg';
import { z } from 'zod';
import { say } from './figures.ts';
import type { Asked, Rate } from './load.ts';
import { type Bench, warmUp } from './measure.ts';
import { type BenchStack, clearEvents, receivedEvents } from './stack.ts';

const clientsCount = 100;

/** As a browser sends them. */
const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.9',
  'accept-encoding': 'gzip, deflate, br, zstd',
} as const;

/** A visitor's click on an ad of Meta and Google, at the page of `givenAccount`: 302 if its mode is `direct`. */
export const clickAt = (landingUrl: string, expected: 200 | 302): Asked => ({
  url: `${landingUrl}/bench?gclid=bench&fbclid=bench`,
  method: 'GET',
  headers: browser,
  expected,
});

/** The same click on a target page, as the script there reports it: each a lead of its own, as clicks have. */
export const reportAt = (landingUrl: string): Asked => ({
  url: `${landingUrl}/bench-script/lead`,
  method: 'POST',
  headers: {
    ...browser,
    accept: '*/*',
    origin: 'https://shop.example',
    'content-type': 'text/plain;charset=UTF-8',
  },
  body: '{"url":"https://shop.example/offer?gclid=bench{n}&fbclid=bench","referrer":"https://www.google.com/","cookies":{"_fbp":"fb.1.1700000000000.1234567890"}}',
  expected: 201,
});

/** Registers clients of these leads in turn. */
export const clientAt = (url: string, headers: Asked['headers'], leads: string[]): Asked => ({
  url: `${url}/client`,
  method: 'POST',
  headers,
  body: `{"leadReference":"{name}","externalReference":"C{n}","email":"c{n}@shop.example"}`,
  names: leads,
  expected: 201,
});

/** Registers conversions of these clients in turn; `O` and the number of the request is also the id of its event. */
export const conversionAt = (url: string, headers: Asked['headers'], clients: string[]): Asked => ({
  url: `${url}/client/conversion`,
  method: 'POST',
  headers,
  body: `{"clientExternalReference":"{name}","conversionExternalReference":"O{n}","amount":10,"currency":"USD"}`,
  names: clients,
  expected: 201,
});

/** A paid order as WooCommerce sends it, of the first page of a visit with one of these leads. */
const shopOrder = (leads: readonly string[]) => {
  const at = new Date(Date.now() - 60_000).toISOString().slice(0, 19);
  const address = {
    address_1: 'Av. Corrientes 1234',
    city: 'Buenos Aires',
    state: 'C',
    postcode: 'C1043',
    country: 'AR',
  };
  const buyer = {
    first_name: 'Ana',
    last_name: 'Gomez',
    ...address,
    email: 'ana{n}@shop.example',
    phone: '11 5555-0101',
  };
  const item = { product_id: 77, sku: 'mate', name: 'Mate', quantity: 2, price: 5, taxes: [], meta_data: [] };
  const page = 'https://shop.example/p/mate?serviceId={name}&utm_source=google&utm_campaign=summer';
  const order = {
    id: '{n}',
    status: 'processing',
    currency: 'USD',
    total: '10.00',
    date_created_gmt: at,
    date_modified_gmt: at,
    date_paid_gmt: at,
    order_key: 'wc_order_{n}',
    billing: buyer,
    shipping: address,
    payment_method: 'card',
    customer_ip_address: '203.0.113.9',
    customer_user_agent: browser['user-agent'],
    // as many as plug-ins add
    meta_data: [
      { id: 1, key: '_wc_order_attribution_session_entry', value: page },
      ...Array.from({ length: 20 }, (_, id) => ({
        id: id + 2,
        key: `_plugin_field_${id}`,
        value: 'a value of a plug-in',
      })),
    ],
    line_items: Array.from({ length: 5 }, (_, id) => ({ id: id + 1, ...item })),
    refunds: [],
  };
  return { body: JSON.stringify(order).replace('"{n}"', '{n}'), names: [...leads] };
};

/** Adds a shop to the account of `givenAccount`; returns the request that it sends for each order, the next of its leads in turn. */
export const givenShop = async ({ operator, apiUrl }: BenchStack, leads: readonly string[]): Promise<Asked> => {
  const created = await operator('source create --account 1 --kind woocommerce');
  const { url, secret } = z.object({ url: z.string(), secret: z.string() }).parse(created);
  return {
    url: new URL(new URL(url).pathname, apiUrl).href,
    method: 'POST',
    headers: { 'user-agent': 'WooCommerce/9.4.2 Hookshot (WordPress/6.7)', 'x-wc-webhook-topic': 'order.updated' },
    ...shopOrder(leads),
    signature: { header: 'x-wc-webhook-signature', secret },
    expected: 200,
  };
};

const worked = z.tuple([z.object({ open: z.coerce.number(), n: z.coerce.number(), at_ms: z.coerce.number() })]);

/**
 * Waits until all that shops sent since then has been worked on; both in milliseconds since 1970. Returns when 99 % of it was, and of how
 * much. Throws if something of it came to no sale.
 */
export const untilWorked = async (pool: Pool, sinceMs: number) => {
  for (;;) {
    const { rows } = await pool.query(
      `select count(*) filter (where finished_at is null) as open, count(*) filter (where outcome = 'sale') as n,
              coalesce(extract(epoch from percentile_disc(0.99) within group (order by finished_at)) * 1000, 0) as at_ms
       from source_event where received_at >= to_timestamp($1::float8 / 1000)`,
      [sinceMs],
    );
    const [{ open, n, at_ms: atMs }] = worked.parse(rows);
    if (open === 0) return { sales: n, atMs };
    await pause(pollMs);
  }
};

const connections = {
  meta: 'connection create --account 1 --platform meta --pixel-id 1234567890 --access-token t --from-argv-i-know',
  google:
    'connection create --account 1 --platform google --customer-id 1234567890 --conversion-action-id 1 --client-id c --client-secret s --refresh-token r --from-argv-i-know',
} as const;

interface Account {
  readonly mode?: 'direct' | 'page';
  readonly platforms?: readonly (keyof typeof connections)[];
}

/** Creates an account with a landing page; returns its API key as a header. */
export const givenAccount = async ({ operator }: BenchStack, { mode = 'direct', platforms = [] }: Account = {}) => {
  say('  creating an account');
  await operator('account create --name Bench --rate-limit 1000000');
  await operator(`page create --account 1 --slug bench --mode ${mode} --target https://shop.example/offer`);
  for (const platform of platforms) await operator(connections[platform]);
  const { key } = z.object({ key: z.string() }).parse(await operator('key issue --account 1 --name bench'));
  return { 'x-api-key': key };
};

const send = async (url: string, expected: number, options: RequestInit): Promise<void> => {
  const { status } = await fetch(url, { redirect: 'manual', ...options });
  if (status !== expected) throw new Error(`${url} responded with ${status}`);
};

/** Records leads by clicks at the landing app, which runs until then, and returns their references. */
export const givenLeads = async (stack: BenchStack): Promise<string[]> => {
  await using _landing = await stack.startApp('landing');
  const { url, headers } = clickAt(stack.landingUrl, 302);
  await Promise.all(Array.from({ length: clientsCount }, () => send(url, 302, { headers })));
  const { rows } = await stack.pool.query('select reference from lead');
  if (rows.length !== clientsCount) throw new Error(`${clientsCount} clicks recorded ${rows.length} leads`);
  return z
    .array(z.object({ reference: z.string() }))
    .parse(rows)
    .map(({ reference }) => reference);
};

/** An account with a hundred clients and a running api; also returns the request that registers conversions. */
export const givenClients = async (stack: BenchStack, account: Account = {}) => {
  const headers = await givenAccount(stack, account);
  const leads = await givenLeads(stack);
  const api = await stack.startApp('api');
  const clients = leads.map((_, index) => `C${index + 1}`);
  const register = (leadReference: string, index: number): Promise<void> => {
    const body = JSON.stringify({ leadReference, externalReference: clients[index], email: `c${index}@shop.example` });
    const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    return send(`${stack.apiUrl}/client`, 201, sent);
  };
  await Promise.all(leads.map(register));
  return { api, headers, leads, clients, conversion: conversionAt(stack.apiUrl, headers, clients) };
};

const pollMs = 100;
const tellMs = 5_000;
const stuckMs = 300_000;

const flag = z.tuple([z.object({ found: z.boolean() })]);
const count = z.tuple([z.object({ n: z.coerce.number() })]);
const moment = z.tuple([z.object({ at_ms: z.coerce.number() })]);
const states = z.array(z.object({ state: z.string(), n: z.coerce.number() }));

export const countOpen = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query('select coalesce(sum(cardinality(delivery_ids)), 0) as n from delivery_due');
  return count.parse(rows)[0].n;
};

/**
 * Waits until no delivery is open. Throws if their number has not changed for five minutes, or if one ended otherwise than
 * delivered: what was not sent must not count as cheap.
 */
export const untilDelivered = async (pool: Pool): Promise<void> => {
  let [open, changedAt, saidAt] = [Number.NaN, performance.now(), performance.now()];
  for (;;) {
    const { rows } = await pool.query('select exists (select from delivery_due) as found');
    if (!flag.parse(rows)[0].found) break;
    await pause(pollMs);
    const now = performance.now();
    if (now - saidAt < tellMs) continue;
    saidAt = now;
    const left = await countOpen(pool);
    say(`  ${left} deliveries open`);
    if (left !== open) changedAt = now;
    if (now - changedAt > stuckMs) throw new Error(`${left} deliveries have been open for five minutes`);
    open = left;
  }
  const { rows } = await pool.query('select state, count(*) as n from delivery group by 1');
  const others = states.parse(rows).filter(({ state }) => state !== 'delivered');
  if (others.length > 0) throw new Error(`not all were delivered: ${JSON.stringify(others)}`);
};

/** When all deliveries of 99 % of the conversions registered since then were closed; both in milliseconds since 1970. */
export const mostClosedAt = async (pool: Pool, sinceMs: number): Promise<number> => {
  const { rows } = await pool.query(
    `select extract(epoch from percentile_disc(0.99) within group (order by closed_at)) * 1000 as at_ms
     from (select max(closed_at) as closed_at from delivery where created_at >= to_timestamp($1::float8 / 1000)
           group by conversion_id) conversions`,
    [sinceMs],
  );
  return moment.parse(rows)[0].at_ms;
};

export interface Delivery extends Awaited<ReturnType<typeof givenClients>> {
  readonly stack: BenchStack;
  readonly sandbox: LocalProcess;
  readonly worker: LocalProcess;
}

/** An account whose conversions are delivered to Meta and Google: the apps run, are warm, and have nothing left to do. */
export const givenDelivery = async (bench: Bench): Promise<Delivery> => {
  const stack = await bench.open();
  const given = await givenClients(stack, { platforms: ['meta', 'google'] });
  const sandbox = await stack.startApp('sandbox');
  const worker = await stack.startApp('feedback-worker');
  await warmUp(bench, stack.pool, given.conversion);
  await untilDelivered(stack.pool);
  await clearEvents(stack);
  return { stack, ...given, sandbox, worker };
};

/**
 * How long after the api's response each platform received the conversions of a load with a rate (`conversionAt`):
 * milliseconds, by platform.
 */
export const receiptsOf = async (
  stack: BenchStack,
  { responses }: Rate,
): Promise<ReadonlyMap<string, readonly number[]>> => {
  const respondedAt = new Map(responses.map(([number, atMs]) => [`O${number}`, atMs]));
  const waits = new Map<string, Map<string, number>>();
  for (const { platform, eventId, receivedAtMs } of await receivedEvents(stack)) {
    const responded = respondedAt.get(eventId);
    if (responded === undefined) continue;
    const ofPlatform = waits.get(platform) ?? new Map<string, number>();
    waits.set(platform, ofPlatform);
    // the first of several copies
    if (!ofPlatform.has(eventId)) ofPlatform.set(eventId, receivedAtMs - responded);
  }
  return new Map([...waits].map(([platform, ofPlatform]) => [platform, [...ofPlatform.values()]]));
};
