import { shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { securityReply } from '../src/contract/security.ts';
import { type Browser, givenConsole, type SignedIn } from './given-console.ts';
import { whileLocked } from './while-locked.ts';

const changed = 'another password, which is long enough';

const sessionsOf = async (of: Browser) => securityReply.parse((await of.get('/api/security')).body).sessions;
const isSignedIn = async (of: Browser) => (await of.get('/api/security')).status === 200;

describe('the own sign-in of a person', async () => {
  const console = await shared(givenConsole());

  const signIn = async (person: SignedIn, password: string, userAgent = 'node') => {
    const browser = console.browser();
    const sent = { email: person.email, password, code: person.code() };
    const { status } = await browser.post('/api/session/sign-in', sent, { 'user-agent': userAgent });
    return { browser, status };
  };
  const auditOf = async ({ email }: SignedIn) => {
    const { rows } = await console.database.pool.query<{ action: string; details: unknown }>(
      'select action, details from audit_entry where actor = $1 order by id',
      [email],
    );
    return rows.at(-1);
  };

  it('lists the sessions of the person alone, with their devices, without those that have ended', async () => {
    const [person, other] = [await console.person(), await console.person()];
    const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const { browser } = await signIn(person, person.password, windows);
    expect(await sessionsOf(browser)).toMatchObject([
      { device: 'Firefox · Windows', isCurrent: true },
      { device: null, isCurrent: false },
    ]);
    expect(await sessionsOf(other)).toHaveLength(1);
    await console.database.pool.query(
      `update person_session set seen_at = now() - interval '13 hours' where person_id = $1 and device is null`,
      [person.personId],
    );
    expect(await sessionsOf(browser)).toHaveLength(1);
  });

  it('keeps the device of a session that is replaced by a second factor', async () => {
    const person = await console.person();
    const { browser } = await signIn(person, person.password, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0');
    await browser.post('/api/session/step-up', { code: person.code() });
    expect(await sessionsOf(browser)).toMatchObject([{ device: 'Firefox · Linux' }, {}]);
  });

  it('ends one other session, and none of another person', async () => {
    const [person, other] = [await console.person(), await console.person()];
    const { browser } = await signIn(person, person.password);
    const [, earlier] = await sessionsOf(browser);
    expect((await other.post('/api/security/sessions/end', { id: earlier?.id })).status).toBe(404);
    expect(await isSignedIn(person)).toBe(true);
    expect((await browser.post('/api/security/sessions/end', { id: earlier?.id })).status).toBe(200);
    expect([await isSignedIn(person), await isSignedIn(browser)]).toEqual([false, true]);
    expect(await auditOf(person)).toEqual({ action: 'session.end', details: { ended: 1 } });
    expect((await browser.post('/api/security/sessions/end', { id: earlier?.id })).status).toBe(404);
  });

  it('ends all other sessions, and is left with this one', async () => {
    const [person, other] = [await console.person(), await console.person()];
    const { browser } = await signIn(person, person.password);
    expect((await browser.post('/api/security/sessions/end', {})).status).toBe(200);
    expect(await Promise.all([person, browser, other].map(isSignedIn))).toEqual([false, true, true]);
  });

  it('changes the password and ends all other sessions', async () => {
    const person = await console.person();
    const code = person.code();
    const signInAgain = async (password: string) => {
      await console.database.pool.query('update person set code_step = 0 where id = $1', [person.personId]);
      return signIn({ ...person, code: () => code }, password);
    };
    const { browser } = await signInAgain(person.password);
    const body = { current: person.password, password: changed };
    expect((await browser.post('/api/security/password', body)).status).toBe(200);
    expect([await isSignedIn(person), await isSignedIn(browser)]).toEqual([false, true]);
    expect(await auditOf(person)).toEqual({ action: 'password.change', details: { sessions: 1 } });
    expect((await signInAgain(person.password)).status).toBe(401);
    expect((await signInAgain(changed)).status).toBe(200);
  });

  it('does not change the password without the current one, or to one that is too short', async () => {
    const person = await console.person();
    const wrong = await person.post('/api/security/password', { current: 'x', password: changed });
    expect([wrong.status, wrong.headers.get('leadback-error')]).toEqual([403, 'password-wrong']);
    const short = await person.post('/api/security/password', { current: person.password, password: 'short' });
    expect([short.status, short.headers.get('leadback-error')]).toEqual([400, 'invalid-fields']);
    expect((await signIn(person, person.password)).status).toBe(200);
  });

  it('does not change the password to one that is easy to guess', async () => {
    const person = await console.person();
    for (const password of ['password1234', 'leadback2026', ' '.repeat(12), person.email.padEnd(12, '1')]) {
      const reply = await person.post('/api/security/password', { current: person.password, password });
      expect([reply.status, reply.headers.get('leadback-error')]).toEqual([400, 'password-guessable']);
    }
    expect((await signIn(person, person.password)).status).toBe(200);
  });

  it('lets one of two changes at the same time through', async () => {
    const person = await console.person();
    const attempts = [changed, `${changed}!`].map((password) =>
      person.post('/api/security/password', { current: person.password, password }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 403]);
  });

  it('does not change the password for a session that was ended elsewhere meanwhile', async () => {
    const person = await console.person();
    const reply = await whileLocked(console, person.personId, {
      send: () => person.post('/api/security/password', { current: person.password, password: changed }),
      change: (holder) => holder.query('delete from person_session where person_id = $1', [person.personId]),
    });
    expect([reply.status, reply.headers.get('leadback-error')]).toEqual([401, 'signed-out']);
    expect((await signIn(person, person.password)).status).toBe(200);
  });

  it('ends other sessions also if one of them is replaced by a second factor at the same time', async () => {
    const person = await console.person();
    const { browser } = await signIn(person, person.password);
    const reply = await whileLocked(console, person.personId, {
      send: () => browser.post('/api/security/sessions/end', {}),
      // as a step-up does
      change: (holder) =>
        holder.query(
          `with before as (delete from person_session where token_hash = sha256($1) returning person_id, expires_at)
           insert into person_session (person_id, token_hash, expires_at) select person_id, 'x', expires_at from before`,
          [Buffer.from(person.cookie())],
        ),
    });
    expect(reply.status).toBe(200);
    expect(await sessionsOf(browser)).toHaveLength(1);
  });

  it.each([
    ['/api/security/passkeys/options', {}],
    ['/api/security/passkeys/remove', { id: 1 }],
    ['/api/security/password', { current: 'x', password: changed }],
  ])('needs a second factor of the last minutes for %s', async (path, body) => {
    const person = await console.person();
    await console.database.pool.query(
      `update person_session set stepped_up_at = now() - interval '6 minutes' where person_id = $1`,
      [person.personId],
    );
    const reply = await person.post(path, body);
    expect([reply.status, reply.headers.get('leadback-error')]).toEqual([403, 'second-factor-needed']);
  });
});
