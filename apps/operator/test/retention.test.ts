import { type ConnectionPool, Reconciliation } from '@leadback/db';
import {
  type TestDatabase,
  everyRow,
  givenAccount,
  givenClient,
  givenConnection,
  givenDatabase,
  givenLandingPage,
  givenLead,
  givenWebhook,
  shared,
  openPatientPool,
} from '@leadback/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyRetention } from '../src/upkeep/retention.ts';
import { givenOperator } from './given-operator.ts';

const leadsDays = 400;
const attemptsDays = 90;

const old = (column: string) => `${column} < now() - interval '${leadsDays} days'`;

const givenHistory = async (database: TestDatabase): Promise<void> => {
  const connection = await givenConnection(database.em());
  const account = await connection.account.loadOrFail();
  const { landingPage } = await givenLead(database.em(), { account });
  // oldest first; every seventh was written late, after younger ones
  await database.pool.query(
    `insert into lead (account_id, landing_page_id, reference, click_parameters, click_times, user_agent, accept_language,
                       referrer, landing_url, contact, email_hash, consent, created_at)
     select $1, $2, 'reference ' || n, jsonb_build_object('gclid', 'click ' || n, '_fbp', 'cookie', 'utm_campaign', 'c' || n % 3),
            case when n % 2 = 0 then jsonb_build_object('gclid', '2020-01-31T12:00:00Z') end,
            'Mozilla', 'es', 'https://referrer.example', 'https://landing.example/?gclid=click', 'encrypted', 'hash', n % 2 = 0,
            now() - (case when n % 7 = 0 then 800 else 1000 end) * interval '1 day' + n * interval '8 hours'
     from generate_series(1, 2600) n order by n`,
    [account.id, landingPage.id],
  );
  await database.pool.query(
    `insert into client (account_id, lead_id, landing_page_id, campaign, contact, email_hash, external_reference, created_at)
     select account_id, id, landing_page_id, '', 'encrypted', 'hash', reference, created_at from lead where id % 3 = 0`,
  );
  await database.pool.query(
    `insert into client_lead (client_id, lead_id, account_id) select id, lead_id + 1, account_id from client where id % 2 = 0`,
  );
  await database.pool.query(
    `insert into conversion (account_id, client_id, lead_id, amount, currency, external_reference, event_id, landing_page_id, campaign, created_at)
     select account_id, id, lead_id, 10, 'USD', external_reference, external_reference, landing_page_id, campaign, created_at from client`,
  );
  // in all states; closed at once, much later or never
  await database.pool.query(
    `insert into delivery (account_id, conversion_id, connection_id, occurred_at, landing_page_id, campaign, state, created_at, closed_at)
     select account_id, id, $1, created_at, landing_page_id, campaign, (array['pending', 'delivered', 'failed', 'skipped'])[1 + id % 4], created_at,
            case when id % 4 > 0 then created_at + (id % 5) * interval '50 days' end
     from conversion`,
    [connection.id],
  );
  await database.pool.query(
    `insert into delivery_attempt (account_id, delivery_id, outcome, duration_ms)
     select account_id, id, 'delivered', 1 from delivery, generate_series(1, 2)`,
  );
  await database.pool.query(
    `insert into platform_request (account_id, connection_id, name, check_at, created_at)
     select $1, $2, 'request ' || n, case when n % 3 = 0 then now() end, now() - n * interval '1 day' from generate_series(200, 1, -1) n`,
    [account.id, connection.id],
  );
};

describe('retention', () => {
  let database: TestDatabase;
  let owner: ConnectionPool;
  beforeEach(async () => {
    database = await givenDatabase();
    owner = await openPatientPool({
      url: database.ownerUrl,
      applicationName: 'retention',
      hasNoStatementTimeout: true,
    });
  });
  afterEach(async () => {
    await owner[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  const apply = (isDryRun = false) => applyRetention(owner.pool, { leadsDays, attemptsDays, isDryRun, tell: () => {} });
  const texts = async (query: string) => {
    const { rows } = await database.pool.query<{ text: string }>(query);
    return rows.map(({ text }) => text);
  };
  /** Data that retention must not change. */
  const kept = async () => ({
    clients: await texts('select c::text as text from client c order by id'),
    conversions: await texts('select c::text as text from conversion c order by id'),
    leads: await texts(`select l::text as text from lead l where not ${old('created_at')} order by id`),
    deliveries: await texts(
      `select f::text as text from delivery f where state = 'pending' or not ${old('closed_at')} order by id`,
    ),
    attempts: await texts(
      `select a::text as text from delivery_attempt a join delivery f on f.id = a.delivery_id
       where f.state = 'pending' or not ${old('f.closed_at')} order by a.id`,
    ),
    requests: await texts(
      `select r::text as text from platform_request r
       where check_at is not null or created_at >= now() - interval '${attemptsDays} days' order by id`,
    ),
    // conversions are counted by it
    dimensions: await texts(
      `select (v.id, l.id, l.reference, l.landing_page_id, l.click_parameters->>'utm_campaign', l.created_at, l.consent)::text as text
       from conversion v
       join lateral (select v.lead_id union select lead_id from client_lead where client_id = v.client_id) its on true
       join lead l on l.id = its.lead_id order by v.id, l.id`,
    ),
  });

  it('deletes old data in any state and changes nothing else', async () => {
    await givenHistory(database);
    const before = await kept();
    const foretold = await apply(true);
    expect(await apply()).toEqual(foretold);
    expect(await kept()).toEqual(before);

    // a second run finds nothing, and the remaining leads have no visitor data
    expect(
      await texts(`select id::text as text from delivery where state <> 'pending' and ${old('closed_at')}`),
    ).toEqual([]);
    expect(
      await texts('select id::text as text from delivery_attempt where delivery_id not in (select id from delivery)'),
    ).toEqual([]);
    expect(
      await texts(
        `select id::text as text from platform_request where check_at is null and created_at < now() - interval '${attemptsDays} days'`,
      ),
    ).toEqual([]);
    expect(
      await texts(
        `select id::text as text from lead where ${old('created_at')} and id not in (select lead_id from client union select lead_id from client_lead)`,
      ),
    ).toEqual([]);
    const stripped = await texts(
      `select distinct (click_parameters - 'utm_campaign', click_times, user_agent, accept_language, referrer,
                        landing_url, contact, email_hash)::text as text
       from lead where ${old('created_at')}`,
    );
    expect(stripped).toEqual(['({},,,,,,,)']);

    expect(await apply()).toMatchObject({
      rows: {
        leadsDeleted: 0,
        leadsStripped: 0,
        withdrawalsDeleted: 0,
        deliveriesDeleted: 0,
        platformRequestsDeleted: 0,
      },
    });
  });

  it('retention changes nothing in a dry run', async () => {
    await givenHistory(database);
    const before = await everyRow(database);
    expect(await apply(true)).toMatchObject({ kind: 'applied', rows: { leadsDeleted: expect.any(Number) } });
    expect(await everyRow(database)).toEqual(before);
  });

  it('runs retention safely twice at the same time', async () => {
    await givenHistory(database);
    const before = await kept();
    const kinds = (await Promise.all([apply(), apply()])).map(({ kind }) => kind);
    expect(kinds).toContain('applied');
    await apply();
    expect(await kept()).toEqual(before);
  });

  it('keeps an old lead that becomes a client at the same time', async () => {
    const em = database.em();
    const { id } = await givenLead(em);
    await database.pool.query(`update lead set created_at = now() - interval '${leadsDays + 1} days' where id = $1`, [
      id,
    ]);
    await em.begin();
    // as its registration does
    await em.execute('select from lead where id = ? for key share', [id]);
    await em.execute(
      `insert into client (account_id, lead_id, landing_page_id, campaign)
       select account_id, id, landing_page_id, '' from lead where id = ?`,
      [id],
    );
    expect(await apply()).toMatchObject({ rows: { leadsDeleted: 0 } });
    await em.commit();
    expect(await apply()).toMatchObject({ rows: { leadsDeleted: 0 } });
    expect(await texts(`select lead_id::text as text from client`)).toEqual([String(id)]);
  });

  it('does not update leads that have no visitor data left', async () => {
    const { lead } = await givenClient(database.em(), { lead: { clickParameters: { utm_source: 'x' } } });
    await database.pool.query(`update lead set created_at = now() - interval '1000 days' where id = $1`, [lead.id]);
    expect(await apply()).toMatchObject({ rows: { leadsDeleted: 0, leadsStripped: 0 } });
  });
});

const periods = (changed: Readonly<Record<string, string>>) =>
  Object.entries({
    leads: 'never',
    attempts: '90d',
    imports: 'never',
    webhooks: 'never',
    campaigns: 'never',
    ...changed,
  }).map(([period, deletedAfter]) => ({ period, deletedAfter }));

describe('the operator', async () => {
  const operator = await shared(givenOperator());

  it('applies retention, and with --dry-run only counts', async () => {
    const { id } = await givenLead(operator.database.em());
    await operator.database.pool.query(`update lead set created_at = now() - interval '500 days' where id = $1`, [id]);
    const result = {
      partitionsMade: [],
      partitionsDropped: [],
      leadsDeleted: 1,
      leadsStripped: 0,
      withdrawalsDeleted: 0,
      deliveriesDeleted: 0,
      platformRequestsDeleted: 0,
    };
    const line = 'retention apply --leads 400d --attempts 90d';
    const asOwner = { DATABASE_URL: operator.database.ownerUrl };
    expect(await operator.json(`${line} --dry-run`)).toEqual({ dryRun: true, ...result });
    expect(await operator.json(line, asOwner)).toEqual({ dryRun: false, ...result });
    expect(await operator.json(line, asOwner)).toEqual({ dryRun: false, ...result, leadsDeleted: 0 });
    expect(await operator.json('retention apply --attempts 90d', asOwner)).not.toHaveProperty('leadsDeleted');
  });

  it('deletes imports that are older than --imports, and keeps open ones', async () => {
    const { database } = operator;
    const account = await givenAccount(database.em());
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into import (account_id, is_test, is_dry_run, subject, columns, delimiter, state, created_at, finished_at)
       select $1, false, false, 'client', '{leadReference}', ',', state, now() - age * interval '1 day', finished_at
       from (values ('done', 31, now()), ('refused', 31, now()), ('done', 29, now()), ('pending', 31, null))
         i (state, age, finished_at)
       returning id`,
      [account.id],
    );
    const ids = rows.map(({ id }) => Number(id));
    await database.pool.query(
      `insert into import_row (import_id, line, cells) select id, line, '["x"]'
       from unnest($1::bigint[]) id, generate_series(2, 5100) line`,
      [ids],
    );
    const asOwner = { DATABASE_URL: database.ownerUrl };
    expect(await operator.json('retention apply --imports 30d --dry-run')).toMatchObject({ importsDeleted: 2 });
    expect(await operator.json('retention apply --imports 30d', asOwner)).toMatchObject({ importsDeleted: 2 });
    const left = await database.pool.query('select distinct import_id::int as id from import_row order by id');
    expect(left.rows).toEqual(ids.slice(2).map((id) => ({ id })));
    expect((await database.pool.query('select id::int from import order by id')).rows).toEqual(left.rows);
  });
  it('deletes old events of webhooks with their deliveries and attempts, and keeps what waits', async () => {
    const { database } = operator;
    const webhook = await givenWebhook(database.em());
    const given = async (ageDays: number, state: string) => {
      const { rows } = await database.pool.query<{ id: string }>(
        `with event as (
           insert into webhook_event (account_id, is_test, type, data, created_at)
           values ($1, false, 'delivery.failed', '{}', now() - $3 * interval '1 day') returning id
         ), delivery as (
           insert into delivery (account_id, webhook_event_id, connection_id, state, created_at)
           select $1, id, $2, $4, now() - $3 * interval '1 day' from event returning id, webhook_event_id
         ), attempt as (
           insert into delivery_attempt (account_id, delivery_id, outcome, duration_ms)
           select $1, id, 'unavailable', 1 from delivery
         ) select webhook_event_id as id from delivery`,
        [webhook.account.id, webhook.id, ageDays, state],
      );
      return rows[0]?.id;
    };
    const left = async (table: string, column: string) => {
      const { rows } = await database.pool.query(`select ${column} as id from ${table} order by 1`);
      return rows.map(({ id }) => id);
    };
    await given(31, 'failed');
    const waits = await given(31, 'pending');
    const young = await given(29, 'delivered');
    const asOwner = { DATABASE_URL: database.ownerUrl };
    expect(await operator.json('retention apply --webhooks 30d --dry-run')).toMatchObject({ webhookEventsDeleted: 1 });
    expect(await operator.json('retention apply --webhooks 30d', asOwner)).toMatchObject({ webhookEventsDeleted: 1 });
    expect(await left('webhook_event', 'id')).toEqual([waits, young]);
    expect(await left(`delivery where connection_id = ${webhook.id}`, 'webhook_event_id')).toEqual([waits, young]);
    expect(await left(`delivery_attempt where account_id = ${webhook.account.id}`, 'id')).toHaveLength(2);
  });

  it('deletes reconciliations with their rows, as old as imports', async () => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    const given = async (ageDays: number) => {
      const at = new Date(Date.now() - ageDays * 86_400_000);
      const reconciliation = em.create(Reconciliation, {
        account,
        fromAt: at,
        untilAt: at,
        walkedAt: at,
        replay: null,
        createdAt: at,
      });
      await em.flush();
      await operator.database.pool.query(
        `insert into reconciliation_row (reconciliation_id, account_id, number) select $1, $2, generate_series(1, 2500)`,
        [reconciliation.id, account.id],
      );
      return reconciliation.id;
    };
    await given(31);
    const kept = await given(29);
    const asOwner = { DATABASE_URL: operator.database.ownerUrl };
    const line = 'retention apply --imports 30d';
    expect(await operator.json(`${line} --dry-run`)).toMatchObject({ reconciliationsDeleted: 1 });
    expect(await operator.json(line, asOwner)).toMatchObject({ reconciliationsDeleted: 1 });
    const { rows } = await operator.database.pool.query(
      `select reconciliation_id::int as id, count(*)::int as rows from reconciliation_row where account_id = $1 group by 1`,
      [account.id],
    );
    expect(rows).toEqual([{ id: kept, rows: 2500 }]);
    expect(await em.fork().count(Reconciliation, { account })).toBe(1);
  });

  it('deletes withdrawn consent of leads that were never recorded', async () => {
    await operator.database.pool.query(
      `insert into consent_withdrawal (reference, asked_at)
       values ('old', now() - interval '401 days'), ('new', now() - interval '399 days')`,
    );
    const line = 'retention apply --leads 400d';
    const asOwner = { DATABASE_URL: operator.database.ownerUrl };
    expect(await operator.json(`${line} --dry-run`)).toMatchObject({ withdrawalsDeleted: 1 });
    expect(await operator.json(line, asOwner)).toMatchObject({ withdrawalsDeleted: 1 });
    const { rows } = await operator.database.pool.query('select reference from consent_withdrawal');
    expect(rows).toEqual([{ reference: 'new' }]);
  });

  it('names no campaign in metrics that are older than --campaigns, and keeps their totals', async () => {
    const { database } = operator;
    const page = await givenLandingPage(database.em());
    const given = (ageDays: number, campaign: string, value: number) =>
      database.pool.query(
        `insert into account_metric (account_id, day, landing_page_id, campaign, measure, value)
         values ($1, current_date - $2::int, $3, $4, 'leads', $5)`,
        [page.account.id, ageDays, page.id, campaign, value],
      );
    await given(801, 'for ana@example.com', 1);
    await given(801, 'summer', 2);
    await given(801, '', 4);
    await given(900, 'summer', 8);
    await given(900, '(other)', 16);
    await given(800, 'summer', 32);
    const asOwner = { DATABASE_URL: database.ownerUrl };
    const line = 'retention apply --campaigns 800d';
    expect(await operator.json(`${line} --dry-run`)).toMatchObject({ campaignRows: 3 });
    expect(await operator.json(line, asOwner)).toMatchObject({ campaignDaysTrimmed: 2 });
    expect(await operator.json(line, asOwner)).toMatchObject({ campaignDaysTrimmed: 0 });
    const { rows } = await database.pool.query(
      `select current_date - day as age, campaign, value::int from account_metric where account_id = $1 order by 1, 2`,
      [page.account.id],
    );
    expect(rows).toEqual([
      { age: 800, campaign: 'summer', value: 32 },
      { age: 801, campaign: '', value: 4 },
      { age: 801, campaign: '(other)', value: 3 },
      { age: 900, campaign: '(other)', value: 24 },
    ]);
  });

  it('sets and shows after how many days an api deletes what, with an entry in the audit log', async () => {
    expect(await operator.json('retention show')).toEqual(periods({}));
    expect(await operator.json('retention set --leads 180d --webhooks 30d')).toEqual(
      periods({ leads: '180d', webhooks: '30d' }),
    );
    const changed = periods({ leads: '400d', attempts: 'never', webhooks: '30d' });
    expect(await operator.json('retention set --leads 400d --attempts never')).toEqual(changed);
    expect(await operator.json('retention show')).toEqual(changed);
    const { rows } = await operator.database.pool.query(
      `select details from audit_entry where action = 'retention.change' order by id`,
    );
    expect(rows).toEqual([{ details: { leads: 180, webhooks: 30 } }, { details: { leads: 400, attempts: null } }]);
  });

  it('refuses retention to a role that does not own the tables', async () => {
    const { status, err } = await operator.type('retention apply --attempts 90d');
    expect(err.trim()).toBe(
      'cannot create or drop partitions as leadback_console: set DATABASE_URL to leadback_owner, the owner of the tables',
    );
    expect(status).toBe(1);
  });

  it.each([
    [
      'retention apply',
      'nothing to apply: give --leads 400d, --attempts 90d, --imports 30d, --webhooks 30d, --campaigns 800d, or several of them',
    ],
    ['retention apply --leads 400', '--leads: expected days, such as 400d'],
    ['retention set', 'nothing to set: give --leads 400d'],
    ['retention set --leads 400', '--leads: expected days, such as 400d, or never'],
    ['retention set --campaigns 399d', '--campaigns: at least 400d: conversions may be 400 days old'],
    [
      'retention apply --leads 89d --attempts 90d',
      '--leads: at least 90d: platforms accept conversions of clicks up to 90 days old',
    ],
  ])('rejects "%s" with exit status 1 and says what to fix', async (line, message) => {
    const { status, out, err } = await operator.type(line);
    expect(err).toContain(message);
    expect([status, out]).toEqual([1, '']);
  });
});
