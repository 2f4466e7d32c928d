import { shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { csrfHeader } from '../src/contract/session.ts';
import { givenConsole, type SignedIn } from './given-console.ts';
import { whileLocked } from './while-locked.ts';

const own = '/api/session';
const signedIn = async (browser: Pick<SignedIn, 'get'>): Promise<boolean> => {
  const { body } = await browser.get(own);
  return !JSON.stringify(body).includes('"person":null');
};

// ten at a time: a connection whose request waits for 15 s is closed, and a busy machine checks few passwords in it
const manyTimes = async <Sent>(count: number, send: () => Promise<Sent>): Promise<Sent[]> => {
  const sent: Sent[] = [];
  while (sent.length < count) sent.push(...(await Promise.all(Array.from({ length: 10 }, send))));
  return sent;
};

describe('signing in to the console', async () => {
  const console = await shared(givenConsole());

  const signIn = (person: SignedIn, given: { email?: string; password?: string; code?: string } = {}) => {
    const browser = console.browser();
    const { email, password } = person;
    const body = { email, password, code: given.code ?? '000000', ...given };
    return browser.post('/api/session/sign-in', body).then((reply) => ({ ...reply, browser }));
  };

  it('accepts an invitation with a password and a code, and is signed in', async () => {
    const { email, token } = await console.invite({ role: 'operator' });
    const browser = console.browser();
    const invited = await browser.post('/api/invitation/read', { token });
    expect(invited).toMatchObject({ status: 200, body: { email, role: 'operator', accounts: [] } });
    const person = await console.person();
    expect(await person.get(own)).toMatchObject({
      status: 200,
      body: {
        person: { email: person.email, role: 'admin', may: expect.arrayContaining(['retry', 'manage-people']) },
        accounts: [],
      },
    });
  });

  it('signs in with email, password and code, and ends the session at signing out', async () => {
    const person = await console.person();
    const { browser, ...reply } = await signIn(person, {
      email: ` ${person.email.toUpperCase()}`,
      code: person.code(),
    });
    expect(reply).toMatchObject({ status: 200, body: { person: { email: person.email } } });
    expect(reply.headers.getSetCookie()[0]).toMatch(
      /^__Host-leadback=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    );
    expect((await browser.post('/api/session/sign-out', {})).headers.get('set-cookie')).toContain('Max-Age=0');
    expect(await signedIn(browser)).toBe(false);
    expect(await signedIn(person)).toBe(true);
  });

  it('stores neither the token of a session nor of an invitation, nor a password', async () => {
    const person = await console.person();
    const { token } = await console.invite();
    const { rows } = await console.database.pool.query(
      `select p::text, s::text, i::text, encode(p.second_factor, 'escape') from person p
       left join person_session s on s.person_id = p.id left join invitation i on i.person_id = p.id`,
    );
    const stored = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThan(1);
    for (const secret of [person.cookie(), person.password, token]) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
    }
  });

  it('does not tell a wrong email, a wrong password and a wrong code apart', async () => {
    const person = await console.person();
    const replies = [
      await signIn(person, { email: 'nobody@example.com' }),
      await signIn(person, { password: 'not the password' }),
      await signIn(person, { code: '000000' }),
    ];
    for (const { status, body } of replies) {
      expect({ status, body }).toEqual({ status: 401, body: { message: 'email, password or code is wrong' } });
    }
  });

  it('accepts a code once', async () => {
    const person = await console.person();
    const code = person.code();
    expect((await signIn(person, { code })).status).toBe(200);
    const again = await signIn(person, { code });
    expect([again.status, again.headers.get('leadback-error')]).toEqual([403, 'code-used']);
  });

  it('counts no code that was used before as a wrong one, so that a double click locks nobody out', async () => {
    const person = await console.person();
    const code = person.code();
    expect((await signIn(person, { code })).status).toBe(200);
    for (let tries = 0; tries < 6; tries += 1) {
      expect((await person.post('/api/session/step-up', { code })).headers.get('leadback-error')).toBe('code-used');
    }
    const other = await person.post('/api/session/step-up', { code: '000000' });
    expect(other.headers.get('leadback-error')).toBe('code-wrong');
  });

  it('lets a person in however many wrong attempts strangers made with the email, and limits the strangers', async () => {
    const person = await console.person();
    const strangers = [console.browser(), console.browser()];
    const guess = (browser: Pick<SignedIn, 'post'>) =>
      browser.post('/api/session/sign-in', { email: person.email, password: 'a wrong guess', code: '000000' });
    const guesses = await Promise.all(strangers.map((stranger) => manyTimes(45, () => guess(stranger))));
    expect(new Set(guesses.flat().map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect((await signIn(person, { code: person.code() })).status).toBe(200);
    // from further networks: at most one for each ten seconds that a busy machine took since
    const others = Array.from({ length: 10 }, () => guess(console.browser()));
    expect((await Promise.all(others)).map(({ status }) => status)).toContain(429);
    // a typing error in a browser that this person has used before
    const { headers, ...known } = await guess(person);
    expect([known.status, headers.get('leadback-error')]).toEqual([401, 'sign-in-failed']);
  });

  it('tells strangers beyond the limit nothing of a right password with wrong codes, while the owner signs in', async () => {
    const person = await console.person();
    const { email, password } = person;
    const guess = (body: object) =>
      console.browser().post('/api/session/sign-in', { email, password: 'a wrong guess', code: '000000', ...body });
    const start = performance.now();
    await manyTimes(60, () => guess({}));
    const seenIn = async (reply: ReturnType<typeof guess>) => {
      const { status, headers, body } = await reply;
      const names = [...headers.keys()].filter((name) => name !== 'date' && name !== 'x-request-id');
      return [status, headers.get('leadback-error'), headers.get('retry-after'), body, names.toSorted()];
    };
    const known = { email, password, code: person.code() };
    const [owner, ...first] = await Promise.all([
      person.post('/api/session/sign-in', known),
      ...Array.from({ length: 3 }, () => seenIn(guess({ password }))),
      seenIn(guess({})),
    ]);
    expect(owner.status).toBe(200);
    const later = await Promise.all(Array.from({ length: 6 }, () => seenIn(guess({ password }))));
    // after the lock, and with a code that was used
    const last = await Promise.all([seenIn(guess({ password })), seenIn(guess({ password, code: known.code }))]);
    const guesses = [...first, ...later, ...last];
    const { rows } = await console.database.pool.query('select 1 from person where id = $1 and locked_until > now()', [
      person.personId,
    ]);
    expect(rows).toHaveLength(1);
    const refused = guesses.filter(([, error]) => error === 'rate-limited');
    // one for each ten seconds that a busy machine took since
    const told = 1 + Math.floor((performance.now() - start) / 10_000);
    expect(guesses.length - refused.length).toBeLessThanOrEqual(told);
    expect(new Set(refused.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(refused[0]?.slice(0, 3)).toEqual([429, 'rate-limited', '10']);
  });

  it('counts codes that were used, and those that a lock refuses, as wrong attempts of a stranger', async () => {
    const person = await console.person();
    const code = person.code();
    expect((await signIn(person, { code })).status).toBe(200);
    const used = await manyTimes(30, () => signIn(person, { code }));
    const errors = new Set(used.map(({ headers }) => headers.get('leadback-error')));
    expect(errors).toEqual(new Set(['code-used', 'rate-limited']));
    const other = await console.person();
    const locked = await manyTimes(40, () => signIn(other));
    const ofLocked = new Set(locked.map(({ headers }) => headers.get('leadback-error')));
    expect(ofLocked).toEqual(new Set(['sign-in-failed', 'locked', 'rate-limited']));
  });

  it('checks few passwords of strangers beyond the limit', async () => {
    const person = await console.person();
    const network = { 'x-forwarded-for': '203.0.113.17' };
    const { email } = person;
    const wrong = () =>
      console.browser().post('/api/session/sign-in', { email, password: 'a wrong guess', code: '000000' }, network);
    const start = performance.now();
    await manyTimes(120, wrong);
    const seconds = Math.ceil((performance.now() - start) / 1_000);
    const { rows } = await console.database.pool.query<{ checked: number }>(
      `select (refused ->> 'password')::int as checked from person where id = $1`,
      [person.personId],
    );
    expect(rows[0]?.checked).toBeLessThanOrEqual(20 + 5 + 2 * seconds);
    expect((await signIn(person, { code: person.code() })).status).toBe(200);
  });

  it('treats a browser as that of a stranger after too many wrong passwords, and ends a session of which they come', async () => {
    const person = await console.person();
    const { email } = person;
    const inSession = await manyTimes(30, () =>
      person.post('/api/security/password', {
        current: 'a wrong guess',
        password: 'some words that nobody combines',
      }),
    );
    const errors = inSession.map(({ headers }) => headers.get('leadback-error'));
    expect(new Set(errors)).toEqual(new Set(['password-wrong', 'signed-out']));
    expect(errors.filter((error) => error === 'password-wrong').length).toBeLessThanOrEqual(21);
    expect(await signedIn(person)).toBe(false);
    const { rows } = await console.database.pool.query(
      `select details from audit_entry where actor = $1 and action = 'session.end'`,
      [email],
    );
    expect(rows).toEqual([{ details: { because: 'wrong-attempts' } }]);
    await person.get(own);
    const guess = (browser: Pick<SignedIn, 'post'>) =>
      browser.post('/api/session/sign-in', { email, password: 'a wrong guess', code: '000000' });
    // strangers use up what the email has, and the known browser what it has
    const strangers = await manyTimes(40, () => guess(console.browser()));
    expect(strangers.map(({ status }) => status)).toContain(429);
    const known = await manyTimes(40, () => guess(person));
    const statuses = known.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  it('counts attempts to sign in as somebody else for this person, also in a session', async () => {
    const [person, other] = [await console.person(), await console.person()];
    const body = { email: other.email, password: 'a wrong guess', code: '000000' };
    const strangers = await manyTimes(40, () => console.browser().post('/api/session/sign-in', body));
    expect(strangers.map(({ status }) => status)).toContain(429);
    const inSession = await Promise.all(Array.from({ length: 5 }, () => person.post('/api/session/sign-in', body)));
    expect(inSession.map(({ status }) => status)).toContain(429);
    expect(await signedIn(person)).toBe(true);
  });

  it('lets others of a network sign in however many wrong attempts a stranger makes there', async () => {
    const person = await console.person();
    const network = { 'x-forwarded-for': '203.0.113.7' };
    const stranger = console.browser();
    const wrong = Array.from({ length: 40 }, (_, index) => {
      const body = { email: `nobody-${index}@example.com`, password: 'x', code: '000000' };
      return stranger.post('/api/session/sign-in', body, network);
    });
    expect((await Promise.all(wrong)).map(({ status }) => status)).toContain(429);
    const { email, password } = person;
    const body = { email, password, code: person.code() };
    expect((await console.browser().post('/api/session/sign-in', body, network)).status).toBe(200);
    expect((await stranger.post('/api/invitation/read', { token: 'x'.repeat(43) }, network)).status).toBe(404);
  });

  it('limits what strangers send, but neither files nor the question who is signed in', async () => {
    const network = { 'x-forwarded-for': '203.0.113.8' };
    const stranger = console.browser();
    await stranger.get('/api/session', network);
    const statuses: number[] = [];
    // the limit fills up again meanwhile, the more the slower the machine is
    for (let sent = 0; sent < 3000 && !statuses.includes(429); sent += 300) {
      const many = Array.from({ length: 300 }, () => stranger.post('/api/session/sign-out', {}, network));
      statuses.push(...(await Promise.all(many)).map(({ status }) => status));
    }
    expect(statuses).toContain(429);
    const asked = await Promise.all(Array.from({ length: 250 }, () => stranger.get('/api/session', network)));
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('marks a browser as known for the person who signed in there, and nobody can make such a mark', async () => {
    const person = await console.person();
    const { headers } = await person.post('/api/session/step-up', { code: person.code() });
    const [mark = ''] = headers.getSetCookie().filter((cookie) => cookie.startsWith('__Host-leadback-browser='));
    expect(mark).toMatch(
      /^__Host-leadback-browser=[0-9A-Za-z-]{68}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=15552000$/,
    );
    const network = { 'x-forwarded-for': '203.0.113.9' };
    const attempt = (cookie: string) => {
      const input = { token: 'x'.repeat(43) };
      return console.browser().post('/api/invitation/read', input, { ...network, cookie });
    };
    const forged = `__Host-leadback-browser=${'x'.repeat(68)}`;
    const strangers = Array.from({ length: 400 }, () => attempt(forged));
    const known = await Promise.all(Array.from({ length: 5 }, () => attempt(mark.split(';')[0] ?? '')));
    expect(new Set(known.map(({ status }) => status))).toEqual(new Set([404]));
    expect((await Promise.all(strangers)).map(({ status }) => status)).toContain(429);
  });

  it('says that a person is signed out whose session was ended elsewhere while the second factor was checked', async () => {
    const person = await console.person();
    const { status, headers } = await whileLocked(console, person.personId, {
      send: () => person.post('/api/session/step-up', { code: person.code() }),
      change: (holder) => holder.query('delete from person_session where person_id = $1', [person.personId]),
    });
    expect([status, headers.get('leadback-error')]).toEqual([401, 'signed-out']);
  });

  it('does not sign in by a password that was changed while it was checked', async () => {
    const person = await console.person();
    const reply = await whileLocked(console, person.personId, {
      send: () => signIn(person, { code: person.code() }),
      change: (holder) => holder.query(`update person set password_hash = 'x' where id = $1`, [person.personId]),
    });
    expect([reply.status, reply.headers.get('leadback-error')]).toEqual([401, 'sign-in-failed']);
  });

  it('locks a person for minutes after five wrong codes with the right password, even for a right code', async () => {
    const person = await console.person();
    for (let tries = 0; tries < 4; tries += 1) expect((await signIn(person)).status).toBe(401);
    const fifth = await signIn(person);
    expect(fifth.status).toBe(429);
    expect(Number(fifth.headers.get('retry-after'))).toBeGreaterThan(600);
    expect((await signIn(person, { code: person.code() })).headers.get('leadback-error')).toBe('locked');
    expect((await person.post('/api/session/step-up', { code: person.code() })).status).toBe(429);
  });

  it('counts no wrong code without the password, so that nobody can lock others out', async () => {
    const person = await console.person();
    for (let tries = 0; tries < 6; tries += 1) {
      expect((await signIn(person, { password: 'not the password' })).status).toBe(401);
    }
    expect((await signIn(person, { code: person.code() })).status).toBe(200);
  });

  it('limits how often a network, and how often anybody for one email, may try', async () => {
    const person = await console.person();
    const browser = console.browser();
    /** Tries until it is too often: 20 times, and once more for each ten seconds that a busy machine takes. */
    const untilLimited = async (attempt: (tries: number) => ReturnType<typeof browser.post>) => {
      const start = performance.now();
      for (let tries = 0; ; tries += 1) {
        const reply = await attempt(tries);
        if (reply.status === 401) continue;
        expect(reply.status).toBe(429);
        expect(tries).toBeGreaterThanOrEqual(20);
        expect(tries).toBeLessThanOrEqual(20 + Math.floor((performance.now() - start) / 10_000));
        return reply;
      }
    };
    await untilLimited((tries) =>
      browser.post('/api/session/sign-in', { email: `nobody-${tries}@example.com`, password: 'x', code: '000000' }),
    );
    const { headers } = await untilLimited(() => signIn(person, { password: 'not the password' }));
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });

  it('replaces the session when the second factor is given again', async () => {
    const person = await console.person();
    const before = person.cookie();
    const reply = await person.post('/api/session/step-up', { code: person.code() });
    expect(reply).toMatchObject({ status: 200, body: { steppedUpUntil: expect.any(String) } });
    expect(person.cookie()).not.toBe(before);
    expect(await signedIn(person)).toBe(true);
    const earlier = await console.browser().get(own, { cookie: `__Host-leadback=${before}` });
    expect(earlier.body).toMatchObject({ person: null });
    expect((await person.post('/api/session/step-up', { code: '000000' })).headers.get('leadback-error')).toBe(
      'code-wrong',
    );
  });

  it.each([
    ['after 12 hours without a request', `seen_at = now() - interval '12 hours 1 second'`],
    ['after 7 days', `expires_at = now() - interval '1 second'`],
  ])('ends a session %s', async (_, aged) => {
    const person = await console.person();
    await console.database.pool.query(`update person_session set ${aged} where person_id = $1`, [person.personId]);
    expect(await signedIn(person)).toBe(false);
    const refused = await person.post('/api/session/step-up', { code: '000000' });
    expect([refused.status, refused.headers.get('leadback-error')]).toEqual([401, 'signed-out']);
  });

  it('notes that a session is in use', async () => {
    const person = await console.person();
    const query = (sql: string) => console.database.pool.query(sql, [person.personId]);
    await query(`update person_session set seen_at = now() - interval '11 hours' where person_id = $1`);
    await person.get(own);
    const { rows } = await query(`select seen_at > now() - interval '1 minute' as is_noted
                                  from person_session where person_id = $1`);
    expect(rows).toEqual([{ is_noted: true }]);
  });

  it('refuses to change anything for a page of another origin, or without the token of the session', async () => {
    const person = await console.person();
    const attempts: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: console.url.replace('127.0.0.1', 'localhost') },
      { [csrfHeader]: 'x' },
      { [csrfHeader]: '' },
    ];
    for (const headers of attempts) {
      const reply = await person.post('/api/session/sign-out', {}, headers);
      expect([reply.status, reply.headers.get('leadback-error')]).toEqual([403, 'cross-site']);
    }
    expect(await signedIn(person)).toBe(true);
    const other = await console.person();
    const { body } = await other.get(own);
    const theirs = JSON.stringify(body).match(/"csrf":"(?<csrf>[^"]+)"/)?.groups?.['csrf'] ?? '';
    expect((await person.post('/api/session/sign-out', {}, { [csrfHeader]: theirs })).status).toBe(403);
  });
});
