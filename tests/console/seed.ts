import { createHmac } from 'node:crypto';
import type { Account, LandingPage, PlatformConnection } from '@leadback/db';
import { askErasure, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { audit } from '@leadback/core/audit';
import { createSource, pauseSource, sourceUrl } from '@leadback/core/sources/sources';
import { matchKeySet, type PlatformName } from '@leadback/domain';
import {
  givenAccount,
  givenAdjustment,
  givenApiKey,
  givenClient,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenLandingPage,
  givenManyDeliveries,
  givenWebhook,
  secretsKeys,
} from '@leadback/testing';
import type { TestConsole } from '../../apps/console/test/given-console.ts';
import { filesOf } from '../../apps/console/test/given-files.ts';
import { sendToSource } from '../../apps/console/test/given-sources.ts';

type Of = Pick<TestConsole, 'database'>;
type Admin = Awaited<ReturnType<TestConsole['person']>>;

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');

const campaigns = [
  '=brand-search-ar',
  'retargeting-2026',
  '',
  'a-campaign-with-a-name-that-does-not-end-before-the-next-line',
];

/** What the clicks on these pages earned, on each day from 200 days ago until today, in numbers that follow from the day. */
export const givenResults = ({ database }: Of, account: Account, pages: readonly LandingPage[]) =>
  database.pool.query(
    `insert into metric_increment (account_id, at, landing_page_id, campaign, measure, change)
     select $1::bigint, day, page, ($3::text[])[1 + (place + (current_date - day))::int % 4], measure,
            round(size * (60 + abs(hashtext(day || measure)) % 80) / (100 * place))
     from unnest($2::bigint[]) with ordinality p (page, place)
     cross join (select current_date - ago as day from generate_series(0, 200) ago) days
     cross join (values ('leads', 120), ('clients', 50), ('conversions', 22), ('amount.USD', 930), ('amount.ARS', 410000),
       ('amount.BRL', 2600), ('amount.CLP', 8400000), ('refunded.USD', 27)
       union all
       select concat_ws('.', 'deliveries', c.platform, d.state, c.id), d.size
       from (values ('meta', 'delivered', 21), ('meta', 'failed', 2), ('google', 'delivered', 19), ('google', 'skipped', 3),
               ('tiktok', 'delivered', 12), ('tiktok', 'pending', 4)) d (platform, state, size)
       join (select platform, min(id) as id from platform_connection where account_id = $1 group by 1) c using (platform)
     ) m (measure, size)
     union all
     -- more than the table shows
     select $1::bigint, current_date - 1, ($2::bigint[])[1], 'campaign ' || n, 'leads', 1 from generate_series(1, 100) n`,
    [account.id, pages.map(({ id }) => id), campaigns],
  );

/** An attempt to send deliveries, so many hours after the first one. */
const givenAttempts = ({ database }: Of, ids: readonly number[], hours: number, isAccepted: boolean) =>
  database.pool.query(
    `insert into delivery_attempt (account_id, delivery_id, outcome, reason, http_status, answer, duration_ms, created_at)
     select account_id, id, $3, reason, $4, $5, $6, now() + $2::int * interval '1 hour' from delivery where id = any($1)`,
    isAccepted
      ? [ids, hours, 'delivered', 204, '{"events_received":1,"messages":[],"fbtrace_id":"AbCdEf123"}', 84]
      : [ids, hours, 'unavailable', 503, '<html>temporarily unavailable</html>', 3021],
  );

/** Connections in every state, and deliveries in every state. */
const givenDeliveries = async (of: Of, account: Account) => {
  const { database } = of;
  const em = database.em();
  const connect = (platform: PlatformName, more = {}) => givenConnection(em, { account, platform, ...more });
  const meta = await connect('meta', {
    label: 'Acme Argentina',
    eventKinds: ['conversion', 'lead'],
    eventNames: { subscription: 'Subscribe' },
  });
  const credentials = { clientId: 'client', clientSecret: 'secret', refreshToken: 'token' };
  const google = await connect('google', { credentials });
  const tiktok = await connect('tiktok');
  await connect('linkedin', { label: 'Wholesale of Acme, campaigns of the agency in Buenos Aires', state: 'paused' });
  const deliver = (connection: PlatformConnection, rows: number, more: object, prefix = '') =>
    givenManyDeliveries(database, { connection, rows, ...(prefix && { reference: prefix }), ...more });
  await deliver(tiktok, 12, { state: 'skipped', reason: 'consent', currency: 'ARS' }, 'gift-2026-');
  const waiting = await deliver(tiktok, 88, { parcelSize: 20, currency: 'ARS', amount: '1250000' }, 'loan-2026-');
  await database.pool.query(
    `update delivery set attempts = 1, reason = 'HTTP 503: Service Unavailable' where id = any($1)`,
    [waiting],
  );
  await database.pool.query(
    `update delivery_due set not_before = now() + interval '3 minutes' where connection_id = $1`,
    [tiktok.id],
  );
  const reason = 'The developer token is not approved for this account';
  await deliver(google, 88, { state: 'failed', reason, amount: '46.60' });
  await deliver(google, 61, { state: 'delivered' });
  await database.pool.query(
    `update platform_connection set state = 'needs_attention', state_reason = 'invalid_grant: Token has been expired or revoked.'
     where id = $1`,
    [google.id],
  );
  await deliver(meta, 1196, { state: 'failed', reason: 'INVALID_CURRENCY_CODE: the currency is not known' });
  const invalid = { state: 'failed', reason: 'HTTP 400: Invalid parameter', amount: '249.90' };
  const failed = await deliver(meta, 8, invalid, 'order-2026-');
  await deliver(meta, 186, { state: 'delivered' }, 'sale-2026-');
  for (const hours of [-2, -1]) await givenAttempts(of, failed, hours, false);
  return { meta, google, tiktok, failed: failed.at(-1) ?? 0 };
};

/** A click on Google that became two sales, one of them refunded in part. */
const givenStory = async ({ database }: Of, account: Account, connections: readonly PlatformConnection[]) => {
  const em = database.em();
  const utm = { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'black-friday-2026-latam' };
  const clickParameters = { gclid: 'EAIaIQobChMI1234', _fbp: 'fb.1.2.3', ...utm };
  const conversion = await givenConversion(em, {
    account,
    amount: '249.90',
    eventName: 'subscription',
    externalReference: 'order-2026-191',
    client: {
      name: 'Ana Pérez',
      email: 'ana.perez.with.a.long.name@shop.example.com',
      phoneNumber: '+5491122334499',
      externalReference: 'customer-11',
      lead: { clickParameters, consent: true, email: 'a@example.com' },
    },
  });
  const client = await conversion.client.loadOrFail();
  await givenConversion(em, {
    account,
    amount: '1250000',
    currency: 'ARS',
    client: { lead: await client.lead.loadOrFail() },
  });
  const [connection] = connections;
  for (const one of connections) await givenDelivery(em, { connection: one, conversion, state: 'delivered' });
  const told = { kind: 'restate', amount: '99.90', externalReference: 'refund-2026-7' } as const;
  const adjustment = await givenAdjustment(em, { conversion, ...told });
  if (connection) {
    await givenDelivery(em, { connection, adjustment });
    await givenDelivery(em, { connection, client, state: 'delivered' });
  }
  return conversion.id;
};

/** Files that were tried, are read and cannot be read, and a list that was compared. */
const givenFiles = async (console: TestConsole, account: Account, admin: Admin) => {
  await givenClient(console.database.em(), { account, externalReference: 'C1' });
  for (const reference of ['listed-1', 'listed-2', 'extra-1'])
    await givenConversion(console.database.em(), { account, amount: '80', externalReference: reference });
  const files = filesOf(console, admin, account.id);
  const sales = `conversionExternalReference,clientExternalReference,amount,currency,occurredAt
${lines(40, (index) => `ventas-${index},C1,${index + 100}.90,${index % 3 === 0 ? 'ARS' : 'USD'},${daysAgo(index % 9)}`)}ventas-1,C1,1,USD,
${lines(21, (index) => `order-2026-${8700 + index},${index % 2 ? 'C1' : 'nobody'},${index % 2 ? '1.234' : '7'},USD,`)}`;
  const dryRun = await files.tried(sales, 'of=conversion&name=ventas-octubre-2026.csv');
  const list = `conversionExternalReference,amount,currency,clientExternalReference,occurredAt
listed-1,80,USD,,\nlisted-2,95,USD,,\nlisted-2,95,USD,,\nlisted-9,3,USD,nobody,\nlisted-10,-1,USD,,
${lines(12, (index) => `order-2026-${8731 + index},149.90,${index % 4 ? 'USD' : 'ARS'},C1,${daysAgo(2)}`)}`;
  const { id: compared } = await files.compared(
    list,
    `from=${daysAgo(30).slice(0, 10)}&to=${daysAgo(0).slice(0, 10)}&name=october.csv`,
  );
  const { rows } = await console.database.pool.query<{ id: number; state: string }>(
    `insert into import (account_id, is_test, is_dry_run, subject, state, columns, delimiter, file_name, created_by, message, rows,
       done, finished_at)
     values ($1, true, true, 'client', 'running', '{}', ',', 'clients.csv', $2, null, 1260, 400, null),
            ($1, false, true, 'conversion', 'refused', '{}', ',', 'sales.csv', $2, 'line 4: 5 cells, but the header has 4', 0, 0,
             now())
     returning id::int, state`,
    [account.id, admin.email],
  );
  const idOf = (state: string) => rows.find((row) => row.state === state)?.id ?? 0;
  return { dryRun: dryRun.id, running: idOf('running'), refused: idOf('refused'), compared };
};

const givenWebhooks = async (of: Of, account: Account) => {
  const { database } = of;
  const em = database.em();
  const hook = (url: string, more: object) => givenWebhook(em, { account, url, ...more });
  const shop = await hook('https://shop.example/webhooks/leadback?source=ads', {
    topics: ['delivery.failed', 'connection.needs_attention'],
  });
  const warehouse = await hook('https://warehouse.shop.example/events', { state: 'paused' });
  await hook('https://staging.shop.example/leadback', { isTest: true });
  await database.pool.query(`update platform_connection set state_reason = 'failing' where id = $1`, [warehouse.id]);
  const { rows } = await database.asOwner(
    `with event as (
       insert into webhook_event (account_id, is_test, type, data, created_at)
       select $1, false, 'delivery.failed',
              jsonb_build_object('deliveryId', 9000 + n, 'conversionId', 4000 + n, 'connectionId', 1, 'platform', 'meta', 'state',
                'failed', 'reason', 'INVALID_CURRENCY_CODE: the currency is not known', 'isTest', false),
              now() + (n - 60) * interval '1 hour'
       from generate_series(21, 50) n returning id)
     insert into delivery (account_id, webhook_event_id, connection_id, state, reason, closed_at)
     select $1, id, c, case when id % 5 = 0 then 'failed' else 'delivered' end, case when id % 5 = 0 then 'HTTP 503' end, now()
     from event, unnest($2::bigint[]) c returning id::int, connection_id::int as webhook, state`,
    [account.id, [shop.id, warehouse.id]],
  );
  const log: { readonly id: number; readonly webhook: number; readonly state: string }[] = rows;
  const ids = (wanted: string) => log.flatMap(({ id, state }) => (state === wanted ? [id] : []));
  await givenAttempts(
    of,
    log.map(({ id }) => id),
    -2,
    false,
  );
  await givenAttempts(of, ids('delivered'), -1, true);
  await givenAttempts(of, ids('failed'), -1, false);
  const delivered = log.findLast(({ webhook, state }) => webhook === shop.id && state === 'delivered');
  return { shop: shop.id, warehouse: warehouse.id, delivered: delivered?.id ?? 0 };
};

/** Sources in every state, one with messages of every outcome. None has a sale of its own: figures stay as they are. */
const givenSources = async (console: TestConsole, account: Account, story: number) => {
  const { pool } = console.database;
  const add = async (kind: string, label: string, content: Readonly<Record<string, unknown>> = {}) => {
    const wanted = { actor: 'test', accountId: account.id, kind, label, isTest: kind === 'stripe', content };
    const { id, path } = await createSource(pool, secretsKeys, wanted);
    return { id, url: sourceUrl('https://api.example', path) };
  };
  const shop = await add('woocommerce', 'Mates and bombillas of the north, wholesale');
  const network = await add('postback', 'Affiliates');
  const service = await add('webhook', 'Reservations', { signature: 'hmac', header: 'X-Signature', secret: 's' });
  const store = await add('tiendanube', 'Store', { store: '5238476', secret: 's', accessToken: 't' });
  await add('stripe', 'Stripe');
  const paused = await add('mercadopago', 'Payments', { secret: 's', accessToken: 't' });
  await pauseSource(pool, { actor: 'test', id: paused.id });
  await pool.query(
    `update source set state = 'needs_attention', state_reason = 'HTTP 401: Invalid access token' where id = $1`,
    [store.id],
  );
  await pool.query(
    `insert into source_event (account_id, source_id, received_at, event, order_reference, finished_at, outcome, conversion_id)
     select $1, $2, now() - n * interval '7 minutes', outcome, 'order-2026-' || n, now(), outcome, case when n < 40 then $3::bigint end
     from (select n, case when n < 30 then 'sale' else 'adjusted' end as outcome from generate_series(10, 39) n) events`,
    [account.id, network.id, story],
  );
  for (const query of [
    'order=order-2026-191&status=pending',
    'order=order-2026-192&amount=49.90&currency=USD&status=approved',
    'order=order-2026-193&amount=many&currency=USD',
    'ref={subacc4}&order=order-2026-194&amount=49.90&currency=USD',
  ])
    await sendToSource(console, { url: network.url, query });
  const body = JSON.stringify({
    type: 'reservation.paid',
    reservation: { number: 'R-1', total: '10,50', currency: 'ARS' },
  });
  const signature = createHmac('sha256', 's').update(body).digest('hex');
  await sendToSource(console, {
    url: service.url,
    body,
    headers: { 'content-type': 'application/json', 'x-signature': signature },
  });
  return { shop: shop.id, network: network.id, service: service.id, store: store.id };
};

const givenPages = async ({ database }: Of, account: Account) => {
  const em = database.em();
  const page = (slug: string, more: object = {}) =>
    givenLandingPage(em, { account, slug, targetUrl: `https://shop.example.com/${slug}`, ...more });
  await page('mothers-day-2025-buenos-aires-and-surroundings', { isOn: false, title: 'For the best of all mothers' });
  const newsletter = await page('newsletter', { title: 'News of the season, once a month' });
  const direct = await page('app-install', { mode: 'direct' });
  const script = await page('own-shop', {
    mode: 'script',
    origins: ['https://shop.example.com', 'https://wholesale.shop.example.com'],
  });
  const summer = await page('summer-sale', { title: 'Sandals for every day of the summer' });
  const first = await page('black-friday', {
    title: 'Everything at half price until Sunday',
    text: 'Leave us your email and we send you the **code** at once.\n\n- free delivery\n- 30 days to return',
    buttonLabel: 'Get my code',
    accentColor: '#0b6b3a',
    askedFields: ['name', 'email'],
    consentText: 'I agree that my data is shared with advertising platforms.',
    privacyUrl: 'https://shop.example.com/privacy',
  });
  await database.pool.query(
    `insert into own_domain (account_id, name, state, finding, checked_at) values
       ($1, 'go.shop.example.com', 'wrong', '{"kind": "other-addresses", "addresses": ["198.51.100.1", "2001:db8::1"]}', now()),
       ($1, 'offers-of-the-season.wholesale.shop.example.com', 'waiting', '{"kind": "missing"}', now())`,
    [account.id],
  );
  return { first, direct, script, all: [first, summer, newsletter, direct] };
};

/** The closed deliveries of a shop that sends no phone numbers. */
const givenQuality = ({ database }: Of, account: Account) => {
  const carried = { email: true, externalId: true, ipAndUserAgent: true };
  const counts = [
    ['meta', 'delivered', '', { ...carried, fbclid: true, fbp: true }, 2900],
    ['meta', 'delivered', '', carried, 1088],
    ['meta', 'skipped', 'consent', undefined, 96],
    ['meta', 'failed', 'event_too_old', carried, 36],
    ['google', 'delivered', '', { gclid: true, email: true }, 3870, 'used'],
    ['google', 'delivered', '', { gclid: true, email: true }, 24],
    ['google', 'failed', 'CLICK_NOT_FOUND', { gclid: true }, 186, 'unused'],
    ['google', 'skipped', 'no_match_keys', undefined, 31],
    ['google', 'failed', 'other', { gclid: true }, 9],
  ] as const;
  return Promise.all(
    counts.map(([platform, state, reason, keys, deliveries, verdict = '']) =>
      database.pool.query(
        `insert into quality_day (account_id, day, connection_id, platform, state, reason, verdict, match_keys, currency,
                                  deliveries, amount)
         select $1, current_date - 1, min(id), $2, $3, $4, $7, $5, 'USD', $6::bigint, $6::bigint * 40.5
         from platform_connection where account_id = $1 and platform = $2`,
        [account.id, platform, state, reason, keys ? matchKeySet(keys) : -1, deliveries, verdict],
      ),
    ),
  );
};

const givenErasures = async (console: TestConsole, account: Account) => {
  const { pool } = console.database;
  const em = console.database.em();
  const ask = (subject: Parameters<typeof askErasure>[2]['subject'], askedBy: 'console' | 'visitor', actor: string) =>
    askErasure(pool, erasureKeys(secretsKeys), { accountId: account.id, askedBy, actor, subject });
  const client = await givenClient(em, { account, name: 'Eva', email: 'eva@example.com' });
  const asked = await client.lead.loadOrFail();
  const receipt = await ask({ email: 'eva@example.com' }, 'console', 'operator.with.a.long.name@agency.example');
  await ask({ leadReference: asked.reference }, 'visitor', 'visitor');
  const lead = await (await givenClient(em, { account })).lead.loadOrFail();
  await ask({ leadReference: lead.reference }, 'visitor', 'visitor');
  while (await performNextErasure(pool, erasureTools(secretsKeys, 30)));
  for (const email of ['bo@example.com', 'cleo@example.com']) await ask({ email }, 'console', 'ana@example.com');
  const failed = await ask({ externalReference: 'customer-1' }, 'console', 'ana@example.com');
  await pool.query(`update erasure set state = 'failed' where id = $1`, [failed]);
  return receipt;
};

/** People in every state, and what they did. */
const givenPeople = async ({ database }: Of, accounts: readonly Account[]) => {
  await database.pool.query(
    `with one as (
       insert into person (email, role, password_hash, second_factor, seen_at, disabled_at) values
         ('bo@example.com', 'operator', 'x', 'x', now() - interval '300 hours', null),
         ('cleo.rodriguez@agency.example', 'marketer', 'x', 'x', now() - interval '2 hours', null),
         ('dan@acme.example', 'partner-admin', null, null, null, null),
         ('eva@acme.example', 'partner-viewer', null, null, null, null),
         ('fred@acme.example', 'partner-viewer', 'x', 'x', now(), now())
       returning id, email, role, password_hash
     ), invited as (
       insert into invitation (person_id, token_hash, expires_at)
       select id, sha256(email::bytea), now() + case when email like 'dan%' then 100 else -3 end * interval '1 hour' from one
       where password_hash is null)
     insert into membership (person_id, account_id)
     select id, account from one, unnest($1::bigint[]) account where role <> 'operator' and (role = 'marketer' or account = $2)`,
    [accounts.map(({ id }) => id), accounts[0]?.id],
  );
};

const givenAuditLog = async ({ database }: Of, { id: accountId }: Account) => {
  const em = database.em();
  const entries = [
    [
      'invented.action',
      'key 4',
      'webhook 12',
      { events: ['delivery.failed', 'import.finished'], isTest: true, url: null },
    ],
    [
      'connection.change',
      'cleo.rodriguez@agency.example',
      'connection 1',
      { pixelId: { before: '123456789012345', after: '5' } },
    ],
    ['delivery.retry', 'ana@example.com', 'delivery 192', {}],
    ['key.revoke', 'operator root', 'key 2', { name: 'Agency', prefix: 'lb_live_m3Zw8B' }],
    ['account.change', 'ana@example.com', 'account 1', { rateLimit: { before: 100, after: 200 } }],
  ] as const;
  for (const [action, actor, target, details] of entries)
    await audit(em, { accountId, action, actor, target, details });
};

const givenKeys = async ({ database }: Of, account: Account) => {
  const em = database.em();
  const keys = [
    ['Black Friday 2025', { expiresAt: new Date(daysAgo(290)) }],
    ['Agency', { revokedAt: new Date(daysAgo(4)) }],
    ['Shop, staging', { isTest: true, expiresAt: new Date(daysAgo(-80)) }],
    ['Shop, production', {}],
  ] as const;
  for (const [name, options] of keys)
    await givenApiKey(em, { account, name, scopes: ['read', 'register'], ...options });
};

/** Passkeys of somebody, and sessions elsewhere. */
const givenSignIns = async ({ database }: Of, { personId }: Admin) => {
  await database.pool.query(
    `with passkeys as (
       insert into passkey (person_id, credential_id, public_key, name, used_at) values
         ($1, 'one', '', 'Safari · iPhone', now()), ($1, 'two', '', 'Security key in the drawer of the desk at home', null))
     insert into person_session (person_id, token_hash, device, expires_at) values
       ($1, 'one', 'Safari · iPhone', now() + interval '1 day'), ($1, 'two', 'Chrome · Windows', now() + interval '1 day')`,
    [personId],
  );
};

/** An account with data of every kind, and one that is suspended and has nothing. */
export const givenSeed = async (console: TestConsole, admin: Admin) => {
  const em = console.database.em();
  const account = Object.assign(await givenAccount(em), { name: 'Acme Store' });
  const empty = Object.assign(await givenAccount(em, { status: 'suspended', rateLimit: 50 }), {
    name: 'Globex',
    country: 'BR',
    gpcReading: 'measure' as const,
  });
  await em.flush();
  const pages = await givenPages(console, account);
  const { failed, ...connections } = await givenDeliveries(console, account);
  const story = await givenStory(console, account, [connections.meta, connections.google, connections.tiktok]);
  const files = await givenFiles(console, account, admin);
  const webhooks = await givenWebhooks(console, account);
  const sources = await givenSources(console, account, story);
  const receipt = await givenErasures(console, account);
  await givenResults(console, account, pages.all);
  await givenQuality(console, account);
  await givenKeys(console, account);
  await givenPeople(console, [account, empty]);
  await givenAuditLog(console, account);
  await givenSignIns(console, admin);
  const invited = await console.invite({ email: 'gil@example.com', role: 'marketer', accounts: [account.id] });
  return {
    account,
    empty,
    pages,
    failed,
    ...connections,
    story,
    files,
    webhooks,
    sources,
    receipt,
    invitation: invited.token,
  };
};
