import { createSource, findListedSource, readSourceContent } from '@leadback/core/sources/sources';
import { platformSandbox } from '@leadback/platform-sandbox';
import { givenAccount, givenServer, secretsKeys } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { connectedReply, connectPageReply } from '../src/contract/sources.ts';
import { givenConsole, type SignedIn } from './given-console.ts';

describe('a Tiendanube store, connected by its owner', async () => {
  const sandbox = await givenServer(platformSandbox());
  const console = await givenConsole({ platformsUrl: sandbox.url });
  const app = { appId: '8123', secret: 'of the app' };
  let person: SignedIn;
  let accountId: number;
  let id: number;
  let url: string;
  let returnUrl: string;

  const setShop = async (change: object = {}) => {
    const settings = { clientId: app.appId, secret: app.secret, storeId: '5238476', returnUrl, ...change };
    const { status } = await fetch(`${sandbox.url}/shops/tiendanube`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    });
    expect(status).toBeLessThan(300);
  };
  const addSource = async (content: object = app) => {
    const account = await givenAccount(console.database.em());
    accountId = account.id;
    const wanted = { actor: 'test', accountId: account.id, kind: 'tiendanube', isTest: false };
    const { pool } = console.database;
    const created = await createSource(pool, secretsKeys, { ...wanted, content: { ...content } });
    ({ id } = created);
    url = `https://api.example/source/${created.path}`;
    returnUrl = `${console.url}/a/${account.id}/connections/sources/${id}`;
  };
  const path = (end: string) => `/api/accounts/${accountId}/sources/${id}/${end}`;
  /** As a browser that goes to the page, lets the app in, and is taken back. */
  const goThere = async (who = person) => {
    const { page } = connectPageReply.parse((await who.post(path('connect'), {})).body);
    const { headers } = await fetch(page, { redirect: 'manual' });
    const back = new URL(headers.get('location') ?? '');
    expect(back.href.startsWith(`${returnUrl}?`)).toBe(true);
    return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' };
  };
  const comeBack = async (answer: object, who = person) =>
    connectedReply.parse((await who.post(path('connected'), answer)).body);
  const stored = async () => {
    const { settings, encrypted } = await readSourceContent(console.database.pool, secretsKeys, { id });
    return { store: settings['store'], secrets: encrypted?.secrets };
  };
  const hooks = async (): Promise<unknown> => {
    const reply = await fetch(`${sandbox.url}/v1/5238476/webhooks`, {
      headers: { 'user-agent': 'test', authorization: 'Bearer any' },
    });
    return reply.json();
  };

  beforeEach(async () => {
    person ??= await console.person({ role: 'admin' });
    await addSource();
    await setShop();
  });

  it('gets its token for the code with which the owner returns, and sends its orders by webhooks that are made for it', async () => {
    const answer = await goThere();
    expect(await comeBack(answer)).toEqual({ outcome: 'connected', unsent: [] });
    expect(await stored()).toEqual({ store: '5238476', secrets: ['secret', 'accessToken'] });
    const { rows } = await console.database.pool.query<{ details: unknown }>(
      "select details from audit_entry where account_id = $1 and action = 'source.change'",
      [accountId],
    );
    expect(rows).toEqual([{ details: { changed: ['store', 'accessToken'] } }]);
    const sent = await fetch(`${sandbox.url}/shops/tiendanube`);
    expect(await sent.text()).toContain(url);
    // a code is good once
    expect(await comeBack(answer)).toEqual({ outcome: 'code-refused', unsent: [] });
    expect(await stored()).toMatchObject({ store: '5238476' });
    expect(await comeBack(await goThere())).toEqual({ outcome: 'connected', unsent: [] });
  });

  it('is not connected by an answer that another person, or another source, has started', async () => {
    const answer = await goThere();
    const other = await console.person({ role: 'admin' });
    expect(await comeBack(answer, other)).toEqual({ outcome: 'state-refused', unsent: [] });
    await addSource();
    expect(await comeBack(answer)).toEqual({ outcome: 'state-refused', unsent: [] });
    expect(await comeBack({ ...answer, state: 'x' })).toEqual({ outcome: 'state-refused', unsent: [] });
    expect(await stored()).toEqual({ store: undefined, secrets: ['secret'] });
  });

  it('says what to do if the app, its rights, the store or the other side is the reason', async () => {
    const answer = await goThere();
    await setShop({ secret: 'another' });
    expect(await comeBack(answer)).toMatchObject({ outcome: 'app-refused' });
    await setShop({ scope: 'read_products' });
    expect(await comeBack(await goThere())).toMatchObject({ outcome: 'scope-missing' });
    await addSource({ ...app, store: '99' });
    await setShop();
    expect(await comeBack(await goThere())).toMatchObject({ outcome: 'other-store' });
    await addSource({});
    const { status, body } = await person.post(path('connect'), {});
    expect([status, body]).toEqual([400, { message: 'enter the id and the secret of the app first' }]);
    expect(await stored()).toEqual({ store: undefined, secrets: [] });
  });

  it('is worked on again once it is connected again, if its token was refused', async () => {
    const { pool } = console.database;
    await pool.query(`update source set state = 'needs_attention', state_reason = 'HTTP 401' where id = $1`, [id]);
    expect(await comeBack(await goThere())).toMatchObject({ outcome: 'connected' });
    expect(await findListedSource(pool, { id })).toMatchObject({ state: 'active', stateReason: null });
    expect(await hooks()).toBeDefined();
  });
});
