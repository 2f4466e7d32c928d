import { auditRefused } from '@leadback/core/people/passwords';
import { eventually, givenAccount, givenClient, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenConsole, type SignedIn } from './given-console.ts';
import { givenFileIds } from './given-files.ts';

describe('what the audit log has of an attack', async () => {
  const console = await shared(givenConsole());

  const actionsOf = async ({ email }: SignedIn) => {
    const { rows } = await console.database.pool.query<{ action: string; target: string; details: unknown }>(
      'select action, target, details from audit_entry where actor = $1 order by id',
      [email],
    );
    return rows;
  };

  it('has each second factor that was given again, and each sign-out', async () => {
    const person = await console.person();
    const target = `person ${person.personId}`;
    expect((await person.post('/api/session/step-up', { code: person.code() })).status).toBe(200);
    expect((await person.post('/api/session/sign-out', {})).status).toBe(200);
    const entries = await actionsOf(person);
    expect(entries).toContainEqual({ action: 'session.stepped-up', target, details: { by: 'code' } });
    expect(entries.at(-1)).toEqual({ action: 'session.sign-out', target, details: {} });
  });

  it('has the lock after five wrong codes with the right password, once', async () => {
    const person = await console.person();
    const { email, password } = person;
    for (let tries = 0; tries < 7; tries += 1)
      await console.browser().post('/api/session/sign-in', { email, password, code: '000000' });
    const locks = (await actionsOf(person)).filter(({ action }) => action === 'session.locked');
    expect(locks).toEqual([
      { action: 'session.locked', target: `person ${person.personId}`, details: { until: expect.any(String) } },
    ]);
  });

  it('has each download of a file with personal data, and each count of a person without the name', async () => {
    const person = await console.person();
    const { id } = await givenAccount(console.database.em());
    const { dryRun, list } = await givenFileIds(console, id);
    await person.get(`/api/accounts/${id}/imports/${dryRun}/result.csv`);
    await person.get(`/api/accounts/${id}/reconciliations/${list}/rows.csv`);
    await person.post(`/api/accounts/${id}/erasures/count`, { email: 'cleo@example.com' });
    expect((await actionsOf(person)).slice(-3)).toEqual([
      { action: 'file.download', target: `import ${dryRun}`, details: {} },
      { action: 'file.download', target: `reconciliation ${list}`, details: {} },
      { action: 'client.count', target: `account ${id}`, details: {} },
    ]);
  });

  const session = z.object({ guessedCodes: z.object({ count: z.number(), since: z.string() }).nullable() });

  it('has what was refused to a person in an hour as one entry, and nothing of people who do not exist', async () => {
    const { pool } = console.database;
    const person = await console.person();
    const { email, password, personId } = person;
    const refusedOf = async () =>
      (await pool.query<{ refused: unknown }>('select refused from person where id = $1', [personId])).rows[0]?.refused;
    const wrong = (tried: object) => console.browser().post('/api/session/sign-in', { code: '000000', ...tried });
    for (let tries = 1; tries <= 3; tries += 1) {
      const ofKnown = await wrong({ email, password: 'wrong password' });
      const ofNobody = await wrong({ email: `not.${email}`, password: 'wrong password' });
      expect([ofKnown.status, ofKnown.body]).toEqual([ofNobody.status, ofNobody.body]);
    }
    await wrong({ email, password });
    await eventually(async () => expect(await refusedOf()).toEqual({ password: 3, code: 1 }));
    const entries = async () => (await actionsOf(person)).filter(({ action }) => action === 'session.refused');
    await auditRefused(pool, 1_000);
    expect(await entries()).toEqual([]);
    await pool.query(`update person set refused_since = now() - interval '1 hour' where id = $1`, [personId]);
    await Promise.all([auditRefused(pool, 1_000), auditRefused(pool, 1_000)]);
    const details = { since: expect.any(String), refused: { password: 3, code: 1 } };
    expect(await entries()).toEqual([{ action: 'session.refused', target: `person ${personId}`, details }]);
    expect(await refusedOf()).toEqual({});
    expect(await actionsOf({ ...person, email: `not.${email}` })).toEqual([]);
  });

  it('tells of wrong codes with the right password at the next sign-in, until the person has read it', async () => {
    const person = await console.person();
    const { email, password } = person;
    const browser = console.browser();
    for (let tries = 0; tries < 2; tries += 1)
      await console.browser().post('/api/session/sign-in', { email, password, code: '000000' });
    await console.browser().post('/api/session/sign-in', { email, password: 'wrong password', code: '000000' });
    const told = await browser.post('/api/session/sign-in', { email, password, code: person.code() });
    expect(session.parse(told.body).guessedCodes).toEqual({ count: 2, since: expect.any(String) });
    // one more came meanwhile
    const early = await browser.post('/api/session/guessed-codes', { count: 1 });
    expect(session.parse(early.body).guessedCodes?.count).toBe(2);
    const read = await browser.post('/api/session/guessed-codes', { count: 2 });
    expect(session.parse(read.body).guessedCodes).toBeNull();
    expect(session.parse((await browser.get('/api/session')).body).guessedCodes).toBeNull();
  });

  it('has each person who saw personal data of an account in full, once a day', async () => {
    const person = await console.person();
    const account = await givenAccount(console.database.em());
    const { id } = account;
    const marketer = await console.person({ role: 'marketer', accounts: [id] });
    const client = await givenClient(console.database.em(), { account });
    for (const one of [person, person, marketer]) {
      expect((await one.get(`/api/accounts/${id}/story?client=${client.id}`)).status).toBe(200);
      await one.post(`/api/accounts/${id}/find`, { text: String(client.id) });
    }
    const viewed = { action: 'person.viewed', target: `account ${id}`, details: {} };
    expect((await actionsOf(person)).filter(({ action }) => action === 'person.viewed')).toEqual([viewed]);
    expect(await actionsOf(marketer)).not.toContainEqual(viewed);
  });
});
