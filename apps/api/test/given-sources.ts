import { createHmac } from 'node:crypto';
import { erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { catchUpNextSource } from '@leadback/core/sources/catch-up';
import { fetchForNextEvents, fetchTools } from '@leadback/core/sources/fetch';
import { createSource, findListedSource, listSourceEvents } from '@leadback/core/sources/sources';
import { workOnNextEvents } from '@leadback/core/sources/work';
import { type Account, Conversion, ConversionAdjustment, Lead } from '@leadback/db';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { givenAccount, givenContacts, givenLead, secretsKeys, unique } from '@leadback/testing';
import type { TestApi } from './given-api.ts';

const referenceKeys = leadReferenceKeys(secretsKeys);

interface SourceOptions {
  readonly account?: Account;
  readonly kind: string;
  readonly isTest?: boolean;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** A source of an account, with the URL to which its shop sends. */
export const givenSource = async (
  api: TestApi,
  { account: given, kind, isTest = false, content = {} }: SourceOptions,
) => {
  const { pool } = api.database;
  const account = given ?? (await givenAccount(api.database.em()));
  const created = await createSource(pool, secretsKeys, {
    actor: 'test',
    accountId: account.id,
    kind,
    isTest,
    content,
  });
  const { id } = created;
  const events = async () => {
    const source = await findListedSource(pool, { id });
    return (await listSourceEvents(pool, source, { limit: 100 })).toReversed();
  };
  return {
    ...created,
    account,
    url: `/source/${created.path}`,
    /** What it was told, oldest first. */
    events,
    outcomes: async () => (await events()).map(({ outcome }) => outcome),
    /** The same, by name: of messages that arrive together, nobody knows which comes first. */
    sorted: async () => (await events()).map(({ outcome }) => String(outcome)).toSorted((a, b) => a.localeCompare(b)),
    counts: () => findListedSource(pool, { id }),
  };
};

export type TestSource = Awaited<ReturnType<typeof givenSource>>;

type Settings = Readonly<Record<string, unknown>>;

const toolsWith = (settings: Settings) => ({
  secretsKeys,
  referenceKeys,
  erasureKeys: erasureKeys(secretsKeys),
  contacts: givenContacts(),
  announce: () => {},
  fetching: fetchTools(settings),
});

/** Asks the other sides of all sources whose hour has come, as the role of the api. */
const catchUp = async (api: TestApi, settings: Settings): Promise<void> => {
  while (await catchUpNextSource(api.pool, toolsWith(settings)));
};

/** Works on all that is due, as the role of the api. */
export const workOff = async (api: TestApi, settings: Settings = {}): Promise<void> => {
  const tools = toolsWith(settings);
  for (;;) {
    const fetched = await fetchForNextEvents(api.pool, tools);
    const worked = await workOnNextEvents(api.pool, tools);
    if (!fetched && !worked) return;
    if (worked && worked.failures.length > 0) throw new Error(worked.failures.join());
  }
};

/** Works on some of what is due, as one of several processes does. */
export const workOnce = (api: TestApi) => workOnNextEvents(api.pool, toolsWith({}));

/** As if the hour of a source, and of no other, had come. */
export const catchUpOnly = async (api: TestApi, { id }: Pick<TestSource, 'id'>, settings: Settings): Promise<void> => {
  await api.database.pool.query(
    "update source set catch_up_at = now() + case when id = $1 then '0' else '1 hour' end::interval",
    [id],
  );
  await catchUp(api, settings);
  await workOff(api, settings);
};

/** As if the time for what waits had come. */
export const makeDue = async (api: TestApi, { id }: Pick<TestSource, 'id'>): Promise<void> => {
  await api.database.pool.query('update source_event set due_at = now() where source_id = $1 and finished_at is null', [
    id,
  ]);
};

/** The reference of a new click of an account. */
export const givenClick = async (api: TestApi, account: Account): Promise<string> => {
  const reference = issueLeadReference(referenceKeys);
  await givenLead(api.database.em(), { account, reference });
  return reference;
};

/** The sale of an account with a reference; undefined: there is none. */
export const saleOf = async (api: TestApi, account: Account, reference: string, isTest = false) => {
  const em = api.database.em();
  const named = isTest ? { testReference: reference } : { externalReference: reference };
  const sale = await em.findOne(Conversion, { account, ...named }, { populate: ['client'] });
  if (!sale) return undefined;
  const adjustments = await em.find(ConversionAdjustment, { conversion: sale }, { orderBy: { id: 'asc' } });
  const lead = await em.findOneOrFail(Lead, { id: sale.leadId });
  return { sale, lead, totals: adjustments.map(({ kind, amount }) => `${kind} ${amount}`) };
};

export const salesOf = (api: TestApi, account: Account): Promise<number> =>
  api.database.em().count(Conversion, { account });

export const hmac = (secret: string, body: string, encoding: 'hex' | 'base64' = 'base64'): string =>
  createHmac('sha256', secret).update(body).digest(encoding);

interface WooOrder {
  readonly id?: number | string;
  readonly status?: string;
  readonly total?: string;
  readonly currency?: string;
  readonly paidAt?: string | null;
  readonly modifiedAt?: string;
  readonly email?: string;
  readonly landingUrl?: string;
  readonly refunds?: readonly string[];
}

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19);

/** An order as WooCommerce sends it. */
export const wooOrder = ({
  id = unique('').replaceAll(/\D/g, ''),
  status = 'processing',
  total = '15400.50',
  currency = 'ARS',
  paidAt = minutesAgo(10),
  modifiedAt = minutesAgo(9),
  email = `${unique('buyer')}@x.example`,
  landingUrl = 'https://shop.example/p/mate',
  refunds = [],
}: WooOrder = {}) => ({
  id: Number(id),
  number: `N-${id}`,
  status,
  currency,
  total,
  date_created_gmt: minutesAgo(11),
  date_modified_gmt: modifiedAt,
  date_paid_gmt: paidAt,
  billing: { first_name: 'Ana', last_name: 'Gómez', email, phone: '11 5555-0101', country: 'AR' },
  customer_ip_address: '203.0.113.9',
  customer_user_agent: 'Mozilla/5.0',
  meta_data: [{ id: 1, key: '_wc_order_attribution_session_entry', value: landingUrl }],
  line_items: [{ id: 1, product_id: 77, sku: 'mate', name: 'Mate', quantity: 2, price: 7700.25 }],
  refunds: refunds.map((amount, index) => ({ id: index + 1, reason: '', total: `-${amount}` })),
});

export const minutesAgoGmt = minutesAgo;

/** Sends an order as WooCommerce does, signed. */
export const sendWoo = (
  api: TestApi,
  source: TestSource,
  order: object,
  { secret = source.secret ?? '', topic = 'order.updated' }: { readonly secret?: string; readonly topic?: string } = {},
) => {
  const body = JSON.stringify(order);
  return api.send('POST', source.url, {
    body,
    headers: {
      'x-wc-webhook-topic': topic,
      'x-wc-webhook-signature': hmac(secret, body),
      'x-wc-webhook-source': 'https://shop.example/',
    },
  });
};
