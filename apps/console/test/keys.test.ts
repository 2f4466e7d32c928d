import { ApiKey } from '@leadback/db';
import { hashApiKey } from '@leadback/domain/keys';
import { givenAccount, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { auditReply } from '../src/contract/audit.ts';
import { apiKey, issueKeyReply, listKeysReply } from '../src/contract/keys.ts';
import { givenConsole } from './given-console.ts';

describe('API keys in the console', async () => {
  const console = await shared(givenConsole());
  const accountId = (await givenAccount(console.database.em())).id;
  const person = await console.person({ role: 'partner-admin', accounts: [accountId] });

  const path = () => `/api/accounts/${accountId}/keys`;
  const issue = async (input: Readonly<Record<string, unknown>> = {}) =>
    issueKeyReply.parse((await person.post(path(), { name: 'shop', isTest: false, scopes: ['read'], ...input })).body);
  const listed = async () => listKeysReply.parse((await person.get(path())).body).items;
  const entries = async () => auditReply.parse((await person.get(`/api/accounts/${accountId}/audit`)).body).items;

  it('shows a new key once, and stores only its hash', async () => {
    const issued = await issue({ name: ' shop ', expires: '2099-01-31' });
    expect(issued).toMatchObject({
      key: expect.stringMatching(/^lb_live_[0-9A-Za-z]{40}$/),
      apiUrl: 'https://api.example',
    });
    const stored = await console.database.em().findOneOrFail(ApiKey, { keyHash: hashApiKey(issued.key) });
    expect(stored).toMatchObject({ id: issued.id, name: 'shop', issuedBy: person.email });
    const [newest] = await listed();
    expect(newest).toMatchObject({
      id: issued.id,
      prefix: issued.key.slice(0, 14),
      scopes: ['read'],
      state: 'active',
      expiresAt: '2099-01-31T00:00:00.000Z',
      lastUsedAt: null,
      issuedBy: person.email,
    });
    expect(JSON.stringify([await listed(), await entries()])).not.toContain(issued.key);
  });

  it('refuses a name without letters, an expiry that has passed, and a mode or scopes that are missing', async () => {
    const before = (await listed()).length;
    for (const input of [
      { name: ' ' },
      { expires: '2020-01-31' },
      { expires: 'soon' },
      { isTest: undefined },
      { scopes: undefined },
      { scopes: [] },
      { scopes: ['everything'] },
    ]) {
      const reply = await person.post(path(), { name: 'shop', isTest: false, scopes: ['read'], ...input });
      expect([input, reply.status, reply.headers.get('leadback-error')]).toEqual([input, 400, 'invalid-fields']);
    }
    expect(await listed()).toHaveLength(before);
  });

  it('says when a key has expired', async () => {
    const { id } = await issue();
    await console.database.pool.query('update api_key set expires_at = now() where id = $1', [id]);
    expect((await listed()).find((key) => key.id === id)?.state).toBe('expired');
  });

  it('revokes a key once when two people revoke it at the same time', async () => {
    const { id } = await issue({ name: 'twice' });
    const replies = await Promise.all([1, 2].map(() => person.post(`${path()}/${id}/revoke`, {})));
    const [first, second] = replies.map(({ body }) => apiKey.parse(body));
    expect(first).toEqual(second);
    expect(first?.state).toBe('revoked');
    const revocations = (await entries()).filter(({ target }) => target === `key ${id}`);
    expect(revocations.map(({ action, actor, details }) => ({ action, actor, name: details['name'] }))).toEqual([
      { action: 'key.revoke', actor: person.email, name: 'twice' },
      { action: 'key.issue', actor: person.email, name: 'twice' },
    ]);
  });

  it('does not revoke a key of another account', async () => {
    const { id } = await issue();
    const other = await givenAccount(console.database.em());
    const admin = await console.person();
    const reply = await admin.post(`/api/accounts/${other.id}/keys/${id}/revoke`, {});
    expect([reply.status, reply.body]).toEqual([404, { message: `there is no key ${id}` }]);
    expect((await listed()).find((key) => key.id === id)?.state).toBe('active');
    expect((await admin.post(`/api/accounts/${other.id}/keys/x/revoke`, {})).status).toBe(400);
  });
});
