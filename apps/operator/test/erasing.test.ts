import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parcelClaimer } from '@leadback/core/delivery/claim';
import { openConnection, readConnection } from '@leadback/core/connections/open';
import { readReceiptKeys } from '@leadback/core/erasure/ask/receipt';
import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { type Account, Client, Conversion, Lead } from '@leadback/db';
import { platformNames } from '@leadback/domain';
import { lookupHash } from '@leadback/domain/keys';
import { platformRegistry } from '@leadback/platforms';
import {
  everyRow,
  givenAccount,
  givenAdjustment,
  givenClient,
  givenConnection,
  givenContacts,
  givenConversion,
  givenDelivery,
  givenErased,
  givenLead,
  keysOfAccount,
  secretsKeys,
  shared,
  unique,
} from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { holdCounting } from '../../../packages/core/test/hold-counting.ts';
import { type TestOperator, givenOperator } from './given-operator.ts';

const emailHash = (account: Account, email: string) => lookupHash(keysOfAccount(account), 'email', email);

describe('client erase', async () => {
  const operator = await shared(givenOperator());

  /** Counts the rows that contain a text, by table. */
  const hits = async (text: string) => {
    const found: Record<string, number> = {};
    for (const [table, rows] of await everyRow(operator.database)) {
      const count = rows.filter((row) => row.toLowerCase().includes(text.toLowerCase())).length;
      if (count > 0) found[table] = count;
    }
    return found;
  };
  /** A client whose personal data all contain the canary, with a conversion. */
  const givenPerson = async (canary: string, account?: Account) => {
    const em = operator.database.em();
    const conversion = await givenConversion(em, {
      ...(account && { account }),
      amount: '149.90',
      client: {
        name: `Ana ${canary}`,
        email: `${canary}@Example.com`,
        phoneNumber: `+54 ${canary}`,
        externalReference: `customer ${canary}`,
        lead: {
          clickParameters: { gclid: canary, _fbp: `fb.1.${canary}`, utm_campaign: 'verano' },
          userAgent: `Mozilla ${canary}`,
          landingUrl: `https://landing.example/?gclid=${canary}`,
          ipAddress: `2001:db8::${canary}`,
          name: canary,
          email: `${canary}@example.com`,
          phone: canary,
        },
      },
    });
    const client = await conversion.client.loadOrFail();
    await operator.database.pool.query('update lead set accept_language = $2, referrer = $2 where id = $1', [
      client.lead.id,
      canary,
    ]);
    return { conversion, client, account: await conversion.account.loadOrFail() };
  };

  it('counts what an erasure would erase, and erases nothing, with --dry-run', async () => {
    const canary = unique('canary');
    const { account } = await givenPerson(canary);
    const before = await hits(canary);
    expect(await operator.json(`client erase --account ${account.id} --email ${canary}@example.com --dry-run`)).toEqual(
      {
        dryRun: true,
        account: account.id,
        clients: 1,
        leads: 1,
        importedRows: 0,
        listedRows: 0,
        next: expect.stringContaining('Nothing was erased'),
      },
    );
    expect(await hits(canary)).toEqual(before);
    const { rows } = await operator.database.pool.query('select 1 from erasure where account_id = $1', [account.id]);
    expect(rows).toEqual([]);
  });

  it('asks a person at a terminal before it erases, with what it would erase', async () => {
    const canary = unique('canary');
    const { account } = await givenPerson(canary);
    const before = await hits(canary);
    const line = `client erase --account ${account.id} --email ${canary}@example.com`;
    const refused = await operator.answer(line, 'n');
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('nothing was erased')]);
    expect(refused.err).toContain('Erase the personal data of 1 client and 1 lead for good? [y/N]');
    expect(await hits(canary)).toEqual(before);
    expect((await operator.answer(line, 'y')).status).toBe(0);
    expect(await hits(canary)).not.toEqual(before);
  });

  it.each(['email', 'reference'] as const)(
    'erases a client by %s from all tables and keeps the conversions',
    async (by) => {
      const canary = unique('canary');
      const { conversion, client, account } = await givenPerson(canary);
      const connection = await givenConnection(operator.database.em(), { account });
      await givenDelivery(operator.database.em(), { connection, conversion });
      const adjustment = await givenAdjustment(operator.database.em(), { conversion });
      await givenDelivery(operator.database.em(), { connection, adjustment });
      await operator.database.pool.query(
        `insert into reconciliation_row (reconciliation_id, account_id, number, email_hash, client_external_reference)
         select $1, $1, n, case when n <> 2 then $2 end, case when n <> 3 then $3 end
         from generate_series(1, 3) n`,
        [account.id, emailHash(account, `${canary}@example.com`), `customer ${canary}`],
      );
      expect(await hits(canary)).toEqual({ client: 1, lead: 1, reconciliation_row: 2 });

      const email = `${canary.toUpperCase()}@example.COM`;
      const { database } = operator;
      const erased =
        by === 'email'
          ? await operator.json(`client erase --account ${account.id} --email ${email}`)
          : await operator.json(['client', 'erase', '--account', `${account.id}`, '--reference', `customer ${canary}`]);
      expect(erased).toEqual({
        receipt: expect.stringMatching(/^\w{22}$/),
        account: account.id,
        clients: 1,
        leads: 1,
        importedRows: 0,
        conversions: 1,
        listedRows: 3,
        pendingDeliveries: 2,
        platformsTold: '',
      });

      expect(await hits(canary)).toEqual({});
      expect(await hits(emailHash(account, `${canary}@example.com`))).toEqual({ erased_key: 1 });
      expect(await database.em().findOneOrFail(Conversion, conversion.id)).toMatchObject({ amount: '149.90' });
      expect(await database.em().findOneOrFail(Client, client.id)).toMatchObject({
        contact: null,
        emailHash: null,
        externalReference: null,
      });
      expect(await database.em().findOneOrFail(Lead, client.lead.id)).toMatchObject({
        clickParameters: { utm_campaign: 'verano' },
      });
      // the same reference can be registered again, for a new client
      await givenClient(database.em(), { account, externalReference: `customer ${canary}` });
    },
  );

  it('erases the client from the rows of lists that have its conversions, however they name it', async () => {
    const canary = unique('canary');
    const { conversion, account } = await givenPerson(canary);
    const { pool } = operator.database;
    await pool.query(`update conversion set external_reference = 'order-1' where id = $1`, [conversion.id]);
    const { rows } = await pool.query<{ id: number }>(
      `insert into reconciliation (account_id, from_at, until_at, walked_at, step) values ($1, now(), now(), now(), null)
       returning id`,
      [account.id],
    );
    await pool.query(
      `insert into reconciliation_row (reconciliation_id, account_id, number, external_reference, email_hash,
                                       client_external_reference, conversion_id)
       values ($1, $2, 101, 'order-1', 'work@x.example', 'c-work', $3), ($1, $2, 102, 'order-1', 'eva@x.example', 'eva', null)`,
      [rows[0]?.id, account.id, conversion.id],
    );
    await operator.json(`client erase --account ${account.id} --email ${canary}@example.com`);
    expect([await hits('work@x.example'), await hits('c-work')]).toEqual([{}, {}]);
    expect([await hits('eva@x.example')]).toEqual([{ reconciliation_row: 1 }]);
  });

  it('does not erase clients of other accounts or with another email', async () => {
    const canary = unique('canary');
    const { account } = await givenPerson(canary);
    await givenPerson(canary);
    const other = unique('other');
    await givenPerson(other, account);
    const untouched = await hits(other);
    await operator.json(`client erase --account ${account.id} --email ${canary}@example.com`);
    expect(await hits(canary)).toEqual({ client: 1, lead: 1 });
    expect(await hits(other)).toEqual(untouched);
  });

  it('erases a visitor who only entered the email on a landing page, in any spelling', async () => {
    const em = operator.database.em();
    const { account } = await givenLead(em, { name: 'Josefa', email: 'JOSE\u0301FA@Example.com' });
    expect(await operator.json(`client erase --account ${account.id} --email joséfa@example.com`)).toEqual({
      receipt: expect.stringMatching(/^\w{22}$/),
      account: account.id,
      clients: 0,
      leads: 1,
      importedRows: 0,
      conversions: 0,
      listedRows: 0,
      pendingDeliveries: 0,
      platformsTold: '',
    });
    expect(await hits('Josefa')).toEqual({});
  });

  it('erases the client of a lead with the email, but not a client of that lead with another email', async () => {
    const em = operator.database.em();
    const canary = unique('canary');
    const conversion = await givenConversion(em, {
      client: { name: `Ana ${canary}`, externalReference: canary, lead: { email: `${canary}@example.com` } },
    });
    const { lead: ref, account, id } = await conversion.client.loadOrFail();
    const { database } = operator;
    const lead = await ref.loadOrFail();
    const other = { lead, name: unique('Eva'), email: `${unique('eva')}@example.com` };
    await givenClient(em, other);
    expect(await operator.json(`client erase --account ${account.id} --email ${canary}@example.com`)).toEqual({
      receipt: expect.stringMatching(/^\w{22}$/),
      account: account.id,
      clients: 1,
      leads: 1,
      importedRows: 0,
      conversions: 1,
      listedRows: 0,
      pendingDeliveries: 0,
      platformsTold: '',
    });
    expect(await hits(canary)).toEqual({});
    expect(await database.em().findOneOrFail(Client, id)).toMatchObject({ contact: null, externalReference: null });
    expect(await hits(other.name)).toEqual({ client: 1 });
  });

  it('reports that nobody was found, without repeating the email', async () => {
    const { id } = await givenAccount(operator.database.em());
    const { status, out, err } = await operator.type(`client erase --account ${id} --email nobody@example.com`);
    expect(err.trim()).toBe(`account ${id} has no person with this email; erased persons are not found again`);
    expect([status, out]).toEqual([1, '']);
  });

  it.each([
    ['client erase --account 1', 'give one of --email E, --reference R and --lead L'],
    ['client erase --account 1 --email a@b --reference c', 'give one of --email E, --reference R and --lead L'],
    ['client erase --account 1 --email ana', '--email: expected an email address'],
  ])('rejects "%s" with exit status 1 and says what to fix', async (line, message) => {
    const { status, err } = await operator.type(line);
    expect(err).toContain(message);
    expect(status).toBe(1);
  });
});

const platforms = platformRegistry({ PLATFORM_SANDBOX_URL: 'http://127.0.0.1:9' });
const toEach = (expected: unknown) => platformNames.map(() => expected);

describe('client erase', async () => {
  const operator = await shared(givenOperator());

  /** A client registered only by reference, whose visitor entered the rest on the landing page, with consent. */
  const givenPerson = async (canary: string, isTest: boolean, account: Account) => {
    const em = operator.database.em();
    const conversion = await givenConversion(em, {
      account,
      isTest,
      client: {
        isTest,
        externalReference: canary,
        lead: {
          consent: true,
          name: canary,
          email: `${canary}@example.com`,
          phone: '+1 650 253 0000',
          clickParameters: { gclid: canary, fbclid: canary, ttclid: canary, _ttp: canary, li_fat_id: canary },
          clickTimes: { gclid: '2026-11-20T12:00:00.000Z' },
          ipAddress: '203.0.113.7',
          userAgent: canary,
        },
      },
    });
    const deliveries: number[] = [];
    for (const platform of platformNames) {
      const connection = await givenConnection(em, { account, platform });
      deliveries.push((await givenDelivery(em, { connection, conversion })).id);
    }
    return { deliveries, client: await conversion.client.loadOrFail() };
  };

  /** What a worker would send now. */
  const prepared = async (deliveries: readonly number[]) => {
    const { pool } = operator.database;
    const { rows } = await pool.query<{ id: string }>(
      `update delivery_due set not_before = now() where delivery_ids && $1 returning id`,
      [deliveries],
    );
    const parcels = await Promise.all(rows.map(({ id }) => Number(id)).map(parcelClaimer(pool, givenContacts())));
    const sent = parcels.map(async (parcel) => {
      if (parcel === null) return [];
      const connection = await readConnection(pool, parcel.connection);
      const access = openConnection({ platforms, secretsKeys }, connection, 'live');
      return parcel.deliveries.map(({ event }) => access.prepare(event, parcel.claimedAtMs));
    });
    return (await Promise.all(sent)).flat();
  };
  const rowsWith = async (text: string) =>
    [...(await everyRow(operator.database)).values()].flat().filter((row) => row.toLowerCase().includes(text));

  it.each([
    ['live', 'reference'],
    ['live', 'email'],
    ['test', 'reference'],
    ['test', 'email'],
  ] as const)(
    'erases a %s client and its lead by %s, so that pending deliveries are skipped for lack of match keys',
    async (mode, by) => {
      const canary = unique('canary');
      const account = await givenAccount(operator.database.em());
      const { deliveries, client } = await givenPerson(canary, mode === 'test', account);
      expect(await prepared(deliveries)).toEqual(toEach(expect.objectContaining({ kind: 'event' })));

      const whom = by === 'email' ? `${canary}@example.com` : canary;
      expect(await operator.json(`client erase --account ${account.id} --${by} ${whom}`)).toEqual({
        receipt: expect.stringMatching(/^\w{22}$/),
        account: account.id,
        clients: 1,
        leads: 1,
        importedRows: 0,
        conversions: 1,
        listedRows: 0,
        pendingDeliveries: platformNames.length,
        platformsTold: '',
      });

      expect(await prepared(deliveries)).toEqual(toEach({ kind: 'skipped', reason: 'no_match_keys' }));
      expect(await rowsWith(canary)).toEqual([]);
      const em = operator.database.em();
      expect(await em.findOneOrFail(Lead, client.lead.id)).toMatchObject({
        clickParameters: {},
        clickTimes: null,
        contact: null,
      });
      const none = { externalReference: null, testReference: null, emailHash: null };
      expect(await em.findOneOrFail(Client, client.id)).toMatchObject({ ...none, isTest: mode === 'test' });
      // the reference may be used again in this mode
      await givenClient(em, { account, externalReference: canary, isTest: mode === 'test' });
    },
  );

  it('erases the live and the test client of one reference, and no client of another account', async () => {
    const canary = unique('canary');
    const em = operator.database.em();
    const [account, other] = [await givenAccount(em), await givenAccount(em)];
    for (const isTest of [false, true]) {
      await givenPerson(canary, isTest, account);
      await givenPerson(canary, isTest, other);
    }
    const erase = (id: number) => operator.json(`client erase --account ${id} --reference ${canary}`);
    expect(await erase(account.id)).toMatchObject({ clients: 2, leads: 2, conversions: 2 });
    expect(await erase(other.id)).toMatchObject({ clients: 2, leads: 2, conversions: 2 });
    expect(await rowsWith(canary)).toEqual([]);
  });
});

it('client erase holds no client while it counts, and an api makes the receipt if the command is cut off', async () => {
  await using operator = await givenOperator();
  const { pool } = operator.database;
  const email = `${unique('canary')}@example.com`;
  const { id, account } = await givenClient(operator.database.em(), { email });
  await using held = await holdCounting(operator.database);
  const typed = operator.type(`client erase --account ${account.id} --email ${email}`);
  const session = await held.counting();
  await pool.query('select from client where id = $1 for key share nowait', [id]);
  await pool.query('select pg_terminate_backend($1)', [session]);

  const { status, err } = await typed;
  const { rows } = await pool.query<{ id: string }>('select id from erasure');
  expect(err.trim()).toBe(
    `the person is erased. An api counts for the receipt: run "receipt show ${rows[0]?.id}" in a few minutes`,
  );
  expect(status).toBe(1);
  await held.letGo();
  await pool.query('update erasure set due_at = now()');
  expect(await performNextErasure(pool, erasureTools(secretsKeys, 30))).toMatchObject({
    id: rows[0]?.id,
    outcome: 'done',
    isAnyoneErased: true,
  });
});

describe('client allow', async () => {
  const operator = await shared(givenOperator());

  it.each([
    ['--email', 'Ana@x.example'],
    ['--phone', '+541123456789'],
    ['--erasure', 'E'.repeat(22)],
  ])(
    'lets an account register an erased person again by %s, once, with an entry in the audit log',
    async (by, name) => {
      const { database } = operator;
      const account = await givenAccount(database.em());
      await givenErased(database, account, { emails: ['ana@x.example'], phoneNumbers: ['+541123456789'] });
      const run = () => operator.json(['client', 'allow', '--account', `${account.id}`, by, name]);
      expect(await run()).toEqual([{ account: account.id, erasure: 'E'.repeat(22) }]);
      const { rows } = await database.pool.query(
        `select (select count(*)::int from erased_key where account_id = $1 and allowed_at is null) as suppressed,
              (select array_agg(target) from audit_entry where account_id = $1 and action = 'client.allow') as entries`,
        [account.id],
      );
      expect(rows).toEqual([{ suppressed: 0, entries: [`erasure ${'E'.repeat(22)}`] }]);
      await expect(run()).rejects.toThrow('suppresses nobody');
    },
  );

  it('needs exactly one name', async () => {
    await expect(operator.json('client allow --account 1')).rejects.toThrow('give one of');
  });
});

const shown = z.object({ receipt: z.string(), signature: z.string(), keyId: z.string() });
const noSettings = { DATABASE_URL: '', SECRETS_KEY: '' };

describe('receipt show and receipt verify', () => {
  let operator: TestOperator;
  let folder: string;
  let keysFile: string;
  let id: string;
  let signed: z.output<typeof shown>;
  beforeAll(async () => {
    operator = await givenOperator();
    folder = await mkdtemp(join(tmpdir(), 'receipts-'));
    const client = await givenClient(operator.database.em(), { email: `${unique('ana')}@example.com` });
    const { reference } = await client.lead.loadOrFail();
    const line = `client erase --account ${client.account.id} --lead ${reference}`;
    ({ receipt: id } = z.object({ receipt: z.string() }).parse(await operator.json(line)));
    signed = shown.parse(await operator.json(`receipt show ${id}`));
    const keys = await readReceiptKeys(operator.database.pool);
    keysFile = await file({
      keys: keys.map((key) => ({
        id: key.id,
        algorithm: 'Ed25519',
        publicKey: Buffer.from(key.publicKey).toString('base64'),
      })),
    });
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await operator[Symbol.asyncDispose]();
  });

  const file = async (content: unknown): Promise<string> => {
    const path = join(folder, unique('file'));
    await writeFile(path, JSON.stringify(content));
    return path;
  };

  /** What it says of a receipt that it does not take. */
  const refusalOf = async (content: unknown, keys: unknown): Promise<string> => {
    const line = ['receipt', 'verify', await file(content), '--keys', await file(keys)];
    const { status, err } = await operator.type(line, noSettings);
    expect(status).toBe(1);
    return err;
  };

  it('shows what was erased of a lead and its clients, what stays and where the receipt is', async () => {
    expect(await operator.json(`receipt show ${id}`)).toMatchObject({
      id,
      state: 'done',
      askedBy: 'operator',
      url: `https://go.example/data/receipt/${id}`,
    });
    const { out } = await operator.type(`receipt show ${id}`);
    for (const text of [id, 'clients', 'auditLog', 'backups']) expect(out).toContain(text);
  });

  it('verifies a receipt with the keys of the database, or offline with published keys', async () => {
    const genuine = { verdict: 'genuine', id, clients: 1, leads: 1 };
    const path = await file(signed);
    expect(await operator.json(['receipt', 'verify', path])).toMatchObject(genuine);
    expect(await operator.json(['receipt', 'verify', path, '--keys', keysFile], noSettings)).toMatchObject(genuine);
  });

  it.each([
    [
      'the receipt',
      (one: z.output<typeof shown>) => ({ ...one, receipt: one.receipt.replace('"leads":1', '"leads":9') }),
    ],
    ['the signature', (one: z.output<typeof shown>) => ({ ...one, signature: 'AAAA' })],
  ])('ends with status 1 and a clear sentence if %s was changed', async (_, change) => {
    const path = await file(change(signed));
    const { status, err } = await operator.type(['receipt', 'verify', path, '--keys', keysFile], noSettings);
    expect(err.trim()).toBe(`${path}: not genuine: the receipt or its signature was changed. Do not rely on it.`);
    expect(status).toBe(1);
  });

  it('says what is missing if the key is not known, a key was changed or the file is something else', async () => {
    expect(await refusalOf(signed, { keys: [] })).toContain(`signed with the key ${signed.keyId}, which is not among`);
    const wrong = { id: signed.keyId, algorithm: 'Ed25519', publicKey: Buffer.alloc(32).toString('base64') };
    expect(await refusalOf(signed, { keys: [wrong] })).toContain(`the key ${signed.keyId} was changed`);
    expect(await refusalOf({ receipt: null }, { keys: [] })).toContain('had no receipt yet');
    expect(await refusalOf([], { keys: [] })).toContain('expected {"receipt"');
    expect(await refusalOf(signed, {})).toContain('expected the file of /.well-known/leadback-receipts.json');
  });
});
