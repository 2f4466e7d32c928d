import type { Account } from '@leadback/db';
import { sendTestToWebhook } from '@leadback/core/delivery/test-webhook';
import { givenAccount, givenWebhook, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createWebhookReply, listWebhooksReply, rotateSecretReply } from '../src/contract/webhooks.ts';
import { givenConsole } from './given-console.ts';

const events = ['delivery.failed'] as const;
const url = 'http://127.0.0.1:9/hook';

describe('webhooks in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const path = (rest = '') => `/api/accounts/${account.id}/webhooks${rest}`;
  const post = (rest: string, body: object = {}) => person.post(path(rest), body);
  const create = async (given: object = {}) => {
    const { status, body } = await post('', { url, events, isTest: false, ...given });
    expect([status, body]).toEqual([201, expect.anything()]);
    return createWebhookReply.parse(body);
  };
  const list = async () => listWebhooksReply.parse((await person.get(path())).body).items;

  it('are listed without secrets, live ones first, and read by their id', async () => {
    const test = await create({ url: `${url}/test`, isTest: true });
    const live = await create();
    await givenWebhook(console.database.em());
    const shown = {
      id: live.id,
      url,
      events,
      isTest: false,
      state: 'active',
      isVerified: false,
      reason: null,
      createdAt: expect.any(String),
      lastAcceptedAt: null,
    };
    expect(await list()).toEqual([shown, { ...shown, id: test.id, url: `${url}/test`, isTest: true }]);
    const { text, body } = await person.get(path(`/${live.id}`));
    expect(body).toEqual(shown);
    expect(text).not.toContain('whsec_');
  });

  it.each([
    [{ url: 'https://10.1.2.3/hook' }, 'url: the host is or resolves to an address that is not public'],
    [{ url: 'https://console.example/hook' }, 'url: the host belongs to Leadback itself'],
    [
      { url: 'https://ana:pw@shop.example' },
      'url: must not contain a user name or password; requests are signed instead',
    ],
    [{ url: 'shop.example' }, 'url: expected a URL, such as https://shop.example/leadback'],
    [{ url: ' ' }, 'url: must not be empty'],
    [{ events: [] }, 'events: must not be empty'],
  ])('are refused with %j: %s', async (given, message) => {
    const { status, body } = await post('', { url, events, isTest: false, ...given });
    expect([status, body]).toEqual([400, { message }]);
    const { id } = await create();
    const changed = await post(`/${id}`, given);
    expect([changed.status, changed.body]).toEqual([400, { message }]);
  });

  it('have one URL each, also if two people add it at once', async () => {
    const other = await console.person({ role: 'operator' });
    const given = { url, events, isTest: false };
    const replies = await Promise.all([post('', given), other.post(path(), given)]);
    expect(replies.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([201, 400]);
    expect(await list()).toHaveLength(1);
  });

  it('are changed field by field, paused and resumed, with an entry of the audit log for each', async () => {
    const { id } = await create();
    const change = async (changes: object) => (await post(`/${id}`, changes)).body;
    expect(await change({ events: ['import.finished'] })).toMatchObject({ url, events: ['import.finished'] });
    expect(await change({ state: 'paused' })).toMatchObject({ state: 'paused', events: ['import.finished'] });
    expect(await change({ state: 'active' })).toMatchObject({ state: 'active' });
    const { rows } = await console.database.pool.query(
      'select actor, action, target, details from audit_entry where account_id = $1 order by id offset 1',
      [account.id],
    );
    const entry = { actor: person.email, target: `webhook ${id}`, details: {} };
    const changed = { events: { before: [...events], after: ['import.finished'] } };
    expect(rows).toEqual([
      { ...entry, action: 'webhook.change', details: changed },
      { ...entry, action: 'webhook.pause' },
      { ...entry, action: 'webhook.resume' },
    ]);
  });

  it('get a new secret, which is shown once', async () => {
    const { id, secret } = await create();
    const rotated = rotateSecretReply.parse((await post(`/${id}/secret`)).body);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    expect(Date.parse(rotated.previousUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  });

  it('are unknown once they are deleted', async () => {
    const { id } = await create();
    expect((await post(`/${id}/delete`)).body).toEqual({ id });
    expect(await list()).toEqual([]);
    const gone = [await person.get(path(`/${id}`)), await post(`/${id}/delete`), await post(`/${id}/test`)];
    expect(gone.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('are those of their own account alone', async () => {
    const em = console.database.em();
    const foreign = await givenWebhook(em);
    const delivery = z.number().parse(await sendTestToWebhook(em, { id: foreign.id, accountId: foreign.account.id }));
    const { id } = await create();
    const replies = [
      await person.get(path(`/${foreign.id}`)),
      await person.get(path(`/${foreign.id}/deliveries`)),
      await post(`/${foreign.id}`, { state: 'paused' }),
      await post(`/${foreign.id}/secret`),
      await post(`/${foreign.id}/delete`),
      await post(`/${id}/retry`, { deliveryId: delivery }),
    ];
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404));
  });
});
