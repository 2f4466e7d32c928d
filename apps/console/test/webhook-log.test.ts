import type { Account } from '@leadback/db';
import { givenAccount, givenWebhook, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { webhookDeliveriesReply, webhookSentReply } from '../src/contract/webhooks.ts';
import { givenConsole } from './given-console.ts';

describe('the log of a webhook in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  let account: Account;
  let id: number;
  beforeEach(async () => {
    const em = console.database.em();
    account = await givenAccount(em);
    ({ id } = await givenWebhook(em, { account }));
  });

  const path = (rest = '') => `/api/accounts/${account.id}/webhooks/${id}${rest}`;
  const post = (rest: string, body: object = {}) => person.post(path(rest), body);
  const log = async (query = '') => webhookDeliveriesReply.parse((await person.get(path(`/deliveries?${query}`))).body);
  /** Beside the tests before, which count as closed. */
  const sendTest = async () => {
    await console.database.pool.query('update platform_connection set test_delivery_id = null where id = $1', [id]);
    return webhookSentReply.parse((await post('/test')).body).deliveryId;
  };
  const fail = () =>
    console.database.pool.query(
      `with gone as (delete from delivery_due where connection_id = $1)
       update delivery set state = 'failed', reason = 'HTTP 500', closed_at = now(), parcel_id = null
       where connection_id = $1`,
      [id],
    );

  it('has a test event, which is read by its id and sent again', async () => {
    const deliveryId = await sendTest();
    await fail();
    const later = await sendTest();
    expect((await log()).items.map((one) => one.id)).toEqual([later, deliveryId]);
    const { items } = await log(`after=${deliveryId + 1}&limit=1`);
    expect(items).toMatchObject([{ id: deliveryId, type: 'webhook.test', state: 'failed', reason: 'HTTP 500' }]);
    expect((await post('/retry', { deliveryId })).status).toBe(202);
    expect((await log('state=failed')).items).toEqual([]);
    expect((await log('state=pending')).items).toMatchObject([{ id: later }, { id: deliveryId }]);
  });

  it('is read page after page', async () => {
    const ids = [await sendTest(), await sendTest(), await sendTest()];
    const first = await log('limit=2');
    const second = await log(`limit=2&after=${first.next}`);
    expect([...first.items, ...second.items].map((one) => one.id)).toEqual(ids.toReversed());
    expect(second.next).toBeNull();
  });

  it.each(['state=lost', 'after=0', 'limit=51'])('refuses the question %s', async (query) => {
    expect((await person.get(path(`/deliveries?${query}`))).status).toBe(400);
  });

  it('gets nothing while the webhook is paused, and the response says why', async () => {
    const deliveryId = await sendTest();
    await post('', { state: 'paused' });
    const refused = [await post('/test'), await post('/retry', { deliveryId })];
    const message = z.object({ message: z.string() });
    for (const { status, body } of refused)
      expect([status, message.parse(body).message]).toEqual([400, expect.stringContaining('paused')]);
  });
});
