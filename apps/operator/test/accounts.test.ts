import { Account, ApiKey, LandingPage } from '@leadback/db';
import { accountMasterKeys, openAccountKey } from '@leadback/domain/keys';
import {
  givenAccount,
  givenConnection,
  givenConversion,
  givenLandingPage,
  givenWebhook,
  secretsKeys,
  shared,
  unique,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenOperator } from './given-operator.ts';

const issued = z.object({ id: z.number(), key: z.string(), prefix: z.string() });
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('the operator', async () => {
  const operator = await shared(givenOperator());

  it('lists accounts, suspends one and activates it again', async () => {
    const id = await operator.givenAccountId();
    const statusInList = async () => {
      const accounts = z.array(z.looseObject({ id: z.number() })).parse(await operator.json('account list'));
      return accounts.find((account) => account.id === id)?.['status'];
    };
    expect(await operator.json(`account suspend ${id}`)).toEqual({ id, status: 'suspended' });
    expect(await statusInList()).toBe('suspended');
    expect(await operator.json(`account activate ${id}`)).toEqual({ id, status: 'active' });
    expect(await statusInList()).toBe('active');
  });

  it('hides all pages of an account that is suspended for abuse, also later ones, until it is active again', async () => {
    const em = operator.database.em();
    const account = await givenAccount(em);
    const [page, other] = [await givenLandingPage(em, { account }), await givenLandingPage(em)];
    const isHidden = async (id: number) => (await operator.database.em().findOneOrFail(LandingPage, id)).isHidden;
    await operator.json(`account suspend ${account.id}`);
    expect(await isHidden(page.id)).toBe(false);
    const hidden = { id: account.id, status: 'suspended', pages: 'hidden' };
    expect(await operator.json(`account suspend ${account.id} --pages`)).toEqual(hidden);
    expect(await operator.json(`account suspend ${account.id}`)).toEqual({ ...hidden, note: 'was suspended already' });
    const later = Object(
      await operator.json(`page create --account ${account.id} --slug ${unique('page')} --target https://x.example/`),
    );
    await operator.json(`page on ${page.id}`);
    expect(await Promise.all([page.id, later.id, other.id].map(isHidden))).toEqual([true, true, false]);
    await operator.json(`account activate ${account.id}`);
    expect(await Promise.all([page.id, later.id].map(isHidden))).toEqual([false, false]);
    const { rows } = await operator.database.pool.query(
      `select details->>'pages' as pages from audit_entry where account_id = $1 and action ~ '^account' order by id`,
      [account.id],
    );
    expect(rows).toEqual([{ pages: null }, { pages: 'hidden' }, { pages: 'shown' }]);
  });

  it('creates an account that respects Global Privacy Control unless --gpc says otherwise', async () => {
    const name = unique('Zapatos');
    const defaults = { status: 'active', country: 'AR', rateLimit: 200, createdAt: time };
    const { id, ...row } = Object(await operator.json(`account create --name ${name}`));
    expect(row).toEqual({
      ...defaults,
      name,
      gpc: 'respect',
      erased: 'allow',
      attribution: 'last',
      eventIdPrefix: '',
      currencies: ['USD', 'ARS'],
      timeZone: 'UTC',
      pages: 'online',
    });
    expect(await operator.json('account create --name Medias --gpc measure')).toMatchObject({ gpc: 'measure' });
    expect(await operator.json('account list')).toContainEqual({ id, ...row });
  });

  it('sets the currencies of an account, audits the change, and refuses codes that are none', async () => {
    const id = await operator.givenAccountId();
    expect(await operator.json(`account change ${id} --currencies BRL,USD`)).toMatchObject({
      currencies: ['BRL', 'USD'],
    });
    const { rows } = await operator.database.pool.query(
      `select details->'currencies' as changed from audit_entry where account_id = $1 order by id desc limit 1`,
      [id],
    );
    expect(rows).toEqual([{ changed: { before: ['USD', 'ARS'], after: ['BRL', 'USD'] } }]);
    for (const wrong of ['usd', 'USD,ABC', 'XXX'])
      expect(await operator.type(`account change ${id} --currencies ${wrong}`)).toMatchObject({
        status: 1,
        err: expect.stringContaining('expected codes of ISO 4217'),
      });
  });

  it('finds an account by its name in any case, and says which one a mistyped name means', async () => {
    const name = unique('Zapatos Ñandú');
    const { id } = z.object({ id: z.number() }).parse(await operator.json(['account', 'create', '--name', name]));
    expect(await operator.json(['page', 'list', '--account', name.toUpperCase()])).toEqual([]);
    const { status, err } = await operator.type(['page', 'list', '--account', name.replace('Zapatos', 'Zapats')]);
    expect([status, err]).toEqual([1, expect.stringContaining(`did you mean '${name}'?`)]);
    const asId = await operator.type(['account', 'suspend', name.replace('Zapatos', 'Zapats')]);
    expect(asId.err).toContain(`ID: there is no account with this name; did you mean '${name}'?`);
    expect(id).toBeGreaterThan(0);
  });

  it('says that accounts have the same name already, unless that is meant', async () => {
    const name = unique('Medias');
    const { id } = Object(await operator.json(`account create --name ${name}`));
    expect(await operator.json(`account create --name ${name}`)).toMatchObject({ name, sameNameAs: [id] });
    expect(await operator.json(`account create --name ${name} --allow-same-name`)).not.toHaveProperty('sameNameAs');
  });

  it('creates an account with a key of its own', async () => {
    const id = await operator.givenAccountId();
    const { dataKey } = await operator.database.em().findOneOrFail(Account, id);
    expect(() => openAccountKey(accountMasterKeys(secretsKeys), id, dataKey ?? Buffer.alloc(0))).not.toThrow();
  });

  it('changes only the given settings of an account', async () => {
    const id = await operator.givenAccountId();
    const other = await operator.givenAccountId();
    const changed = Object(await operator.json(`account change ${id} --gpc measure`));
    expect(changed).toEqual({
      id,
      name: 'Zapatos',
      status: 'active',
      gpc: 'measure',
      erased: 'allow',
      attribution: 'last',
      eventIdPrefix: '',
      currencies: ['USD', 'ARS'],
      timeZone: 'UTC',
      pages: 'online',
      country: 'AR',
      rateLimit: 200,
      createdAt: time,
    });
    await operator.json(`account suspend ${id}`);
    expect(await operator.json(`account change ${id} --name Medias --country uy --rate-limit 7`)).toEqual({
      ...changed,
      name: 'Medias',
      status: 'suspended',
      country: 'UY',
      rateLimit: 7,
    });
    const stored = await operator.database.em().findOneOrFail(Account, id);
    expect(stored).toMatchObject({ gpcReading: 'measure', country: 'UY', status: 'suspended' });
    expect(await operator.database.em().findOneOrFail(Account, other)).toMatchObject({ gpcReading: 'respect' });
    expect(await operator.json(`account change ${id} --erased suppress`)).toMatchObject({ erased: 'suppress' });
    expect(await operator.json(`account change ${id} --gpc respect`)).toMatchObject({ gpc: 'respect', rateLimit: 7 });
  });

  it('sets and removes the prefix of the event ids of an account, and refuses one that is long, odd or marks tests', async () => {
    const id = await operator.givenAccountId();
    expect(await operator.json(`account change ${id} --event-id-prefix shop-a:`)).toMatchObject({
      eventIdPrefix: 'shop-a:',
    });
    expect(await operator.json(`account change ${id} --gpc respect`)).toMatchObject({ eventIdPrefix: 'shop-a:' });
    for (const wrong of ['12345678901234567', 'a/b', 'test:', 'tes', 'test:x']) {
      const { status, err } = await operator.type(`account change ${id} --event-id-prefix ${wrong}`);
      expect([status, err]).toEqual([1, expect.stringContaining('event')]);
    }
    expect(await operator.json(['account', 'change', String(id), '--event-id-prefix', ''])).toMatchObject({
      eventIdPrefix: '',
    });
  });

  it('sets the time zone of an account, in which its metrics have their days', async () => {
    const { id } = Object(
      await operator.json('account create --name Zapatos --time-zone america/argentina/buenos_aires'),
    );
    const account = await operator.database.em().findOneOrFail(Account, id);
    await givenConversion(operator.database.em(), { account, occurredAt: new Date('2026-11-27T01:30:00Z') });
    const days = async () => await operator.json(`metrics --account ${id} --from 2026-11-20 --to 2026-11-27 --by day`);
    const argentina = { timeZone: 'America/Argentina/Buenos_Aires' };
    expect(await days()).toMatchObject([{ day: '2026-11-26', conversions: 1, ...argentina }]);
    expect(await operator.json(`account change ${id} --rate-limit 7`)).toMatchObject(argentina);
    expect(await operator.json(`account change ${id} --time-zone UTC`)).toMatchObject({ timeZone: 'UTC' });
    expect(await days()).toMatchObject([{ day: '2026-11-27', conversions: 1, timeZone: 'UTC' }]);
    const { out } = await operator.type(`metrics --account ${id} --from 2026-11-20 --to 2026-11-27 --by day`);
    expect(out).toContain('day (UTC)');
    for (const wrong of ['EST', 'UTC-3', 'America/Atlantis', "''"]) {
      const { status, err } = await operator.type(`account change ${id} --time-zone ${wrong}`);
      expect([status, err]).toEqual([1, expect.stringContaining('expected a time zone by its IANA name')]);
    }
  });

  it("reports the earlier sales of the account's days over a new connection", async () => {
    const account = await givenAccount(operator.database.em(), { timeZone: 'America/Argentina/Buenos_Aires' });
    const { id } = await givenConnection(operator.database.em(), { account });
    await givenConversion(operator.database.em(), { account, occurredAt: new Date('2026-11-27T01:30:00Z') });
    const of = (range: string) => operator.json(`connection backfill ${id} --dry-run ${range}`);
    expect(await of('--from 2026-11-26 --to 2026-11-26')).toMatchObject({ conversions: 1 });
    expect(await of('--from 2026-11-27')).toMatchObject({ conversions: 0 });
    const { status, err } = await operator.type(`connection backfill ${id} --from 2026-11-27 --to 2026-11-26`);
    expect([status, err]).toEqual([1, 'from: must be before to\n']);
  });

  it('describes each value of --gpc in the help of account commands', async () => {
    for (const command of ['create', 'change']) {
      const { out } = await operator.type(`account ${command} --help`);
      const help = out.replaceAll(/\s+/g, ' ');
      expect(help).toContain(
        'respect (default): as an opt-out of sale and sharing, as the CCPA/CPRA regulations read it',
      );
      expect(help).toContain('measure: for accounts whose legal basis covers measurement');
    }
  });

  it('lists API keys without their secret and marks test keys', async () => {
    const account = await operator.givenAccountId();
    const live = issued.parse(await operator.json(`key issue --account ${account} --name live --expires 2099-01-31`));
    const test = issued.parse(
      await operator.json(`key issue --account ${account} --name test --test --may register,read`),
    );
    await operator.json(`key issue --account ${await operator.givenAccountId()} --name other`);
    const listed = await operator.json(`key list --account ${account}`);
    const never = { createdAt: time, revokedAt: null, lastUsedAt: null };
    expect(listed).toEqual([
      {
        id: live.id,
        name: 'live',
        prefix: live.prefix,
        isTest: false,
        may: 'read,register,erase',
        ...never,
        expiresAt: '2099-01-31T00:00:00.000Z',
      },
      { id: test.id, name: 'test', prefix: test.prefix, isTest: true, may: 'read,register', ...never, expiresAt: null },
    ]);
    expect(JSON.stringify(listed)).not.toContain(live.key);
    await expect(operator.json(`key issue --account ${account} --name x --may everything`)).rejects.toThrow('--may');
  });

  it('keeps the first revocation time if an API key is revoked again', async () => {
    const account = await operator.givenAccountId();
    const { id } = issued.parse(await operator.json(`key issue --account ${account} --name backend`));
    const first = await operator.json(`key revoke ${id}`);
    expect(first).toMatchObject({ id, revokedAt: time });
    expect(await operator.json(`key revoke ${id}`)).toEqual(first);
    expect((await operator.database.em().findOneOrFail(ApiKey, id)).revokedAt).not.toBeNull();
  });

  it.each([
    ['account suspend 999999', 'there is no account 999999'],
    ['account change 999999 --gpc measure', 'there is no account 999999'],
    ['account change 1', 'nothing to change: give an option, see --help'],
    ['account change x --gpc measure', 'ID: there is no '],
    ['account change 1 --gpc ignore', '--gpc: expected respect or measure'],
    ['account create --name x --gpc ignore', '--gpc: expected respect or measure'],
    ['account change 1 --name=', '--name: must not be empty'],
    ['account change 1 --country Argentina', '--country: expected two letters, such as AR'],
    ['account change 1 --rate-limit 0', '--rate-limit: expected a whole number from 1 to 1000000'],
    ['key revoke 999999', 'there is no key 999999'],
    ['key revoke x', 'ID: there is no '],
    ['key issue --account 1 --name x --expires 2020-01-31', '--expires: has passed'],
    ['key issue --account 1 --name x --expires soon', '--expires: expected a date such as 2027-01-31'],
    ['account create --name x --rate-limit 0', '--rate-limit: expected a whole number from 1 to 1000000'],
  ])('rejects "%s" with exit status 1 and says what to fix', async (line, message) => {
    const { status, out, err } = await operator.type(line);
    expect(err).toContain(message);
    expect([status, out]).toEqual([1, '']);
  });
});

describe('the webhooks of an account', async () => {
  const operator = await shared(givenOperator());

  const pausedFor = (id: number, reason: string) =>
    operator.database.pool.query(`update platform_connection set state = 'paused', state_reason = $2 where id = $1`, [
      id,
      reason,
    ]);

  it('lists of one account are those of every account with --all, each with its account; one of the two is needed', async () => {
    const em = operator.database.em();
    const [meta, google] = [await givenConnection(em), await givenConnection(em, { platform: 'google' })];
    const rowSchema = z.looseObject({ accountId: z.number(), accountName: z.string(), id: z.number() });
    const all = async (noun: string) => z.array(rowSchema).parse(await operator.json(`${noun} list --all`));
    const listed = await all('connection');
    for (const { id, account } of [meta, google]) {
      const { name: accountName } = await account.loadOrFail();
      expect(listed).toContainEqual(expect.objectContaining({ id, accountId: account.id, accountName }));
    }
    const [hook, page] = [await givenWebhook(em), await givenLandingPage(em)];
    expect(await all('webhook')).toContainEqual(expect.objectContaining({ id: hook.id, accountId: hook.account.id }));
    expect(await all('page')).toContainEqual(expect.objectContaining({ id: page.id, accountId: page.account.id }));
    const account = await operator.givenAccountId();
    const { id } = issued.parse(await operator.json(`key issue --account ${account} --name live`));
    expect(await all('key')).toContainEqual(expect.objectContaining({ id, accountId: account }));
    await expect(operator.json('key list')).rejects.toThrow('--account is missing: give an account, or --all');
    await expect(operator.json(`key list --all --account ${account}`)).rejects.toThrow('give an account, or --all');
  });

  const deletedNow = (id: number) =>
    operator.database.pool.query(`update platform_connection set state = 'paused', deleted_at = now() where id = $1`, [
      id,
    ]);

  it('webhook list shows where they are, why Leadback paused them, and how they are resumed; connection list leaves them out', async () => {
    const em = operator.database.em();
    const platform = await givenConnection(em);
    const account = await platform.account.loadOrFail();
    const active = await givenWebhook(em, { account, url: 'https://shop.example/hook', topics: ['delivery.failed'] });
    const gone = await givenWebhook(em, { account, isTest: true });
    await pausedFor(gone.id, 'gone');
    const deleted = await givenWebhook(em, { account });
    await deletedNow(deleted.id);
    await givenWebhook(em);
    expect(await operator.json(`webhook list --account ${account.id}`)).toEqual([
      expect.objectContaining({
        id: active.id,
        url: 'https://shop.example/hook',
        events: 'delivery.failed',
        isTest: false,
        state: 'active',
        reason: null,
        waiting: 0,
        next: null,
      }),
      expect.objectContaining({
        id: gone.id,
        isTest: true,
        state: 'paused',
        reason: 'gone',
        next: expect.stringMatching(`responded with 410 .* Then run \`connection resume ${gone.id}\`\\.$`),
      }),
    ]);
    expect(await operator.json(`connection list --account ${account.id}`)).toMatchObject([{ id: platform.id }]);
    expect(await operator.json(`connection list --account ${account.id}`)).toHaveLength(1);
  });

  it('connection pause and resume take the id of a webhook, but never that of a deleted one', async () => {
    const em = operator.database.em();
    const webhook = await givenWebhook(em);
    expect(await operator.json(`connection pause ${webhook.id}`)).toMatchObject({ state: 'paused' });
    expect(await operator.json(`connection resume ${webhook.id}`)).toMatchObject({ state: 'active' });
    await deletedNow(webhook.id);
    await expect(operator.json(`connection resume ${webhook.id}`)).rejects.toThrow(
      `there is no connection ${webhook.id}`,
    );
  });
});
