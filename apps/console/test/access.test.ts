import { Account, OwnDomain } from '@leadback/db';
import { sendTestToWebhook } from '@leadback/core/delivery/test-webhook';
import { type Role, roles, seesAllAccounts } from '@leadback/domain';
import { askErasure, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { createSource } from '@leadback/core/sources/sources';
import {
  givenAccount,
  givenClient,
  givenConnection,
  givenDelivery,
  givenLandingPage,
  givenWebhook,
  secretsKeys,
  unique,
} from '@leadback/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { issueKeyReply } from '../src/contract/keys.ts';
import type { Capability } from '../src/contract/session.ts';
import { task } from '../src/contract/undelivered.ts';
import { type Access, reasonsWithoutSecondFactor } from '../src/endpoints/guard.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { mayDo } from '../src/sessions/authenticate.ts';
import { type Ids, type Sample, samples } from './access-samples.ts';
import { type Browser, givenConsole, type SignedIn, type TestConsole } from './given-console.ts';
import { givenFileIds } from './given-files.ts';

const isCapability = (access: Access): access is Capability => access !== 'everybody' && access !== 'signed-in';
const ofCapabilities = endpoints.flatMap((one) => (isCapability(one.access) ? [{ ...one, access: one.access }] : []));
const ofAccounts = ofCapabilities.filter(({ path }) => path.includes(':account'));
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;

describe('who may do what in the console', () => {
  let console: TestConsole;
  let own: number;
  let suspended: number;
  let foreign: number;
  let idsOf: ReadonlyMap<number, Ids>;
  const people = new Map<Role, SignedIn>();

  const fill = async (accountId: number): Promise<readonly [number, Ids]> => {
    const em = console.database.em();
    const account = await em.findOneOrFail(Account, accountId);
    const connection = await givenConnection(em, { account });
    const delivery = await givenDelivery(em, { connection, state: 'failed', reason: 'HTTP 500: no' });
    const admin = people.get('admin');
    const client = await givenClient(em, { account });
    const page = await givenLandingPage(em, { account });
    const domain = em.create(OwnDomain, { account, name: `${unique('go')}.shop.example` });
    await em.flush();
    const started = await admin?.post(`/api/accounts/${accountId}/undelivered/retry`, { code: 'nothing' });
    const issued = await admin?.post(`/api/accounts/${accountId}/keys`, {
      name: 'test',
      isTest: true,
      scopes: ['read'],
    });
    const webhook = await givenWebhook(em, { account });
    const webhookDelivery = z.number().parse(await sendTestToWebhook(em, { id: webhook.id, accountId }));
    const erasure = await askErasure(console.database.pool, erasureKeys(secretsKeys), {
      accountId,
      askedBy: 'visitor',
      actor: 'visitor',
      subject: { leadReference: 'none' },
    });
    await console.database.pool.query(
      `update erasure set state = 'asked', way = 'reference', due_at = now() + interval '1 day' where id = $1`,
      [erasure],
    );
    const spare: number[] = [];
    while (spare.length < 20) spare.push((await givenWebhook(em, { account })).id);
    const spareConnections: number[] = [];
    while (spareConnections.length < 20) {
      spareConnections.push((await givenConnection(em, { account, state: 'paused', eventKinds: ['lead'] })).id);
    }
    const addSource = async (kind = 'woocommerce', content = {}) => {
      const wanted = { actor: 'test', accountId: account.id, kind, isTest: true, content };
      return (await createSource(console.database.pool, secretsKeys, wanted)).id;
    };
    const source = await addSource();
    const spareSources: number[] = [];
    while (spareSources.length < 20) spareSources.push(await addSource());
    const ids: Ids = {
      ...(await givenFileIds(console, accountId)),
      delivery: delivery.id,
      task: task.parse(started?.body).id,
      connection: connection.id,
      source,
      appSource: await addSource('tiendanube', { appId: '8123', secret: 'of the app' }),
      get spareSource() {
        return spareSources.pop() ?? 0;
      },
      key: issueKeyReply.parse(issued?.body).id,
      page: page.id,
      domain: domain.id,
      client: client.id,
      webhook: webhook.id,
      get spareConnection() {
        return spareConnections.pop() ?? 0;
      },
      get spareWebhook() {
        return spare.pop() ?? 0;
      },
      webhookDelivery,
      erasure,
    };
    return [accountId, ids];
  };

  beforeAll(async () => {
    console = await givenConsole();
    const em = console.database.em();
    [own = 0, suspended = 0, foreign = 0] = (
      await Promise.all(Array.from({ length: 3 }, () => givenAccount(em.fork())))
    ).map(({ id }) => id);
    for (const role of roles) people.set(role, await console.person({ role, accounts: [own, suspended] }));
    idsOf = new Map(await Promise.all([own, suspended, foreign].map(fill)));
    await console.database.pool.query(`update account set status = 'suspended' where id = $1`, [suspended]);
  });
  afterAll(() => console[Symbol.asyncDispose]());

  // what suspends or activates an account is tested as well, and a slow machine must not outlast a second factor
  afterEach(async () => {
    await console.database.pool.query(
      `update account set status = case id when $1 then 'suspended' else 'active' end`,
      [suspended],
    );
    await console.database.pool.query('update person_session set stepped_up_at = now()');
  });

  const call = async (browser: Browser, endpoint: (typeof endpoints)[number], accountId: number) => {
    const { query = '', body, id, csv, before } = z.custom<Sample>().parse(samples[nameOf(endpoint)]);
    const ids = z.custom<Ids>().parse(idsOf.get(accountId));
    const path = `/api${endpoint.path}`
      .replace(':account', String(accountId))
      .replace(':id', String(id === undefined ? '' : ids[id]));
    if (before !== undefined && id !== undefined) await console.database.pool.query(before, [ids[id]]);
    const asked = `${path}${typeof query === 'string' ? query : query(ids)}`;
    const send = () => {
      if (endpoint.method === 'get') return browser.get(asked);
      return csv === undefined ? browser.post(path, body?.(ids) ?? {}) : browser.upload(asked, csv);
    };
    const reply = await send();
    return { status: reply.status, error: reply.headers.get('leadback-error') };
  };

  it('is decided for every endpoint: one of accounts without a line in this test fails', () => {
    expect(ofAccounts.map(nameOf).toSorted()).toEqual(Object.keys(samples).toSorted());
  });

  const everybodys = [
    'get /session',
    'post /session/sign-in',
    'post /session/passkey/options',
    'post /session/passkey',
    'post /session/sign-out',
    'post /session/provider/begin',
    'post /session/provider',
    'post /session/provider/code',
    'post /invitation/read',
    'post /invitation/password',
    'post /invitation/accept',
  ];

  const ofEveryone = [
    'post /session/guessed-codes',
    'post /session/step-up',
    'post /session/step-up/passkey/options',
    'post /session/step-up/passkey',
    'get /security',
    'post /security/passkeys/options',
    'post /security/passkeys',
    'post /security/passkeys/rename',
    'post /security/passkeys/remove',
    'post /security/sessions/end',
    'post /security/password',
  ];

  it('leaves open only what people do before they are signed in', () => {
    expect(endpoints.filter(({ access }) => access === 'everybody').map(nameOf)).toEqual(everybodys);
    expect(endpoints.filter(({ access }) => access === 'signed-in').map(nameOf)).toEqual(ofEveryone);
  });

  it('asks for a second factor of the last minutes before every change, but for these', () => {
    const changing = endpoints.filter(({ method, secondFactor }) => method !== 'get' && secondFactor !== 'fresh');
    const exceptions = changing.map((one) => `${one.secondFactor}: ${nameOf(one)}`);
    expect(exceptions.toSorted()).toEqual([
      'ends-access: post /security/sessions/end',
      'ends-access: post /session/sign-out',
      'has-no-effect-yet: post /accounts/:account/pages/images',
      'has-no-effect-yet: post /accounts/:account/reconciliations',
      'proves: post /invitation/accept',
      'proves: post /invitation/password',
      'proves: post /session/passkey',
      'proves: post /session/passkey/options',
      'proves: post /session/provider',
      'proves: post /session/provider/begin',
      'proves: post /session/provider/code',
      'proves: post /session/sign-in',
      'proves: post /session/step-up',
      'proves: post /session/step-up/passkey',
      'proves: post /session/step-up/passkey/options',
      'reads: post /accounts/:account/erasures/count',
      'reads: post /accounts/:account/find',
      'reads: post /accounts/:account/imports/preview',
      'reads: post /accounts/:account/pages/check',
      'reads: post /accounts/:account/pages/preview',
      'reads: post /accounts/:account/undelivered/count',
      'reads: post /invitation/read',
      'repeats: post /accounts/:account/deliveries/retry',
      'repeats: post /accounts/:account/undelivered/retry',
      'repeats: post /accounts/:account/webhooks/:id/retry',
      'takes-note: post /session/guessed-codes',
      'tests: post /accounts/:account/connections/:id/check',
      'tests: post /accounts/:account/domains/:id/check',
      'tests: post /accounts/:account/webhooks/:id/test',
    ]);
    const reasons = new Set(changing.map(({ secondFactor }) => secondFactor));
    expect([...reasons].toSorted()).toEqual(Object.keys(reasonsWithoutSecondFactor).toSorted());
  });

  it.each(ofEveryone)('is for nobody who is signed out: %s', async (name) => {
    const [method = '', path = ''] = name.split(' ');
    const browser = console.browser();
    const reply = await (method === 'get' ? browser.get(`/api${path}`) : browser.post(`/api${path}`, {}));
    expect([reply.status, reply.headers.get('leadback-error')]).toEqual([401, 'signed-out']);
  });

  describe.each(ofAccounts.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))('$name', ({ endpoint }) => {
    const { access, changes } = endpoint;
    const refused = { status: 403, error: 'role-forbids' };
    const done = { status: expect.toSatisfy((status: number) => status >= 200 && status < 300), error: null };

    it.each(roles)('lets a person of the role %s do in own accounts what the role allows', async (role) => {
      const person = z.custom<SignedIn>().parse(people.get(role));
      expect(await call(person, endpoint, own)).toEqual(mayDo(role, access) ? done : refused);
    });

    it.each(roles)('answers the role %s for a foreign account as for none', async (role) => {
      const person = z.custom<SignedIn>().parse(people.get(role));
      const allowed = mayDo(role, access) ? done : refused;
      expect(await call(person, endpoint, foreign)).toEqual(
        seesAllAccounts(role) ? allowed : { status: 404, error: 'not-found' },
      );
    });

    it.each(roles)('lets the role %s change nothing in a suspended account', async (role) => {
      const person = z.custom<SignedIn>().parse(people.get(role));
      const closed = { status: 403, error: 'account-suspended' };
      const allowed = !changes && seesAllAccounts(role) ? done : closed;
      expect(await call(person, endpoint, suspended)).toEqual(mayDo(role, access) ? allowed : refused);
    });

    it('is for nobody who is signed out', async () => {
      expect(await call(console.browser(), endpoint, own)).toEqual({ status: 401, error: 'signed-out' });
    });
  });

  const guarded = ofAccounts.filter(({ secondFactor }) => secondFactor === 'fresh');
  it.each(guarded.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))(
    '$name needs a second factor of the last minutes',
    async ({ endpoint }) => {
      const person = await console.person({ role: 'admin' });
      await console.database.pool.query(
        `update person_session set stepped_up_at = now() - interval '6 minutes' where person_id = $1`,
        [person.personId],
      );
      expect(await call(person, endpoint, own)).toEqual({ status: 403, error: 'second-factor-needed' });
    },
  );

  it('does not find what belongs to another account by its id', async () => {
    const person = z.custom<SignedIn>().parse(people.get('admin'));
    const { delivery, task: taskId, dryRun, list, page } = z.custom<Ids>().parse(idsOf.get(foreign));
    expect((await person.get(`/api/accounts/${own}/deliveries/${delivery}`)).status).toBe(404);
    expect((await person.get(`/api/accounts/${own}/tasks/${taskId}`)).status).toBe(404);
    for (const path of [`imports/${dryRun}`, `imports/${dryRun}/result.csv`, `reconciliations/${list}`]) {
      expect([path, (await person.get(`/api/accounts/${own}/${path}`)).status]).toEqual([path, 404]);
    }
    expect((await person.get(`/api/accounts/${own}/imports/${dryRun}/rows?outcome=refused`)).status).toBe(404);
    expect((await person.get(`/api/accounts/${own}/reconciliations/${list}/rows.csv`)).status).toBe(404);
    expect((await person.post(`/api/accounts/${own}/imports/${dryRun}/register`, {})).status).toBe(404);
    const order = { outcomes: ['missing'], isDryRun: false };
    expect((await person.post(`/api/accounts/${own}/reconciliations/${list}/replay`, order)).status).toBe(404);
    expect((await person.get(`/api/accounts/${own}/pages/${page}`)).status).toBe(404);
    expect((await person.post(`/api/accounts/${own}/pages/${page}/switch`, { isOn: false })).status).toBe(404);
    const { body } = await person.post(`/api/accounts/${own}/deliveries/retry`, { ids: [delivery] });
    expect(body).toEqual({ retried: [], left: [{ id: delivery, why: 'unknown' }] });
  });

  it('ends in mid-session for a person who loses an account', async () => {
    const person = await console.person({ role: 'marketer', accounts: [own] });
    expect((await person.get(`/api/accounts/${own}/deliveries`)).status).toBe(200);
    await console.database.pool.query('delete from membership where person_id = $1', [person.personId]);
    expect((await person.get(`/api/accounts/${own}/deliveries`)).status).toBe(404);
  });
});
