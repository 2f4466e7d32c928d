import { givenAccount, unique, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { auditReply } from '../src/contract/audit.ts';
import { entriesPerPage } from '../src/endpoints/audit.ts';
import { givenConsole } from './given-console.ts';

describe('the audit log in the console', async () => {
  const console = await shared(givenConsole());
  const admin = await console.person();
  const accountId = (await givenAccount(console.database.em())).id;
  const otherId = (await givenAccount(console.database.em())).id;

  /** `count` entries, one second after the other until `until`. */
  const add = (
    account: number | null,
    {
      actor = 'ana@example.com',
      action = 'page.change',
      count = 1,
      until = '2026-11-20T12:00:00Z',
    }: { readonly actor?: string; readonly action?: string; readonly count?: number; readonly until?: string } = {},
  ) =>
    console.database.pool.query(
      `insert into audit_entry (at, actor, action, account_id, target, details)
       select $5::timestamptz - (n || ' s')::interval, $1, $2, $3, 'page ' || n, '{"slug": {"before": "a", "after": "b"}}'
       from generate_series(1, $4::int) n`,
      [actor, action, account, count, until],
    );
  const read = async (query = '', path = `/api/accounts/${accountId}/audit`, by = admin) =>
    auditReply.parse((await by.get(`${path}${query}`)).body);

  it('lists the entries of one account newest first, page by page, each once', async () => {
    await add(accountId, { count: entriesPerPage + 5 });
    await add(otherId);
    const first = await read();
    const second = await read(`?after=${first.next}`);
    expect([first.items.length, second.items.length, second.next]).toEqual([entriesPerPage, 5, null]);
    const all = [...first.items, ...second.items];
    expect(all.map(({ target }) => target)).toEqual(all.map((_, at) => `page ${at + 1}`));
    expect(new Set(all.map((entry) => entry.accountId))).toEqual(new Set([accountId]));
    expect(all[0]).toMatchObject({ actor: 'ana@example.com', details: { slug: { before: 'a', after: 'b' } } });
  });

  it('lists entries of the same time once over the border of a page', async () => {
    const { id } = await givenAccount(console.database.em());
    await console.database.pool.query(
      `insert into audit_entry (at, actor, action, account_id, target)
       select '2026-11-20', 'ana', 'page.on', $1, 'page ' || n from generate_series(1, $2::int) n`,
      [id, entriesPerPage + 1],
    );
    const path = `/api/accounts/${id}/audit`;
    const first = await read('', path);
    const second = await read(`?after=${first.next}`, path);
    const targets = [...first.items, ...second.items].map(({ target }) => target);
    expect(new Set(targets).size).toBe(entriesPerPage + 1);
    expect(targets).toHaveLength(entriesPerPage + 1);
  });

  it('is filtered by actor, action and days in UTC', async () => {
    const actor = `${unique('bo')}@example.com`;
    await add(accountId, { actor, until: '2026-10-02T00:00:01Z' });
    await add(accountId, { actor, action: 'page.off', until: '2026-10-03T00:00:00Z' });
    await add(accountId, { actor, action: 'page.off', until: '2026-10-03T00:00:01Z' });
    const times = async (query: string) => (await read(`?actor=${actor}${query}`)).items.map(({ at }) => at);
    const [first, second, third] = ['2026-10-02T00:00:00.000Z', '2026-10-02T23:59:59.000Z', '2026-10-03T00:00:00.000Z'];
    expect(await times('')).toEqual([third, second, first]);
    expect(await times('&action=page.off')).toEqual([third, second]);
    expect(await times('&from=2026-10-02&to=2026-10-02')).toEqual([second, first]);
    expect(await times('&from=2026-10-03')).toEqual([third]);
    expect(await times('&action=page.on')).toEqual([]);
  });

  it('lists entries of all accounts, and of none, with the names of accounts', async () => {
    const action = unique('page.').replace(/\W$/, '');
    for (const account of [accountId, otherId, null]) await add(account, { action });
    const { items } = await read(`?action=${encodeURIComponent(action)}`, '/api/audit');
    expect(new Set(items.map((entry) => entry.accountId))).toEqual(new Set([accountId, otherId, null]));
    for (const entry of items) expect(entry.accountName === null).toBe(entry.accountId === null);
  });

  it('goes on after 20,000 entries that do not match, which is what one search reads', async () => {
    const { id } = await givenAccount(console.database.em());
    await add(id, { actor: 'rare', until: '2026-01-01T00:00:00Z' });
    await add(id, { count: 20_100 });
    const path = `/api/accounts/${id}/audit`;
    const first = await read('?actor=rare', path);
    expect([first.items, first.next === null]).toEqual([[], false]);
    const second = await read(`?actor=rare&after=${first.next}`, path);
    expect([second.items.length, second.next]).toEqual([1, null]);
  });

  it.each(['?from=soon', '?after=0', '?after=x'])('refuses %s', async (query) => {
    expect((await admin.get(`/api/audit${query}`)).status).toBe(400);
  });

  it('is no way to the entries of another account', async () => {
    const partner = await console.person({ role: 'partner-admin', accounts: [accountId] });
    const foreign = await read('', '/api/audit').then(({ items }) => items.find((one) => one.accountId === otherId));
    const { items } = await read(`?after=${foreign?.id}`, `/api/accounts/${accountId}/audit`, partner);
    expect(items.every((entry) => entry.accountId === accountId)).toBe(true);
    expect((await partner.get(`/api/accounts/${otherId}/audit`)).status).toBe(404);
    expect((await partner.get('/api/audit')).status).toBe(403);
  });
});
