import { type Account, Client, Conversion, Lead } from '@leadback/db';
import { lookupHash } from '@leadback/domain/keys';
import {
  everyRow,
  givenAccount,
  givenAdjustment,
  givenClient,
  givenConnection,
  givenConversion,
  givenDelivery,
  givenLead,
  keysOfAccount,
  unique,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenOperator } from './given-operator.ts';

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
