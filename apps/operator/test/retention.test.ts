import { applyRetention } from '../src/upkeep/retention.ts';
import { type ConnectionPool, openPool } from '@leadback/db';
import { everyRow, givenClient, givenConnection, givenDatabase, givenLead, type TestDatabase } from '@leadback/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const leadsDays = 400;
const attemptsDays = 90;

const old = (column: string) => `${column} < now() - interval '${leadsDays} days'`;

const givenHistory = async (database: TestDatabase): Promise<void> => {
  const connection = await givenConnection(database.em());
  const account = await connection.account.loadOrFail();
  const { landingPage } = await givenLead(database.em(), { account });
  // oldest first; every seventh was written late, after younger ones
  await database.pool.query(
    `insert into lead (account_id, landing_page_id, reference, click_marks, click_times, user_agent, accept_language,
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
    `insert into conversion (account_id, client_id, amount, currency, external_reference, event_id, landing_page_id, campaign, created_at)
     select account_id, id, 10, 'USD', external_reference, external_reference, landing_page_id, campaign, created_at from client`,
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
    `insert into platform_request (account_id, connection_id, name, look_at, created_at)
     select $1, $2, 'request ' || n, case when n % 3 = 0 then now() end, now() - n * interval '1 day' from generate_series(200, 1, -1) n`,
    [account.id, connection.id],
  );
};

describe('retention', () => {
  let database: TestDatabase;
  let owner: ConnectionPool;
  beforeEach(async () => {
    database = await givenDatabase();
    owner = await openPool({ url: database.ownerUrl, applicationName: 'retention', hasNoStatementTimeout: true });
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
       where look_at is not null or created_at >= now() - interval '${attemptsDays} days' order by id`,
    ),
    // conversions are counted by it
    dimensions: await texts(
      `select (v.id, l.id, l.reference, l.landing_page_id, l.click_marks->>'utm_campaign', l.created_at, l.consent)::text as text
       from conversion v join client c on c.id = v.client_id join lead l on l.id = c.lead_id order by v.id`,
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
        `select id::text as text from platform_request where look_at is null and created_at < now() - interval '${attemptsDays} days'`,
      ),
    ).toEqual([]);
    expect(
      await texts(
        `select id::text as text from lead where ${old('created_at')} and id not in (select lead_id from client)`,
      ),
    ).toEqual([]);
    const stripped = await texts(
      `select distinct (click_marks - 'utm_campaign', click_times, user_agent, accept_language, referrer,
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
