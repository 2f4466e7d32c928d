import { disablePerson } from '@leadback/core/people/people';
import { shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { securityReply } from '../src/contract/security.ts';
import { givenAuthenticator } from './given-authenticator.ts';
import { givenConsole } from './given-console.ts';
import { creationOptions, done, outcome, passkeysOf, refused, signInOptions, withPasskeys } from './given-passkeys.ts';

describe('the passkeys of a person', async () => {
  const console = await shared(givenConsole({ host: 'localhost' }));
  const own = withPasskeys(console);

  it('are added only with an own challenge, from the own origin and with a check of who is there', async () => {
    const [person, other] = [await console.person(), await console.person()];
    const authenticator = givenAuthenticator(console.url);
    const tried = [
      authenticator.create(await creationOptions(other)),
      authenticator.create(await creationOptions(person), { origin: 'https://evil.example' }),
      authenticator.create(await creationOptions(person), { isUnverified: true }),
      authenticator.create(await signInOptions(person)),
    ];
    for (const credential of tried) {
      expect(outcome(await person.post('/api/security/passkeys', { credential }))).toEqual(refused);
    }
    expect(await passkeysOf(person)).toEqual([]);
    expect((await person.post('/api/security/passkeys', { credential: { id: '!' } })).status).toBe(400);
  });

  it('belong to one person, who alone renames and removes them', async () => {
    const [{ person, authenticator }, other] = [await own.given(), await console.person()];
    const [passkey] = await passkeysOf(person);
    expect(outcome((await own.add(other, authenticator)).reply)).toEqual({ status: 409, error: 'conflict' });
    const id = passkey?.id;
    const none = { status: 404, error: 'not-found' };
    expect(outcome(await other.post('/api/security/passkeys/rename', { id, name: 'mine' }))).toEqual(none);
    expect(outcome(await other.post('/api/security/passkeys/remove', { id }))).toEqual(none);
    expect(outcome(await person.post('/api/security/passkeys/rename', { id, name: ' ' }))).toEqual({
      status: 400,
      error: 'invalid-fields',
    });
    expect(outcome(await person.post('/api/security/passkeys/rename', { id, name: ' My phone ' }))).toEqual(done);
    expect(await passkeysOf(person)).toMatchObject([{ name: 'My phone' }]);
    expect(await passkeysOf(other)).toEqual([]);
    expect(outcome(await person.post('/api/security/passkeys/remove', { id }))).toEqual(done);
    expect(await passkeysOf(person)).toEqual([]);
    expect(outcome((await own.signIn(authenticator)).reply)).toEqual(refused);
    expect(await own.audit(person, 2)).toEqual([
      { action: 'passkey.rename', details: { name: { before: 'Passkey', after: 'My phone' } } },
      { action: 'passkey.remove', details: { name: 'My phone' } },
    ]);
  });

  it('end with the person who is disabled, and with an invitation that is accepted', async () => {
    const { person, authenticator } = await own.given();
    await disablePerson(console.database.em(), { id: person.personId, actor: 'test' });
    expect(outcome((await own.signIn(authenticator)).reply)).toEqual(refused);
    const again = await console.person({ email: person.email });
    expect(outcome((await own.signIn(authenticator)).reply)).toEqual(refused);
    expect(await passkeysOf(again)).toEqual([]);
  });

  it('are limited to 20 for a person', async () => {
    const { person } = await own.given();
    await console.database.pool.query(
      `insert into passkey (person_id, credential_id, public_key, name)
       select $1::bigint, decode(md5($1 || ' ' || n), 'hex'), '', 'old' from generate_series(1, 19) n`,
      [person.personId],
    );
    expect(outcome((await own.add(person)).reply)).toEqual({ status: 409, error: 'conflict' });
  });

  it('are not offered by a console that is opened by an IP address', async () => {
    await using byAddress = await givenConsole();
    const person = await byAddress.person();
    expect(securityReply.parse((await person.get('/api/security')).body).supportsPasskeys).toBe(false);
    const reply = await person.post('/api/security/passkeys/options', {});
    expect(outcome(reply)).toEqual({ status: 409, error: 'conflict' });
    expect(reply.text).toContain('CONSOLE_URL');
  });
});
