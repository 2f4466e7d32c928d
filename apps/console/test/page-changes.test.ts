import { changePage } from '@leadback/core/pages/pages';
import { type Account, AuditEntry, LandingPage } from '@leadback/db';
import { pageOfPreviewCode, pagePreviewKeys } from '@leadback/domain/keys';
import { givenAccount, givenLandingPage, givenWebhook, secretsKeys, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { changePageReply, type PageDraft, page as pageSchema, pagesReply } from '../src/contract/pages.ts';
import { givenConsole } from './given-console.ts';

describe('a landing page that two people change', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const pathOf = (rest = '') => `/api/accounts/${account.id}/pages${rest}`;
  const givenPage = (options: Parameters<typeof givenLandingPage>[1] = {}) =>
    givenLandingPage(console.database.em(), { account, ...options });
  const read = async (id: number) => pageSchema.parse((await person.get(pathOf(`/${id}`))).body);
  const change = async (id: number, given: { draft: PageDraft; version: string }, by = person) =>
    changePageReply.parse((await by.post(pathOf(`/${id}`), given)).body);
  const stored = (id: number) => console.database.em().findOneOrFail(LandingPage, { id });
  const audited = async () => {
    const entries = await console.database.em().find(AuditEntry, { accountId: account.id }, { orderBy: { id: 'asc' } });
    return entries.map(({ actor, action, target, details }) => ({ actor, action, target, details }));
  };

  it('saves nothing over a change that its author has not seen, and shows that change', async () => {
    const { id } = await givenPage({ title: 'Before' });
    const other = await console.person({ role: 'marketer', accounts: [account.id] });
    const seen = await read(id);
    const first = await change(id, { ...seen, draft: { ...seen.draft, title: 'Theirs' } }, other);
    expect(first.outcome).toBe('saved');
    const second = await change(id, { ...seen, draft: { ...seen.draft, text: 'Mine' } });
    expect(second).toMatchObject({
      outcome: 'changed-meanwhile',
      changedBy: other.email,
      page: { draft: { title: 'Theirs', text: '' } },
    });
    expect(await stored(id)).toMatchObject({ title: 'Theirs', text: null });
    if (second.outcome !== 'changed-meanwhile') throw new Error('expected a change meanwhile');
    const { draft, version } = second.page;
    expect((await change(id, { draft: { ...draft, text: 'Mine' }, version })).outcome).toBe('saved');
    expect(await stored(id)).toMatchObject({ title: 'Theirs', text: 'Mine' });
  });

  it('has a URL for what is saved, also while it is off', async () => {
    const { id } = await givenPage({ isOn: false });
    const { previewUrl } = await read(id);
    expect(previewUrl).toMatch(/^https:\/\/go\.example\/preview\//);
    expect(pageOfPreviewCode(pagePreviewKeys(secretsKeys), previewUrl.split('/').at(-1) ?? '')).toBe(id);
  });

  it('takes a change by the command line as any other', async () => {
    const { id } = await givenPage();
    const { draft, version } = await read(id);
    await changePage(console.database.em(), {
      actor: 'root',
      id,
      content: { title: 'By command' },
      landingUrl: 'https://go.example',
    });
    expect(await change(id, { draft: { ...draft, title: 'Mine' }, version })).toMatchObject({
      outcome: 'changed-meanwhile',
      changedBy: 'root',
      page: { draft: { title: 'By command' } },
    });
  });

  it('lets one of two people win who save at the same time', async () => {
    const { id } = await givenPage();
    const { draft, version } = await read(id);
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, place) => change(id, { version, draft: { ...draft, title: `Number ${place}` } })),
    );
    const outcomes = replies.map(({ outcome }) => outcome).toSorted();
    expect(outcomes).toEqual([...Array.from({ length: 5 }, () => 'changed-meanwhile'), 'saved']);
    const winner = replies.findIndex(({ outcome }) => outcome === 'saved');
    expect((await stored(id)).title).toBe(`Number ${winner}`);
  });

  it('takes a page that was only switched, or saved without a change, as unchanged', async () => {
    const { id } = await givenPage();
    const seen = await read(id);
    expect((await person.post(pathOf(`/${id}/switch`), { isOn: false })).body).toEqual({ id, isOn: false });
    expect((await change(id, seen)).outcome).toBe('saved');
    expect((await change(id, { ...seen, draft: { ...seen.draft, title: 'New' } })).outcome).toBe('saved');
    expect((await audited()).map(({ action }) => action)).toEqual(['page.off', 'page.change']);
    expect((await stored(id)).isOn).toBe(false);
  });

  const told = async () => {
    const found = await console.database.pool.query(
      'select type, is_test, data from webhook_event where account_id = $1',
      [account.id],
    );
    return found.rows;
  };

  it('tells who has a webhook, the audit log and the list when its clicks go to another host', async () => {
    for (const isTest of [false, true])
      await givenWebhook(console.database.em(), { account, topics: ['page.target_changed'], isTest });
    const { id } = await givenPage({ targetUrl: 'https://shop.example/a' });
    const moveTo = async (targetUrl: string) => {
      const { draft, version } = await read(id);
      expect((await change(id, { draft: { ...draft, targetUrl }, version })).outcome).toBe('saved');
    };
    const changeInList = async () =>
      pagesReply.parse((await person.get(pathOf())).body).items.find((one) => one.id === id)?.targetChange;

    await moveTo('https://shop.example/b');
    expect([await told(), await changeInList()]).toEqual([[], null]);

    await moveTo('https://thief.example/b');
    const data = { pageId: id, hostBefore: 'shop.example', hostAfter: 'thief.example', isTest: null };
    expect(await told()).toEqual([{ type: 'page.target_changed', is_test: null, data }]);
    expect(await changeInList()).toEqual({ hostBefore: 'shop.example', at: expect.any(String) });
    expect((await audited()).at(-1)).toEqual({
      actor: person.email,
      action: 'page.change-host',
      target: `page ${id}`,
      details: { host: { before: 'shop.example', after: 'thief.example' } },
    });
  });
});
