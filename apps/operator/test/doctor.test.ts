import { randomBytes } from 'node:crypto';
import { applyRetention } from '../src/upkeep/retention.ts';
import { Account, type ConnectionPool, PlatformConnection } from '@leadback/db';
import { type SecretsKeys, bufferedLeadKeys } from '@leadback/domain/keys';
import {
  eventually,
  givenAccount,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenLandingPage,
  givenLead,
  givenVirtualHost,
  givenWebhook,
  secretsKey,
  secretsKeys,
  tcpProxy,
  unique,
  waitMaxMs,
  openPatientPool,
} from '@leadback/testing';
import { asBrokerUser, asDatabaseRole, databaseRoles } from '@leadback/testing/stack';
import { hintConsumer, openLeadQueue } from '@leadback/server/broker';
import { platformRegistry } from '@leadback/platforms';
import { repeat } from '@leadback/server/app';
import { connect } from 'amqplib';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import type { OperatorContext } from '../src/command.ts';
import { doctor } from '../src/commands/doctor.ts';
import type { Finding } from '../src/doctor/check.ts';
import { type TestOperator, givenOperator, givenTerminal } from './given-operator.ts';

const nowhere = (scheme: string) => `${scheme}://nobody@127.0.0.1:9/leadback`;
const found = (check: string, state: Finding['state'], finding: string, todo = '') =>
  expect.arrayContaining([
    { check, state, finding: expect.stringContaining(finding), todo: expect.stringContaining(todo) },
  ]);

const late = /not checked: (PostgreSQL did not respond|it took longer)|cannot be reached \((timeout|no response)\)/;

const givenConsumer = (url: string) => {
  const consumer = hintConsumer({ url: asBrokerUser(url, 'feedback-worker'), prefetch: 1, handle: async () => {} });
  consumer.setConsuming(true);
  return consumer;
};
const givenLeadQueue = (url: string) =>
  openLeadQueue({
    url: asBrokerUser(url, 'landing'),
    keys: bufferedLeadKeys(secretsKeys),
    record: async () => true,
    onDead: () => {},
  });

const day = 24 * 60 * 60_000;
const endingIn = (days: number) => {
  const { meta, linkedin, ...others } = platformRegistry({});
  const source = 'https://linkedin.example/versions';
  const apiVersion = { version: '202001', endsAt: new Date(Date.now() + days * day), source };
  const endless = { ...meta.apiVersion, endsAt: undefined };
  return { platforms: { ...others, meta: { ...meta, apiVersion: endless }, linkedin: { ...linkedin, apiVersion } } };
};

describe('the doctor', () => {
  const stack = new AsyncDisposableStack();
  let operator: TestOperator;
  /** Connected as the role that owns the tables. */
  let owner: ConnectionPool;
  /** With a role like that of the apps. */
  let appUrl: string;
  /** With the user of the operator, which is not one of the apps. */
  let amqpUrl: string;

  /** Stands in for the apps: a role, a database session under it, and consumers of the queues. */
  beforeAll(async () => {
    operator = stack.use(await givenOperator());
    const ownerUrl = new URL(inject('postgresUrl'));
    ownerUrl.pathname = new URL(operator.database.url).pathname;
    owner = stack.use(await openPatientPool({ url: ownerUrl.href, applicationName: 'test' }));
    const role = unique('role');
    await owner.pool.query(`create role "${role}" login password '${ownerUrl.password}';
      grant select, insert, update, delete on all tables in schema public to "${role}"`);
    const url = new URL(ownerUrl);
    url.username = role;
    appUrl = url.href;
    // an api without requests has no other connections
    const api = stack.use(await openPatientPool({ url: appUrl, applicationName: 'leadback api jobs' }));
    await owner.pool.query(
      `insert into landing_instance (id, is_behind, seen_at) values ('landing', false, now() + interval '1 hour')`,
    );
    await owner.pool.query(
      `insert into periodic_run (name, holder, held_until, finished_at, outcome)
       select name, gen_random_uuid(), now(), now(), '{"leadsDeleted": 3, "leadsStripped": 0}'
       from unnest(array['attempt-partitions', 'retention']) name`,
    );
    stack.use(
      repeat({
        everyMs: 200,
        round: async () => !(await api.answers()),
        onFailure: () => {},
      }),
    );
    amqpUrl = asBrokerUser(await givenVirtualHost(), 'operator');
    const consumer = stack.use(givenConsumer(amqpUrl));
    const leadQueue = stack.use(givenLeadQueue(amqpUrl));
    leadQueue.setConsuming(true);
    await vi.waitUntil(() => consumer.isUp(), { timeout: waitMaxMs });
  });
  afterEach(() => owner.pool.query('truncate delivery_attempt, delivery, delivery_due, platform_connection cascade'));
  afterAll(() => stack.disposeAsync());

  const lookOnce = async (other: Partial<OperatorContext> = {}) => {
    const { result } = await doctor.run(
      {},
      {
        ...givenTerminal(),
        em: operator.database.em(),
        actor: 'test',
        pool: operator.database.pool,
        progress: () => {},
        progressBar: () => {},
        secretsKeys,
        amqpUrl,
        landingUrl: 'http://127.0.0.1:3000',
        consoleUrl: 'http://127.0.0.1:3004',
        backupsKeptDays: 30,
        databaseUrl: appUrl,
        platforms: platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' }),
        ...other,
      },
    );
    return result;
  };
  /** Again while a check was not over in time, as the doctor says: that depends on the machine. */
  const look = (other?: Partial<OperatorContext>) =>
    eventually(async () => {
      const findings = await lookOnce(other);
      expect(JSON.stringify(findings)).not.toMatch(late);
      return findings;
    });
  const run = (statement: string, values: readonly unknown[] = []) => owner.pool.query(statement, [...values]);

  it('reports ok for every check with exit status 0 if everything works', async () => {
    await givenConnection(operator.database.em());
    await eventually(async () => {
      const { status, out } = await operator.type('doctor --json', {
        DATABASE_URL: appUrl,
        AMQP_URL: amqpUrl,
        LANDING_URL: 'http://127.0.0.1:3000',
      });
      const findings: unknown = JSON.parse(out);
      const names = [
        'database',
        'migrations',
        'ids',
        'failovers',
        'database roles',
        'clocks',
        'landing apps',
        'landing pages',
        'domains',
        'visitor addresses',
        'connections',
        'sources',
        'destinations',
        'webhooks',
        'platform versions',
        'credentials',
        'renewed credentials',
        'account keys',
      ];
      const ofJobs = ['periodic jobs', 'periodic jobs'];
      const checks = [
        ...names,
        'backlog',
        'attempt partitions',
        ...ofJobs,
        'public URLs',
        'backups',
        'copy of SECRETS_KEY',
        'alerts',
        'administrators',
        'broker',
        'topology',
        'workers',
        'dead leads',
      ];
      expect(findings).toEqual(
        checks.map((check) =>
          // no setting: it warns three months before a platform ends the version of this release
          expect.objectContaining({ check, ...(check !== 'platform versions' && { state: 'ok', todo: null }) }),
        ),
      );
      expect(status).toBe(/"check": ?"platform versions",\s*"state": ?"error"/.test(out) ? 1 : 0);
    });
  });

  it('warns before a platform ends the version of its API that is in use, and reports an error afterwards', async () => {
    const todo = 'Upgrade Leadback';
    const isFine = expect.objectContaining({
      check: 'platform versions',
      state: 'ok',
      finding: expect.stringContaining('Google v1 (no end announced)'),
    });
    expect(await look(endingIn(91))).toEqual(expect.arrayContaining([isFine]));
    for (const days of [89, 60]) {
      const finding = new RegExp(
        `^LinkedIn ends version 202001 of its API on .* at the earliest, in ${days - 1} days$`,
      );
      expect(await look(endingIn(days))).toContainEqual({
        check: 'platform versions',
        state: 'warn',
        finding: expect.stringMatching(finding),
        todo: expect.stringMatching(
          /^Upgrade Leadback before then\. No setting .* https:\/\/linkedin\.example\/versions$/,
        ),
      });
    }
    const yesterday = endingIn(-1);
    const since = yesterday.platforms.linkedin.apiVersion.endsAt.toISOString().slice(0, 10);
    expect(await look(yesterday)).toEqual(found('platform versions', 'error', `since ${since}`, todo));
  });

  it('warns of a refresh token of Microsoft that was neither renewed nor entered for 75 days', async () => {
    const em = operator.database.em();
    const [entered, renewed, meta] = [
      await givenConnection(em, { platform: 'microsoft' }),
      await givenConnection(em, { platform: 'microsoft' }),
      await givenConnection(em),
    ];
    const age = (column: 'credentials_entered_at' | 'credentials_renewed_at', days: number, { id } = entered) =>
      run(`update platform_connection set ${column} = now() - $2 * interval '1 day' where id = $1`, [id, days]);
    await age('credentials_entered_at', 74);
    await age('credentials_entered_at', 200, renewed);
    await age('credentials_renewed_at', 74, renewed);
    await age('credentials_entered_at', 400, meta);
    expect(await look()).toContainEqual({
      check: 'renewed credentials',
      state: 'ok',
      finding: 'none expires within 15 days',
      todo: null,
    });

    await age('credentials_entered_at', 75);
    const todo = `\`connection check ${entered.id}\``;
    const warned = await look();
    expect(warned).toEqual(
      found('renewed credentials', 'warn', `connection ${entered.id} (${entered.destination}, account`, todo),
    );
    for (const { id } of [renewed, meta])
      expect(warned).not.toEqual(found('renewed credentials', 'warn', `connection ${id} (`));

    await age('credentials_renewed_at', 80, renewed);
    expect(await look()).toEqual(
      found(
        'renewed credentials',
        'warn',
        `connection ${renewed.id} (${renewed.destination}, account ${renewed.account.id}) was neither`,
      ),
    );
  });

  it('reports errors with exit status 1 if no server can be reached', async () => {
    const { status, out, err } = await operator.type('doctor --json', {
      DATABASE_URL: nowhere('postgres'),
      AMQP_URL: nowhere('amqp'),
    });
    expect([status, err]).toEqual([1, '']);
    const findings: unknown = JSON.parse(out);
    expect(findings).toEqual(
      found('database', 'error', 'at 127.0.0.1:9 cannot be reached (ECONNREFUSED)', 'DATABASE_URL'),
    );
    expect(findings).toEqual(found('the rest', 'warn', 'not checked: migrations'));
    expect(findings).toEqual(found('broker', 'error', 'at 127.0.0.1:9 cannot be reached (ECONNREFUSED)', 'AMQP_URL'));
  });

  it('ends in bounded time if the servers do not respond', async () => {
    await using database = await tcpProxy(appUrl);
    await using broker = await tcpProxy(amqpUrl);
    for (const proxy of [database, broker]) proxy.blackHole();
    const findings = await lookOnce({ databaseUrl: database.url, amqpUrl: broker.url });
    expect(findings).toEqual(found('database', 'error', 'cannot be reached'));
    expect(findings).toEqual(found('broker', 'error', 'cannot be reached'));
  });

  it.each([
    ['a missing role', (url: URL) => (url.username = 'nobody-at-all'), 'rejected the role nobody-at-all'],
    ['a missing database', (url: URL) => (url.pathname = 'nothing'), 'there is no database nothing'],
  ])('reports %s in DATABASE_URL', async (_, spoil, finding) => {
    const url = new URL(appUrl);
    spoil(url);
    expect(await look({ databaseUrl: url.href })).toEqual(found('database', 'error', finding));
  });

  it('reports a PostgreSQL server that is read-only', async () => {
    const role = new URL(appUrl).username;
    await run(`alter role "${role}" set default_transaction_read_only = on`);
    expect(await look()).toEqual(found('database', 'error', 'the server is read-only', 'the primary'));
    await run(`alter role "${role}" reset default_transaction_read_only`);
  });

  it('reports migrations that have not run, and unknown ones', async () => {
    const { rows } = await run(`delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations)
      returning name`);
    const { name } = Object(rows[0]);
    expect(await look()).toEqual(
      found('migrations', 'error', `1 migration has not run: ${name}`, '`database migrate`'),
    );
    await run(`insert into mikro_orm_migrations (name) values ($1), ('2099-01-01-more')`, [name]);
    expect(await look()).toEqual(found('migrations', 'warn', 'unknown migrations: 2099-01-01-more'));
    await run(`delete from mikro_orm_migrations where name like '2099%'`);
  });

  it('finds nothing wrong with the role that `database migrate` grants to the console', async () => {
    const databaseUrl = asDatabaseRole(operator.database.url, databaseRoles.console);
    expect(await look({ databaseUrl })).toEqual(
      expect.arrayContaining([expect.objectContaining({ check: 'database roles', state: 'ok' })]),
    );
  });

  it('reports database roles with too few or too many privileges', async () => {
    const role = new URL(appUrl).username;
    await run(`revoke update on lead from "${role}"`);
    expect(await look()).toEqual(found('database roles', 'error', 'may not select, insert and update in lead'));
    await run(`grant update on lead to "${role}"`);
    await using landing = await openPatientPool({ url: appUrl, applicationName: 'leadback landing' });
    await landing.answers();
    expect(await look()).toEqual(found('database roles', 'warn', `leadback api, leadback landing as ${role}`));
    const url = new URL(inject('postgresUrl'));
    url.pathname = new URL(appUrl).pathname;
    await using mighty = await openPatientPool({ url: url.href, applicationName: 'leadback landing' });
    await mighty.answers();
    expect(await look()).toEqual(found('database roles', 'warn', `leadback landing as ${url.username}`));
  });

  it.each([
    [30, 'warn'],
    [-90, 'error'],
  ] as const)('reports a clock that is %d s off', async (seconds, state) => {
    const now = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => now() + seconds * 1_000);
    expect(await look()).toEqual(found('clocks', state, seconds > 0 ? 's ahead of' : 's behind', 'NTP'));
  });

  it('reports landing apps that stopped reporting, and buffered leads', async () => {
    await run(`insert into landing_instance (id, is_behind, seen_at) values
      ('silent', false, now() - interval '30 minutes'), ('behind', true, now() + interval '1 minute')`);
    const findings = await look();
    expect(findings).toEqual(
      found('landing apps', 'warn', '1 landing app has not reported for up to 30 min', 'LEAD_SPOOL_FOLDER'),
    );
    expect(findings).toEqual(found('landing apps', 'warn', '1 landing app reports buffered leads'));
    await run(`delete from landing_instance where id in ('silent', 'behind')`);
  });

  it('warns about a page whose path is that of the page for visitors, until it is switched off', async () => {
    const page = await givenLandingPage(operator.database.em());
    await run(`update landing_page set slug = 'data' where id = $1`, [page.id]);
    expect(await look()).toEqual(
      found(
        'landing pages',
        'warn',
        `page ${page.id} of account ${page.account.id} is not served`,
        `page rename ${page.id}`,
      ),
    );
    await operator.type(`page off ${page.id}`);
    expect(JSON.stringify(await look())).not.toContain('is not served');
  });

  const lookAfterLeadsFrom = async (ipAddress?: string) => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    await run('delete from lead');
    for (let count = 0; count < 20; count += 1)
      await givenLead(em, { account, ...(ipAddress !== undefined && { ipAddress }) });
    const findings = await look();
    await run('delete from lead');
    return findings;
  };

  it.each([
    ['the address of a proxy', '10.0.0.7'],
    ['none', undefined],
    ['one that is not read', '181.30.1.2:5566'],
  ])('warns if recent leads have no address that platforms take, but %s', async (_, ipAddress) => {
    const finding = '100 % of the newest 20 leads have no IP address';
    expect(await lookAfterLeadsFrom(ipAddress)).toEqual(found('visitor addresses', 'warn', finding, 'TRUST_PROXY'));
  });

  it.each([
    ['of the visitor', '181.30.1.2', '0 % of the newest 20 leads'],
    ['of the visitor, in IPv6', '2800:810:4a5:1::9', '0 % of the newest 20 leads'],
    ['of this machine, which says nothing', '127.0.0.1', 'fewer than 20 leads'],
  ])('warns of no addresses if recent leads have one %s', async (_, ipAddress, finding) => {
    const calm = { check: 'visitor addresses', state: 'ok', finding: expect.stringContaining(finding), todo: null };
    expect(await lookAfterLeadsFrom(ipAddress)).toContainEqual(calm);
  });

  it('warns about landing apps behind a proxy that they do not trust, for as long as they run', async () => {
    await run(`insert into landing_instance (id, is_behind, seen_at, ignores_proxy) values
      ('gone', false, now() - interval '30 minutes', true), ('running', false, now() + interval '1 minute', true)`);
    const finding = '1 landing app receives X-Forwarded-For, but TRUST_PROXY is 0';
    expect(await look()).toEqual(found('landing apps', 'warn', finding, 'Set TRUST_PROXY of landing and api'));
    await run(`update landing_instance set ignores_proxy = false where id = 'running'`);
    expect(JSON.stringify(await look())).not.toContain('TRUST_PROXY');
    await run(`delete from landing_instance where id in ('gone', 'running')`);
  });

  it('reports landing apps behind a proxy that ends TLS and that they do not trust as an error', async () => {
    await run(`insert into landing_instance (id, is_behind, seen_at, misses_tls) values
      ('running', false, now() + interval '1 minute', true)`);
    const finding = '1 landing app is behind a proxy that ends TLS, but TRUST_PROXY is 0';
    expect(await look()).toEqual(found('landing apps', 'error', finding, 'cookies of visitors lack Secure'));
    await run(`delete from landing_instance where id = 'running'`);
  });

  it('names a webhook that was paused because it fails, and what to do, but none that its partner paused', async () => {
    const em = operator.database.em();
    await givenWebhook(em, { state: 'paused' });
    const { id, account } = await givenWebhook(em, { state: 'paused' });
    await run(`update platform_connection set state_reason = 'failing' where id = $1`, [id]);
    const finding = `webhook ${id} of account ${account.id} was paused: failing`;
    const findings = await look();
    expect(findings).toEqual(found('webhooks', 'warn', finding, `Then run \`connection resume ${id}\`.`));
    const isFine = expect.objectContaining({ check: 'connections', finding: 'none needs attention' });
    expect(findings).toEqual(expect.arrayContaining([isFine]));
    await run(`update platform_connection set state_reason = 'unreadable' where id = $1`, [id]);
    expect(await look()).toEqual(
      found('webhooks', 'warn', 'was paused: unreadable', 'Is the SECRETS_KEY of the worker'),
    );
    await run(`update platform_connection set state_reason = null where id = $1`, [id]);
    expect(await look()).not.toEqual(found('webhooks', 'warn', 'was paused'));
  });

  it('reports connections that need attention, with their account and the commands to run', async () => {
    const { id, account, destination } = await givenConnection(operator.database.em(), { state: 'needs_attention' });
    await run(`update platform_connection set state_reason = '190: Error validating access token' where id = $1`, [id]);
    await givenConnection(operator.database.em(), { state: 'paused' });
    const finding = `Meta rejects connection ${id} (${destination}) of account ${account.id}: 190: Error validating access token`;
    expect(await look()).toEqual(
      found('connections', 'error', finding, `\`connection change ${id} --access-token …\``),
    );
    await run(`update platform_connection set state = 'active' where id = $1`, [id]);
    expect(await look()).toContainEqual(expect.objectContaining({ finding: 'none needs attention; 1 is paused' }));
  });

  it('reports sources that need attention, whose messages are refused, and that are paused while events wait', async () => {
    const em = operator.database.em();
    const { id: accountId } = await givenAccount(em);
    const add = async (columns: string, values: string) => {
      const { rows } = await run(
        `insert into source (account_id, kind, label, path_hash, secrets, ${columns})
         values ($1, 'woocommerce', 'Shop', decode(md5(random()::text), 'hex'), '', ${values}) returning id`,
        [accountId],
      );
      return z.tuple([z.object({ id: z.coerce.number() })]).parse(rows)[0].id;
    };
    const held = await add('state, state_reason', `'needs_attention', 'HTTP 401: the access token is refused'`);
    const refused = await add('refused_count, refused_since, refused_at', '7, now(), now()');
    const paused = await add('state', `'paused'`);
    const quiet = await add('state', `'paused'`);
    await run(`insert into source_event (account_id, source_id, key, event) values ($1, $2, 'a', 'order')`, [
      accountId,
      paused,
    ]);
    const findings = await look();
    const of = (id: number) => `source ${id} (Shop) of account ${accountId}`;
    expect(findings).toEqual(
      found('sources', 'error', `${of(held)} needs attention: HTTP 401`, `source change ${held}`),
    );
    expect(findings).toEqual(
      found('sources', 'error', `7 requests to ${of(refused)}`, `\`source change ${refused} --secret @file\``),
    );
    expect(findings).toEqual(found('sources', 'warn', `${of(paused)} is paused`, `\`source resume ${paused}\``));
    expect(JSON.stringify(findings)).not.toContain(of(quiet));
    await run('delete from source_event where source_id = $1', [paused]);
    await run('delete from source where account_id = $1', [accountId]);
  });

  it('reports what waits for a paused connection, and sales that no connection took, with their money', async () => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    const paused = await givenConnection(em, { account, state: 'paused', label: 'Shop' });
    const conversion = await givenConversion(em, { account, amount: '12.50', currency: 'USD' });
    const { id } = await givenDelivery(em, { connection: paused, conversion });
    const untold = await givenConversion(em, { account, amount: '3', currency: 'ARS' });
    await run('update conversion set is_untold = true where id = $1', [untold.id]);
    const findings = await look();
    const waits = '1 delivery waits, worth USD 12.50';
    expect(findings).toEqual(found('connections', 'warn', waits, `\`connection resume ${paused.id}\` sends them`));
    const sales = `no connection took 1 sale of account ${account.id}, worth ARS 3.00`;
    expect(findings).toEqual(found('connections', 'warn', sales, `\`connection backfill ${paused.id} --dry-run\``));
    await run('update conversion set is_untold = false where id = $1', [untold.id]);
    await run('delete from delivery_due where id = (select parcel_id from delivery where id = $1)', [id]);
    await run('delete from delivery where id = $1', [id]);
  });

  it('reports credentials that cannot be decrypted or should be re-encrypted', async () => {
    const em = operator.database.em();
    const { id, account } = await givenConnection(em);
    const fresh: SecretsKeys = [randomBytes(32), secretsKey];
    expect(await look({ secretsKeys: fresh })).toEqual(
      found('credentials', 'warn', 'the credentials of 1 connection are not', '`secrets rotate`'),
    );
    await em.nativeUpdate(PlatformConnection, { id }, { credentials: Buffer.of(1, 2, 3) });
    const finding = `cannot decrypt connection ${id} (account ${account.id})`;
    expect(await look({ secretsKeys: fresh })).toEqual(found('credentials', 'error', finding, 'Restore the key'));
  });

  it('reports account keys that cannot be decrypted or should be re-encrypted', async () => {
    const { id } = await givenAccount(operator.database.em());
    const fresh: SecretsKeys = [randomBytes(32), secretsKey];
    expect(await look({ secretsKeys: fresh })).toEqual(
      found('account keys', 'warn', 'are not encrypted with the first key', '`secrets rotate`'),
    );
    await operator.database.em().nativeUpdate(Account, { id }, { dataKey: Buffer.of(1, 2, 3) });
    const finding = `cannot decrypt the key of account ${id}`;
    expect(await look({ secretsKeys: fresh })).toEqual(found('account keys', 'error', finding, 'Restore the key'));
    await operator.database.em().nativeUpdate(Account, { id }, { dataKey: null });
  });

  it('reports deliveries that are overdue, and counts those of paused connections', async () => {
    const { id } = await givenDelivery(operator.database.em());
    const connection = await givenConnection(operator.database.em(), { state: 'paused' });
    await givenDelivery(operator.database.em(), { connection });
    const setDueSince = (ago: string) =>
      run(
        `update delivery_due set not_before = now() - $2::interval where id = (select parcel_id from delivery where id = $1)`,
        [id, ago],
      );
    await setDueSince('20 minutes');
    const counts = 'meta: 1 delivery pending, 1 held until a connection is resumed';
    expect(await look()).toEqual(found('backlog', 'warn', `${counts}; the oldest has been ready to send for 20 min`));
    await setDueSince('3 hours');
    expect(await look()).toEqual(found('backlog', 'error', 'ready to send for 3 h', '`delivery list'));
  });

  it('says when each daily job last ran, and warns after two days', async () => {
    const check = 'periodic jobs';
    const fine = (finding: string) =>
      expect.arrayContaining([{ check, state: 'ok', finding: expect.stringContaining(finding), todo: null }]);
    const set = (name: string, changes: string) => run(`update periodic_run set ${changes} where name = $1`, [name]);
    expect(await look()).toEqual(fine('retention last ended at 20'));
    expect(await look()).toEqual(fine('Z: leadsDeleted 3'));
    await set('retention', `finished_at = now() - interval '49 hours', outcome = '{}'`);
    expect(await look()).toEqual(found(check, 'warn', 'Z: nothing was to be done', 'runs each job once a day'));
    expect(await look()).toEqual(fine('attempt-partitions last ended at 20'));
    await set('attempt-partitions', `finished_at = null, failed_at = now()`);
    expect(await look()).toEqual(found(check, 'warn', 'attempt-partitions has begun and not ended yet; the try of 20'));
    await run('delete from periodic_run');
    for (const name of ['attempt-partitions', 'retention']) {
      expect(await look()).toEqual(found(check, 'warn', `${name} has never run`));
    }
  });

  it('reports months without an attempt partition until they are created', async () => {
    await run(`do $$ declare part regclass; begin
      for part in select inhrelid from pg_inherits where inhparent = 'delivery_attempt'::regclass loop
        if part <> 'delivery_attempt_default'::regclass then execute format('drop table %s', part); end if;
      end loop; end $$`);
    expect(await look()).toEqual(
      found('attempt partitions', 'warn', 'none for the coming month', 'Any api that is up makes them'),
    );
    const { id, account } = await givenDelivery(operator.database.em());
    await run(
      `insert into delivery_attempt (account_id, delivery_id, outcome, duration_ms) values ($1, $2, 'delivered', 1)`,
      [account.id, id],
    );
    expect(await look()).toEqual(found('attempt partitions', 'warn', '1 attempt is in the default partition'));
    await applyRetention(owner.pool, { isDryRun: false, tell: () => {} });
    expect(await look()).toContainEqual(expect.objectContaining({ check: 'attempt partitions', state: 'ok' }));
  });

  it('reports the checks that need a missing setting', async () => {
    const findings = await look({ amqpUrl: undefined, secretsKeys: undefined });
    expect(findings).toEqual(found('broker', 'warn', 'AMQP_URL is not set', 'the user operator'));
    expect(findings).toEqual(found('credentials', 'warn', 'SECRETS_KEY is not set'));
  });

  it.each([
    ['a missing user', (url: URL) => (url.username = 'stranger'), 'rejected the user stranger'],
    ['a missing virtual host', (url: URL) => (url.pathname = 'nothing'), 'has no virtual host nothing'],
  ])('reports %s in AMQP_URL', async (_, spoil, finding) => {
    const url = new URL(amqpUrl);
    spoil(url);
    expect(await look({ amqpUrl: url.href })).toEqual(found('broker', 'error', finding));
  });

  describe('with a broker that is not set up correctly', () => {
    const others = new AsyncDisposableStack();
    let url: string;
    let host: string;
    /** With the user of the administrator. */
    const givenChannel = async () => {
      const connection = await connect(host);
      others.defer(() => connection.close());
      return connection.createConfirmChannel();
    };
    beforeAll(async () => {
      host = await givenVirtualHost();
      url = asBrokerUser(host, 'operator');
    });
    afterAll(() => others.disposeAsync());

    it('reports missing exchanges and queues without creating them', async () => {
      const channel = await givenChannel();
      await channel.deleteExchange('delivery');
      await channel.deleteQueue('delivery.hint.v1');
      for (const _ of ['first', 'second']) {
        const findings = await look({ amqpUrl: url });
        expect(findings).toEqual(found('topology', 'error', 'the exchange delivery is missing', 'start it'));
        expect(findings).toEqual(found('topology', 'error', 'the queue delivery.hint.v1 is missing', 'start it'));
        expect(findings).toEqual(found('topology', 'error', 'the queue lead.waiting.v1 is missing', 'start it'));
      }
    });

    it('reports a queue with different arguments if the user may declare it', async () => {
      const channel = await givenChannel();
      await channel.assertQueue('delivery.hint.v1', { durable: true });
      const finding = 'the queue delivery.hint.v1 is declared with a different type or arguments';
      const todo = `\`rabbitmqctl delete_queue -p ${new URL(host).pathname.slice(1)} delivery.hint.v1\``;
      const amqpUrlOfWorker = asBrokerUser(host, 'feedback-worker');
      expect(await look({ amqpUrl: amqpUrlOfWorker })).toEqual(found('topology', 'error', finding, todo));
      await channel.deleteQueue('delivery.hint.v1');
    });

    it('reports queues without consumers and dead-lettered leads, which `lead replay` moves back', async () => {
      const tooEarly = await operator.type('lead replay', { AMQP_URL: url });
      expect(tooEarly).toMatchObject({ status: 1, err: expect.stringContaining("no queue 'lead.dead.v1'") });
      const apps = [givenConsumer(url), givenLeadQueue(url)];
      const topology = expect.objectContaining({
        check: 'topology',
        state: 'ok',
        finding: expect.stringContaining('exists; operator has no permission to compare'),
      });
      await eventually(async () => expect(await look({ amqpUrl: url })).toContainEqual(topology));
      for (const app of apps) await app[Symbol.asyncDispose]();
      expect(await operator.json('lead replay', { AMQP_URL: url })).toEqual({ replayed: 0, next: null });
      const channel = await givenChannel();
      channel.sendToQueue('lead.dead.v1', Buffer.from('a message'));
      await channel.waitForConfirms();
      const findings = await look({ amqpUrl: url });
      expect(findings).toEqual(found('workers', 'error', 'no feedback-worker consumes delivery.hint.v1'));
      expect(findings).toEqual(
        found('workers', 'warn', 'no landing app consumes lead.waiting.v1, which holds 0 leads'),
      );
      expect(findings).toEqual(found('dead leads', 'error', '1 lead could not be stored', '`lead replay`'));
      expect(await operator.json('lead replay', { AMQP_URL: url })).toMatchObject({ replayed: 1 });
      expect(await look({ amqpUrl: url })).toEqual(found('workers', 'warn', 'which holds 1 lead'));
    });
  });
});
