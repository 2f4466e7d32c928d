import { changePerson, disablePerson } from '@leadback/core/people/people';
import { invitePerson } from '@leadback/core/people/invitations';
import { givenAccount, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenConsole } from './given-console.ts';

const password = 'a password that is long enough';
const invalid = { status: 404, error: 'invitation-invalid' };

describe('invitations to the console', async () => {
  const console = await shared(givenConsole());

  const choose = async (token: string, chosen = password) => {
    const { status, headers } = await console.browser().post('/api/invitation/password', { token, password: chosen });
    return { status, error: headers.get('leadback-error') };
  };
  const age = (id: number, change: string) =>
    console.database.pool.query(`update invitation set ${change} where person_id = $1`, [id]);

  it('work for 7 days', async () => {
    const { id, token } = await console.invite();
    await age(id, `expires_at = expires_at - interval '6 days 23 hours'`);
    expect((await choose(token)).status).toBe(200);
    await age(id, `expires_at = expires_at - interval '1 hour'`);
    expect(await choose(token)).toEqual(invalid);
    expect((await console.browser().post('/api/invitation/accept', { token, code: '123456' })).status).toBe(404);
    expect((await console.browser().post('/api/invitation/read', { token })).status).toBe(404);
  });

  it('work once, and only until the next one', async () => {
    const person = await console.person();
    expect(await choose(person.invitation)).toEqual(invalid);
    const { token, email } = await console.invite();
    await console.invite({ email });
    expect(await choose(token)).toEqual(invalid);
  });

  it('can be accepted only with a code of the second factor, after a password was chosen', async () => {
    const { token } = await console.invite();
    const browser = console.browser();
    const early = await browser.post('/api/invitation/accept', { token, code: '123456' });
    expect(early.headers.get('leadback-error')).toBe('invitation-invalid');
    expect((await choose(token)).status).toBe(200);
    const wrong = await browser.post('/api/invitation/accept', { token, code: '000000' });
    expect([wrong.status, wrong.headers.get('leadback-error')]).toEqual([403, 'code-wrong']);
    expect(browser.cookie()).toBe('');
  });

  it('take no password of less than 12 characters', async () => {
    const { token } = await console.invite();
    expect(await choose(token, 'too short')).toEqual({ status: 400, error: 'invalid-fields' });
  });

  it('take no password that is easy to guess, such as the email of the person', async () => {
    const { token, email } = await console.invite();
    for (const chosen of ['password1234', email.padEnd(12, '1')]) {
      expect(await choose(token, chosen)).toEqual({ status: 400, error: 'password-guessable' });
    }
    expect((await choose(token)).status).toBe(200);
  });

  it('tell nothing of a token that was never issued', async () => {
    const token = 'x'.repeat(43);
    expect(await choose(token)).toEqual(invalid);
    expect((await console.browser().post('/api/invitation/read', { token })).status).toBe(404);
  });

  it('give a person who has lost the second factor a new one, and end the earlier sessions', async () => {
    const { id } = await givenAccount(console.database.em());
    const { email, ...before } = await console.person({ role: 'marketer', accounts: [id] });
    const after = await console.person({ role: 'partner-viewer', accounts: [id], email });
    expect((await after.get('/api/session')).body).toMatchObject({ person: { email, role: 'partner-viewer' } });
    expect((await before.get('/api/session')).body).toMatchObject({ person: null });
    const body = { email, password: before.password, code: before.code() };
    expect((await console.browser().post('/api/session/sign-in', body)).status).toBe(401);
  });

  it('change nothing of a person until they are accepted: neither role nor accounts nor sessions', async () => {
    const { id } = await givenAccount(console.database.em());
    const other = await givenAccount(console.database.em());
    const person = await console.person({ role: 'marketer', accounts: [id] });
    const { token } = await console.invite({ email: person.email, role: 'partner-admin', accounts: [other.id] });
    const own = { person: { role: 'marketer' }, accounts: [{ id }] };
    expect((await person.get('/api/session')).body).toMatchObject(own);
    const shown = await console.browser().post('/api/invitation/read', { token });
    expect(shown.body).toMatchObject({ role: 'partner-admin', accounts: [other.name] });
    const { email, password: known } = person;
    const again = await console.browser().post('/api/session/sign-in', { email, password: known, code: person.code() });
    expect(again.body).toMatchObject(own);

    const after = await console.person({ email, role: 'partner-viewer', accounts: [other.id] });
    expect((await after.get('/api/session')).body).toMatchObject({
      person: { role: 'partner-viewer' },
      accounts: [{ id: other.id }],
    });
    expect((await person.get('/api/session')).body).toMatchObject({ person: null });
  });

  it('give the role of a decision that came after them', async () => {
    const { id } = await givenAccount(console.database.em());
    const person = await console.person({ role: 'operator' });
    const { token } = await console.invite({ email: person.email, role: 'admin' });
    await changePerson(console.database.em(), {
      id: person.personId,
      role: 'marketer',
      accountIds: [id],
      actor: 'test',
    });
    expect((await console.browser().post('/api/invitation/read', { token })).body).toMatchObject({ role: 'marketer' });
  });

  it('name the accounts that a partner sees, and none for an operator', async () => {
    const em = console.database.em();
    const wanted = { email: 'bo@example.com', actor: 'test' };
    const { id } = await givenAccount(em);
    await expect(invitePerson(em.fork(), { ...wanted, role: 'marketer', accountIds: [] })).rejects.toThrow('--account');
    await expect(invitePerson(em.fork(), { ...wanted, role: 'admin', accountIds: [id] })).rejects.toThrow('leave');
    await expect(invitePerson(em.fork(), { ...wanted, role: 'marketer', accountIds: [id, 9_999_999] })).rejects.toThrow(
      'there is no account 9999999',
    );
    expect((await console.database.pool.query('select from person where email = $1', [wanted.email])).rowCount).toBe(0);
  });

  it('end with the person who is disabled, as the sessions do at once', async () => {
    const person = await console.person();
    await disablePerson(console.database.em(), { id: person.personId, actor: 'test' });
    expect((await person.get('/api/session')).body).toMatchObject({ person: null });
    const body = { email: person.email, password: person.password, code: person.code() };
    expect((await console.browser().post('/api/session/sign-in', body)).status).toBe(401);
  });
});
