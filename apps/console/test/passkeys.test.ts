import { deleteExpiredChallenges } from '@leadback/core/people/sign-in';
import { shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenAuthenticator } from './given-authenticator.ts';
import { givenConsole } from './given-console.ts';
import { done, outcome, passkeysOf, refused, signInOptions, withPasskeys } from './given-passkeys.ts';
import { whileLocked } from './while-locked.ts';

describe('passkeys of the console', async () => {
  const console = await shared(givenConsole({ host: 'localhost' }));
  const own = withPasskeys(console);

  it('sign a person in without email, password and code, with the second factor given', async () => {
    const { person, authenticator, reply: added } = await own.given();
    expect(added.body).toMatchObject({ name: 'Passkey', usedAt: null });
    const { browser, reply } = await own.signIn(authenticator);
    expect(reply).toMatchObject({
      status: 200,
      body: { person: { email: person.email, hasPasskey: true }, steppedUpUntil: expect.any(String) },
    });
    expect((await browser.post('/api/security/passkeys/options', {})).status).toBe(200);
    expect(await passkeysOf(browser)).toMatchObject([{ usedAt: expect.any(String) }]);
    expect(await own.audit(person, 2)).toEqual([
      { action: 'passkey.add', details: { name: 'Passkey' } },
      { action: 'session.start', details: { by: 'passkey' } },
    ]);
  });

  it('give the second factor again, and replace the session', async () => {
    const { person, authenticator } = await own.given();
    await own.age(person);
    expect(outcome(await person.post('/api/security/passkeys/options', {}))).toEqual({
      status: 403,
      error: 'second-factor-needed',
    });
    const before = person.cookie();
    const { body } = await person.post('/api/session/step-up/passkey/options', {});
    expect(body).toMatchObject({ allowCredentials: [{ type: 'public-key' }], userVerification: 'required' });
    const stepped = await person.post('/api/session/step-up/passkey', { credential: authenticator.use(body) });
    expect(stepped).toMatchObject({ status: 200, body: { steppedUpUntil: expect.any(String) } });
    expect(person.cookie()).not.toBe(before);
    expect((await person.post('/api/security/passkeys/options', {})).status).toBe(200);
    expect((await console.browser().get('/api/session', { cookie: `__Host-leadback=${before}` })).body).toMatchObject({
      person: null,
    });
  });

  it('do not step up the session of another person', async () => {
    const [{ person }, other] = [await own.given(), await own.given()];
    const { body } = await person.post('/api/session/step-up/passkey/options', {});
    const credential = other.authenticator.use(body);
    expect(outcome(await person.post('/api/session/step-up/passkey', { credential }))).toEqual(refused);
  });

  it.each([
    ['', ''],
    [', and the passkey was removed', 'passkey'],
  ])('say that a person is signed out whose session was ended elsewhere meanwhile%s', async (_, removed) => {
    const { person, authenticator } = await own.given();
    const { body } = await person.post('/api/session/step-up/passkey/options', {});
    const reply = await whileLocked(console, person.personId, {
      send: () => person.post('/api/session/step-up/passkey', { credential: authenticator.use(body) }),
      async change(holder) {
        await holder.query('delete from person_session where person_id = $1', [person.personId]);
        if (removed !== '') await holder.query('delete from passkey where person_id = $1', [person.personId]);
      },
    });
    expect(outcome(reply)).toEqual({ status: 401, error: 'signed-out' });
  });

  it('are refused with a challenge that was used before, too old, or given for something else', async () => {
    const { person, authenticator } = await own.given();
    const { browser, credential } = await own.signIn(authenticator);
    expect(outcome(await browser.post('/api/session/passkey', { credential }))).toEqual(refused);
    expect(outcome(await console.browser().post('/api/session/passkey', { credential }))).toEqual(refused);

    const forStepUp = (await person.post('/api/session/step-up/passkey/options', {})).body;
    const misused = { credential: authenticator.use(forStepUp) };
    expect(outcome(await console.browser().post('/api/session/passkey', misused))).toEqual(refused);

    const late = authenticator.use(await signInOptions(browser));
    await console.database.pool.query(`update sign_in_challenge set expires_at = now() - interval '1 second'`);
    expect(outcome(await browser.post('/api/session/passkey', { credential: late }))).toEqual(refused);
    const invented = authenticator.use({ challenge: 'x'.repeat(43), rpId: 'localhost' });
    expect(outcome(await browser.post('/api/session/passkey', { credential: invented }))).toEqual(refused);
  });

  it('use a challenge up once when two requests bring it at the same time', async () => {
    const { authenticator } = await own.given();
    const browser = console.browser();
    const credential = authenticator.use(await signInOptions(browser));
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => console.browser().post('/api/session/passkey', { credential })),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 403, 403, 403]);
  });

  it.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['without a check of who uses it', { isUnverified: true }],
    ['of another person', { userHandle: Buffer.from('person 999999').toString('base64url') }],
  ])('refuse a signature %s', async (_, signing) => {
    const { authenticator } = await own.given();
    expect(outcome((await own.signIn(authenticator, signing)).reply)).toEqual(refused);
    expect(outcome((await own.signIn(authenticator)).reply)).toEqual(done);
  });

  it('refuse a signature of another key', async () => {
    const { authenticator } = await own.given();
    const thief = givenAuthenticator(console.url);
    const browser = console.browser();
    const [owned, theirs] = [authenticator, thief].map((one) => one.use({ challenge: 'x', rpId: 'localhost' }));
    const forged = thief.use(await signInOptions(browser), { userHandle: owned?.response.userHandle ?? '' });
    expect(theirs?.id).not.toBe(owned?.id);
    const credential = { ...forged, id: owned?.id, rawId: owned?.id };
    expect(outcome(await browser.post('/api/session/passkey', { credential }))).toEqual(refused);
  });

  it('refuse a counter that does not advance: there may be a copy', async () => {
    const { authenticator } = await own.given();
    expect(outcome((await own.signIn(authenticator, { counter: 7 })).reply)).toEqual(done);
    expect(outcome((await own.signIn(authenticator, { counter: 7 })).reply)).toEqual(refused);
    expect(outcome((await own.signIn(authenticator, { counter: 6 })).reply)).toEqual(refused);
    expect(outcome((await own.signIn(authenticator, { counter: 8 })).reply)).toEqual(done);
  });

  it('limit the wrong ones of a network, and let the right ones of others there pass', async () => {
    const { authenticator } = await own.given();
    const network = { 'x-forwarded-for': '203.0.113.20' };
    const stranger = console.browser();
    const userHandle = Buffer.from('person 999999').toString('base64url');
    const credential = givenAuthenticator(console.url).use(await signInOptions(stranger), { userHandle });
    const wrong = Array.from({ length: 40 }, () => stranger.post('/api/session/passkey', { credential }, network));
    const statuses = new Set((await Promise.all(wrong)).map(({ status }) => status));
    expect(statuses).toEqual(new Set([403, 429]));
    const browser = console.browser();
    const { body } = await browser.post('/api/session/passkey/options', {}, network);
    const reply = await browser.post('/api/session/passkey', { credential: authenticator.use(body) }, network);
    expect(outcome(reply)).toEqual(done);
  });

  it('leave no challenges behind that have expired', async () => {
    const { pool } = console.database;
    const [early, late] = [console.browser(), console.browser()];
    await signInOptions(early);
    await pool.query(`update sign_in_challenge set expires_at = now() - interval '1 second'`);
    await signInOptions(late);
    expect(await deleteExpiredChallenges(pool, 1_000)).toBeGreaterThan(0);
    expect(await deleteExpiredChallenges(pool, 1_000)).toBe(0);
    expect((await pool.query('select 1 from sign_in_challenge')).rowCount).toBe(1);
  });
});
