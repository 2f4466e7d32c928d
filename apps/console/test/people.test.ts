import { Person } from '@leadback/db';
import { givenAccount, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { auditReply } from '../src/contract/audit.ts';
import { type InvitationReply, invitationReply, listPeopleReply } from '../src/contract/people.ts';
import { type Browser, givenConsole, type Reply, type SignedIn } from './given-console.ts';

const address = () => `${unique('bo')}@example.com`;
const tokenOf = ({ url }: InvitationReply) => new URL(url).hash.slice(1);
const access = (by: Browser, id: number, role: string, ids: readonly number[] = []) =>
  by.post(`/api/people/${id}/access`, { role, accounts: ids });
const statusesOf = (replies: readonly Reply[]) =>
  replies.map(({ status }) => status).toSorted((one, other) => one - other);

describe('people in the console', async () => {
  const console = await shared(givenConsole());
  const admin = await console.person();
  const accounts = [(await givenAccount(console.database.em())).id, (await givenAccount(console.database.em())).id];

  const invite = async (input: Readonly<Record<string, unknown>> = {}) => {
    const wanted = { email: address(), role: 'marketer', accounts: accounts.slice(0, 1), ...input };
    return invitationReply.parse((await admin.post('/api/people', wanted)).body);
  };
  const listed = async (find = '') =>
    listPeopleReply.parse((await admin.get(`/api/people?find=${encodeURIComponent(find)}`)).body).items;
  const found = async (email: string) => (await listed(email))[0];
  const entriesOf = async (id: number) =>
    auditReply
      .parse((await admin.get('/api/audit')).body)
      .items.filter(({ target }) => target === `person ${id}`)
      .map(({ action, details }) => ({ action, details }));

  it('are invited by a link of this console, which works until the person is listed as active', async () => {
    const email = address();
    const invited = await invite({ email: email.toUpperCase() });
    expect(invited).toMatchObject({ email, url: expect.stringContaining(`${console.url}/invitation#`) });
    expect(await found(email)).toMatchObject({
      role: 'marketer',
      state: 'invited',
      hasSecondFactor: false,
      invitedUntil: invited.expiresAt,
      seenAt: null,
      accounts: [{ id: accounts[0] }],
    });
    expect(JSON.stringify(await listed())).not.toContain(tokenOf(invited));
    const person = await console.person({ role: 'operator', email });
    expect(await found(email)).toMatchObject({
      id: person.personId,
      role: 'operator',
      state: 'active',
      hasSecondFactor: true,
      invitedUntil: null,
      accounts: [],
    });
    expect((await found(email))?.seenAt).not.toBeNull();
  });

  it('are not invited twice, also not at the same time: the first link stays', async () => {
    const email = address();
    const wanted = { email, role: 'operator', accounts: [] };
    const replies = await Promise.all([1, 2, 3].map(() => admin.post('/api/people', wanted)));
    expect(statusesOf(replies)).toEqual([200, 409, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.body).toEqual({ message: `${email} was invited before; find the person in the list` });
    expect(await listed(email)).toHaveLength(1);
  });

  it('are not invited with a wrong email, or with accounts that do not fit the role', async () => {
    const refused = [
      { email: 'bo' },
      { role: 'boss' },
      { accounts: [] },
      { role: 'admin' },
      { accounts: [999_999] },
      { accounts: ['1'] },
    ];
    for (const input of refused) {
      const email = address();
      const reply = await admin.post('/api/people', { email, role: 'marketer', accounts: [accounts[0]], ...input });
      expect([input, reply.status, reply.headers.get('leadback-error')]).toEqual([input, 400, 'invalid-fields']);
      expect(await listed(email)).toEqual([]);
    }
  });

  it('are found by a part of the email, in which % and _ are letters', async () => {
    const email = `a_b%${unique('c')}@example.com`;
    await invite({ email });
    expect((await listed('A_B%')).map((person) => person.email)).toEqual([email]);
    expect(await listed('a%b')).toEqual([]);
  });

  it('lose a role in mid-session: its sessions end, and the audit log has both roles', async () => {
    const person = await console.person({ role: 'operator' });
    expect((await person.get('/api/accounts')).status).toBe(200);
    expect((await access(admin, person.personId, 'marketer', accounts)).status).toBe(200);
    expect((await person.get('/api/accounts')).headers.get('leadback-error')).toBe('signed-out');
    expect(await entriesOf(person.personId)).toContainEqual({
      action: 'user.change',
      details: {
        email: person.email,
        role: { before: 'operator', after: 'marketer' },
        accounts: { before: [], after: accounts },
      },
    });
    const { email, password } = person;
    await person.get('/api/session');
    const again = await person.post('/api/session/sign-in', { email, password, code: person.code() });
    expect(again.status).toBe(200);
    expect((await person.get('/api/accounts')).headers.get('leadback-error')).toBe('role-forbids');
    expect((await person.get(`/api/accounts/${accounts[1]}/keys`)).status).toBe(200);
  });

  it('lose an account in mid-session, and keep the session', async () => {
    const person = await console.person({ role: 'marketer', accounts });
    await access(admin, person.personId, 'marketer', accounts.slice(0, 1));
    expect((await person.get(`/api/accounts/${accounts[0]}/keys`)).status).toBe(200);
    expect((await person.get(`/api/accounts/${accounts[1]}/keys`)).status).toBe(404);
    const before = await entriesOf(person.personId);
    await access(admin, person.personId, 'marketer', accounts.slice(0, 1));
    expect(await entriesOf(person.personId)).toEqual(before);
  });

  it('are disabled at once, and enabled once a new link is accepted: what they signed in with before never works again', async () => {
    const person = await console.person({ role: 'operator' });
    const { email, password, personId } = person;
    const signIn = () => console.browser().post('/api/session/sign-in', { email, password, code: person.code() });
    const passkeys = async () =>
      (await console.database.pool.query('select from passkey where person_id = $1', [personId])).rowCount;
    await console.database.pool.query(
      `insert into passkey (person_id, credential_id, public_key, counter, name, transports)
       values ($1, '\\x01', '\\x02', 0, 'laptop', '{}')`,
      [personId],
    );
    expect((await admin.post(`/api/people/${personId}/disable`, {})).status).toBe(200);
    expect((await person.get('/api/accounts')).headers.get('leadback-error')).toBe('signed-out');
    expect(await found(email)).toMatchObject({ state: 'disabled', hasSecondFactor: false });
    expect([(await signIn()).status, await passkeys()]).toEqual([401, 0]);

    const again = invitationReply.parse((await admin.post(`/api/people/${personId}/invite`, {})).body);
    expect(again.email).toBe(email);
    expect(await found(email)).toMatchObject({ state: 'disabled', invitedUntil: again.expiresAt });
    expect((await console.browser().post('/api/invitation/read', { token: tokenOf(again) })).status).toBe(200);
    expect((await signIn()).status).toBe(401);

    const renewed = await console.person({ role: 'operator', email });
    expect(await found(email)).toMatchObject({ state: 'active', hasSecondFactor: true });
    expect((await renewed.get('/api/accounts')).status).toBe(200);
    expect(
      (await console.browser().post('/api/session/sign-in', { email, password, code: renewed.code() })).status,
    ).toBe(401);
  });

  it('are signed out everywhere by an admin, which the audit log has, and may sign in again', async () => {
    const person = await console.person({ role: 'operator' });
    const { email, password, personId } = person;
    // of another browser
    await console.database.pool.query(
      `insert into person_session (person_id, token_hash, stepped_up_at, seen_at, expires_at)
       values ($1, '\\x01', now(), now(), now() + interval '1 day')`,
      [personId],
    );
    const reply = await admin.post(`/api/people/${personId}/sign-out`, {});
    expect(reply.body).toEqual({ id: personId, ended: 2 });
    expect((await person.get('/api/accounts')).headers.get('leadback-error')).toBe('signed-out');
    expect(await entriesOf(personId)).toContainEqual({ action: 'user.sign-out', details: { email, ended: 2 } });
    const again = await console.browser().post('/api/session/sign-in', { email, password, code: person.code() });
    expect(again.status).toBe(200);
  });

  it('are signed out with a change of their accounts if the admin wants it', async () => {
    const person = await console.person({ role: 'marketer', accounts });
    const change = { role: 'marketer', accounts: accounts.slice(0, 1), signsOut: true };
    expect((await admin.post(`/api/people/${person.personId}/access`, change)).status).toBe(200);
    expect((await person.get('/api/session')).body).toMatchObject({ person: null });
  });

  it('get one working link when it is replaced several times at once', async () => {
    const { id, email } = await invite();
    const replies = await Promise.all([1, 2, 3].map(() => admin.post(`/api/people/${id}/invite`, {})));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const links = replies.map(({ body }) => invitationReply.parse(body));
    const open = await Promise.all(
      links.map((link) => console.browser().post('/api/invitation/read', { token: tokenOf(link) })),
    );
    expect(statusesOf(open)).toEqual([200, 404, 404]);
    expect(await listed(email)).toHaveLength(1);
  });

  it('do not withdraw their own access', async () => {
    const own = { status: 409, body: { message: 'you cannot withdraw your own access; ask another admin' } };
    expect(await access(admin, admin.personId, 'operator')).toMatchObject(own);
    expect(await admin.post(`/api/people/${admin.personId}/disable`, {})).toMatchObject(own);
    expect((await admin.get('/api/people')).status).toBe(200);
  });

  it.each(['disable', 'demote'])('keep an admin when two admins %s each other at the same time', async (how) => {
    const [ana, bo] = [await console.person(), await console.person()];
    const act = (by: SignedIn, on: SignedIn) =>
      how === 'disable' ? by.post(`/api/people/${on.personId}/disable`, {}) : access(by, on.personId, 'operator');
    const replies = await Promise.all([act(ana, bo), act(bo, ana)]);
    // the second is refused by the action, or before it because the session has ended
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.find(({ status }) => status !== 200)?.status).toSatisfy((status) => [401, 409].includes(status));
    const both = [ana.personId, bo.personId];
    expect(await console.database.em().count(Person, { id: both, role: 'admin', disabledAt: null })).toBe(1);
  });

  it('do not exist by an id of nobody', async () => {
    const none = { status: 404, body: { message: 'there is no user 999999' } };
    expect(await access(admin, 999_999, 'operator')).toMatchObject(none);
    for (const action of ['invite', 'disable', 'sign-out']) {
      expect(await admin.post(`/api/people/999999/${action}`, {})).toMatchObject(none);
    }
  });
});
