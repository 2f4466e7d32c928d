import { emailKey } from '@leadback/domain';
import {
  accountMasterKeys,
  type AccountKeys,
  contactOfClient,
  contactOfLead,
  encryptContact,
  leadReferenceKeys,
  leadReferenceOf,
  lookupHash,
  masterKeysSchema,
  openAccountKey,
} from '@leadback/domain/keys';
import { byteaText, openPool, type Pool, type PoolClient, statement, transaction } from '@leadback/db';
import { z } from 'zod';
import { operate, type OperatorSurroundings } from './demo.ts';
import {
  inventedPages,
  inventedPlatforms,
  type InventedHistory,
  type InventedPlatform,
  inventHistory,
  rejectedSinceHours,
  tiktokRefusal,
  tiktokSinceDays,
} from './invented-shop.ts';

/** Says wherever the account is shown that nothing in it is real. */
const accountName = 'Invented shop (demonstration data)';

const created = z.object({ id: z.coerce.number() });

const pageTexts: Readonly<Record<(typeof inventedPages)[number], readonly string[]>> = {
  'invented-spring-sale': ['--title', 'Invented page: spring sale', '--text', 'Everything on this page is *invented*.'],
  'invented-catalogue': [
    '--title',
    'Invented page: catalogue',
    '--text',
    'Everything on this page is *invented*.',
    '--ask',
    'email',
    '--consent',
    'The invented shop may tell its ad platforms if I buy something.',
  ],
};

// the sandbox takes every secret but those with `revoked`
const connections: Readonly<Record<InventedPlatform, readonly string[]>> = {
  meta: ['--label', 'Invented data set', '--pixel-id', '555000111222', '--access-token', 'invented'],
  google: [
    '--label',
    'Invented Google account',
    '--customer-id',
    '555-000-1112',
    '--conversion-action-id',
    '555000333',
    '--client-id',
    'invented',
    '--client-secret',
    'invented',
    '--refresh-token',
    'invented',
  ],
  tiktok: ['--label', 'Invented pixel', '--pixel-code', 'INVENTED55500', '--access-token', 'invented-but-revoked'],
};

const findAccount = statement<{ id: number }>(
  `select account_id as id from audit_entry
   where action = 'account.create' and details->>'name' = $1 order by id desc limit 1`,
);
const findPages = statement<{ id: number; slug: string }>('select id, slug from landing_page where account_id = $1');
const findConnections = statement<{ id: number; platform: InventedPlatform }>(
  'select id, platform from platform_connection where account_id = $1 and deleted_at is null',
);

/** Creates what is missing of the account: a start may have been killed. */
const setUpAccount = async (pool: Pool, around: OperatorSurroundings, shopUrl: string): Promise<number> => {
  const run = (...words: string[]) => operate(around, ...words);
  const settings = ['--name', accountName, '--country', 'AR', '--time-zone', 'America/Argentina/Buenos_Aires'];
  const [known] = await findAccount(pool, [accountName]);
  const { id } = known ?? created.parse(await run('account', 'create', ...settings));
  const account = ['--account', String(id)];
  const [pages, connected] = [await findPages(pool, [id]), await findConnections(pool, [id])];
  await Promise.all([
    ...inventedPages
      .filter((slug) => !pages.some((page) => page.slug === slug))
      .map((slug) => run('page', 'create', ...account, '--slug', slug, '--target', shopUrl, ...pageTexts[slug])),
    ...inventedPlatforms
      .filter((name) => !connected.some(({ platform }) => platform === name))
      .map((name) =>
        run('connection', 'create', ...account, '--platform', name, ...connections[name], '--from-argv-i-know'),
      ),
  ]);
  return id;
};

interface Account {
  readonly id: number;
  readonly data_key: Buffer | null;
  readonly now: Date;
  /** Whether it has sales. */
  readonly is_filled: boolean;
}

const lockAccount = statement<Account>(
  `select id, data_key, now() as now, exists (select from conversion where account_id = $1) as is_filled
   from account where id = $1 for no key update`,
);

const iso = (ms: number): string => new Date(ms).toISOString();

/** The shop was there before its first visitor. */
const backdate = async (tx: PoolClient, accountId: number): Promise<void> => {
  const older = `now() - interval '61 days'`;
  const set = async (text: string, ...values: unknown[]) => {
    await statement(text)(tx, [accountId, ...values]);
  };
  await set(`update account set created_at = ${older} where id = $1`);
  await set(`update landing_page set created_at = ${older} where account_id = $1`);
  await set(
    `update platform_connection set created_at = ${older}, credentials_entered_at = ${older} where account_id = $1`,
  );
  const tiktok = `where account_id = $1 and platform = 'tiktok'`;
  const since = `now() - interval '${tiktokSinceDays} days'`;
  await set(
    `update platform_connection set created_at = ${since}, credentials_entered_at = ${since}, state = 'needs_attention',
       state_reason = $2 ${tiktok}`,
    tiktokRefusal,
  );
  // a trigger dates each change of a state
  await set(`update platform_connection set state_since = now() - interval '${rejectedSinceHours} hours' ${tiktok}`);
};

const insertVisits = statement(
  `insert into lead (account_id, landing_page_id, reference, click_parameters, click_times, user_agent, accept_language, referrer,
                     landing_url, contact, consent, consent_scope, created_at)
   select $1, p.id, i.reference, i.clicks, '{}', i."userAgent", 'es-AR', i.referrer, i.url, i.contact, i.consent,
          case when i.consent is not null then 'sharing' end, i.at
   from json_to_recordset($2) as i (reference text, page text, clicks jsonb, "userAgent" text, referrer text, url text,
                                    contact bytea, consent boolean, at timestamptz)
   join landing_page p on p.account_id = $1 and p.slug = i.page
   order by i.at`,
);

const insertClients = statement(
  `insert into client (account_id, lead_id, email_hash, external_reference, contact, landing_page_id, campaign, created_at)
   select $1, l.id, i."emailHash", i.reference, i.contact, l.landing_page_id, campaign_of(l.click_parameters, l.click_times), i.at
   from json_to_recordset($2) as i (reference text, lead text, "emailHash" text, contact bytea, at timestamptz)
   join lead l on l.reference = i.lead
   order by i.at`,
);

const insertFurtherVisits = statement(
  `insert into client_lead (client_id, lead_id, account_id, created_at)
   select c.id, l.id, $1, l.created_at
   from json_to_recordset($2) as i (client text, lead text)
   join client c on c.account_id = $1 and c.external_reference = i.client
   join lead l on l.reference = i.lead`,
);

const insertSales = statement(
  `insert into conversion (account_id, client_id, lead_id, amount, currency, external_reference, event_id, occurred_at, created_at,
                           landing_page_id, campaign)
   select $1, c.id, l.id, i.amount, i.currency, i.reference, i.reference, i.at, i.at, l.landing_page_id,
          campaign_of(l.click_parameters, l.click_times)
   from json_to_recordset($2) as i (reference text, client text, lead text, amount numeric, currency text, at timestamptz)
   join client c on c.account_id = $1 and c.external_reference = i.client
   join lead l on l.reference = i.lead
   order by i.at`,
);

const insertCorrections = statement(
  `insert into conversion_adjustment (account_id, conversion_id, is_test, kind, amount, previous_amount, occurred_at,
                                      external_reference, created_at)
   select $1, v.id, false, i.kind, i.amount, v.amount, i.at, i.reference, i.at
   from json_to_recordset($2) as i (reference text, sale text, kind text, amount numeric, at timestamptz)
   join conversion v on v.account_id = $1 and v.external_reference = i.sale
   order by i.at`,
);

const stageDeliveries = statement(
  `create temporary table told on commit drop as
   select nextval('delivery_id_seq') as id, null::bigint as parcel_id, c.id as connection_id, v.id as conversion_id,
          a.id as adjustment_id, l.id as lead_id, v.landing_page_id, v.campaign, i.*
   from json_to_recordset($2) as i (
     sale text, correction text, platform text, lead text, state text, reason text, "matchKeys" int, attempts json,
     "occurredAt" timestamptz, "createdAt" timestamptz, "closedAt" timestamptz)
   join platform_connection c on c.account_id = $1 and c.platform = i.platform and c.deleted_at is null
   left join conversion v on v.account_id = $1 and v.external_reference = i.sale
   left join conversion_adjustment a on a.account_id = $1 and a.external_reference = i.correction
   left join lead l on l.reference = i.lead
   order by i."createdAt"`,
);

// what waits for its connection is in parcels, as a worker would find it once the connection is resumed
const insertParcels = statement(
  `with parcel as (
     insert into delivery_due (account_id, connection_id, delivery_ids, retry_from, oldest_at)
     select $1, connection_id, array_agg(id order by id), min("createdAt"), min("occurredAt")
     from (select *, row_number() over (partition by connection_id order by id) / 200 as place from told where state = 'pending') open
     group by connection_id, place
     returning id, delivery_ids
   )
   update told set parcel_id = parcel.id from parcel where told.id = any(parcel.delivery_ids)`,
);

// as they were before they were sent: what closes them is counted as a change
const insertDeliveries = statement(
  `insert into delivery (id, account_id, conversion_id, adjustment_id, connection_id, parcel_id, occurred_at, created_at, lead_id,
                         landing_page_id, campaign)
   select id, $1, conversion_id, adjustment_id, connection_id, parcel_id, "occurredAt", "createdAt", lead_id, landing_page_id,
          campaign
   from told order by id`,
);

const closeDeliveries = statement(
  `update delivery d
   set state = told.state, reason = told.reason, closed_at = told."closedAt", match_keys = told."matchKeys",
       attempts = json_array_length(told.attempts), sent_version = case when told.state = 'delivered' then 1 end,
       is_confirmed = case when told.state = 'delivered' and told.platform = 'google' then true end
   from told where told.id = d.id and told.state <> 'pending' and d.account_id = $1`,
);

const insertAttempts = statement(
  `insert into delivery_attempt (account_id, delivery_id, outcome, reason, http_status, answer, duration_ms, created_at)
   select $1, told.id, i.outcome, i.reason, i.status, i.answer, i."durationMs", i.at
   from told cross join lateral json_to_recordset(told.attempts) as i (
     outcome text, reason text, status int, answer text, "durationMs" int, at timestamptz)
   order by i.at`,
);

interface Writing {
  readonly accountId: number;
  readonly keys: AccountKeys;
  /** The lead reference of a visit. */
  readonly referenceOf: (seed: string) => string;
  readonly landingUrl: string;
}

const store = async (tx: PoolClient, history: InventedHistory, writing: Writing): Promise<void> => {
  const { accountId, keys, referenceOf, landingUrl } = writing;
  const put = async (insert: typeof insertVisits, rows: readonly object[]) => {
    await insert(tx, [accountId, JSON.stringify(rows)]);
  };
  const visits = history.visits.map(({ seed, ipAddress, clickParameters, at, ...visit }) => {
    const reference = referenceOf(seed);
    const contact = encryptContact(keys, contactOfLead(accountId, reference), { ipAddress });
    const query = new URLSearchParams(Object.entries(clickParameters).filter(([name]) => !name.startsWith('_')));
    const url = `${landingUrl}/${visit.page}?${query.toString()}`;
    return { ...visit, reference, clicks: clickParameters, url, contact: contact && byteaText(contact), at: iso(at) };
  });
  await put(insertVisits, visits);
  const clients = history.buyers.map(({ visit, name, email, at, reference }) => {
    const lead = referenceOf(visit.seed);
    const contact = encryptContact(keys, contactOfClient(accountId, lead), { name, email });
    const emailHash = email === null ? null : lookupHash(keys, 'email', emailKey(email));
    return { reference, lead, emailHash, contact: contact && byteaText(contact), at: iso(at) };
  });
  await put(insertClients, clients);
  const further = history.furtherVisits.map(({ client, visit }) => ({ client, lead: referenceOf(visit.seed) }));
  await put(insertFurtherVisits, further);
  const sales = history.sales.map((sale) => ({ ...sale, lead: referenceOf(sale.visit.seed), at: iso(sale.at) }));
  await put(insertSales, sales);
  await put(
    insertCorrections,
    history.corrections.map((correction) => ({ ...correction, at: iso(correction.at) })),
  );
  const told = history.told.map(({ visit, occurredAt, createdAt, closedAt, attempts, ...delivery }) => ({
    ...delivery,
    lead: visit === null ? null : referenceOf(visit),
    occurredAt: iso(occurredAt),
    createdAt: iso(createdAt),
    closedAt: closedAt === null ? null : iso(closedAt),
    attempts: attempts.map((attempt) => ({ ...attempt, at: iso(attempt.at) })),
  }));
  await put(stageDeliveries, told);
  for (const write of [insertParcels, insertDeliveries, closeDeliveries, insertAttempts]) await write(tx, [accountId]);
};

const keepPartitions = statement<{ act: string | null }>('select act from change_attempt_partitions(null)');

/** Attempts of past months get partitions of their own at once, as the daily job would give them. */
const partition = async (pool: Pool): Promise<void> => {
  for (;;) {
    const [{ act } = { act: null }] = await keepPartitions(pool, []);
    if (act === null) return;
  }
};

interface HistorySurroundings extends OperatorSurroundings {
  /** Of the owner of the tables. */
  readonly ownerDatabaseUrl: string;
  readonly shopUrl: string;
}

/** An account with invented data. */
export interface InventedAccount {
  readonly accountId: number;
  readonly name: string;
}

/**
 * The account of a shop that does not exist, with 60 days of history, which is made once: clicks, clients, sales, corrections
 * and their deliveries, as if they had been registered and sent. Nothing of it is sent again.
 */
export const inventedAccount = async (around: HistorySurroundings): Promise<InventedAccount> => {
  await using database = await openPool({
    url: around.ownerDatabaseUrl,
    applicationName: 'leadback start',
    connectionsMax: 2,
  });
  const { pool } = database;
  const accountId = await setUpAccount(pool, around, around.shopUrl);
  const secretsKeys = masterKeysSchema.parse(around.secretsKey);
  const isNew = await transaction(pool, async (tx) => {
    const [account] = await lockAccount(tx, [accountId]);
    // somebody has forgotten it, or it is there
    if (!account?.data_key || account.is_filled) return false;
    const references = leadReferenceKeys(secretsKeys);
    await backdate(tx, accountId);
    await store(tx, inventHistory(account.now.getTime()), {
      accountId,
      keys: openAccountKey(accountMasterKeys(secretsKeys), accountId, account.data_key),
      referenceOf: (seed) => leadReferenceOf(references, `invented ${accountId} ${seed}`),
      landingUrl: around.landingUrl,
    });
    return true;
  });
  if (isNew) await partition(pool);
  return { accountId, name: accountName };
};
