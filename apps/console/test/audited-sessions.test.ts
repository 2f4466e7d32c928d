import { givenAccount } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenFileIds } from './given-files.ts';
import { givenConsole, type SignedIn, type TestConsole } from './given-console.ts';

describe('what the audit log has of an attack', () => {
  let console: TestConsole;
  beforeAll(async () => {
    console = await givenConsole();
  });
  afterAll(() => console[Symbol.asyncDispose]());

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
    const { trial, list } = await givenFileIds(console, id);
    await person.get(`/api/accounts/${id}/imports/${trial}/result.csv`);
    await person.get(`/api/accounts/${id}/reconciliations/${list}/rows.csv`);
    await person.post(`/api/accounts/${id}/erasures/count`, { email: 'cleo@example.com' });
    expect((await actionsOf(person)).slice(-3)).toEqual([
      { action: 'file.download', target: `import ${trial}`, details: {} },
      { action: 'file.download', target: `reconciliation ${list}`, details: {} },
      { action: 'client.count', target: `account ${id}`, details: {} },
    ]);
  });
});
