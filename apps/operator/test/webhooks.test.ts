import { givenConnection, givenWebhook, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenOperator } from './given-operator.ts';

describe('the webhooks of an account', async () => {
  const operator = await shared(givenOperator());

  const pausedFor = (id: number, reason: string) =>
    operator.database.pool.query(`update platform_connection set state = 'paused', state_reason = $2 where id = $1`, [
      id,
      reason,
    ]);

  it('webhook list shows where they are, why Leadback paused them, and how they are resumed; connection list leaves them out', async () => {
    const em = operator.database.em();
    const platform = await givenConnection(em);
    const account = await platform.account.loadOrFail();
    const active = await givenWebhook(em, { account, url: 'https://shop.example/hook', topics: ['delivery.failed'] });
    const gone = await givenWebhook(em, { account, isTest: true });
    await pausedFor(gone.id, 'gone');
    const deleted = await givenWebhook(em, { account });
    await pausedFor(deleted.id, 'deleted');
    await givenWebhook(em);
    expect(await operator.json(`webhook list --account ${account.id}`)).toEqual([
      expect.objectContaining({
        id: active.id,
        url: 'https://shop.example/hook',
        events: 'delivery.failed',
        isTest: false,
        state: 'active',
        reason: null,
        waiting: 0,
        next: null,
      }),
      expect.objectContaining({
        id: gone.id,
        isTest: true,
        state: 'paused',
        reason: 'gone',
        next: expect.stringMatching(`responded with 410 .* Then run \`connection resume ${gone.id}\`\\.$`),
      }),
    ]);
    expect(await operator.json(`connection list --account ${account.id}`)).toMatchObject([{ id: platform.id }]);
    expect(await operator.json(`connection list --account ${account.id}`)).toHaveLength(1);
  });

  it('connection pause and resume take the id of a webhook, but never that of a deleted one', async () => {
    const em = operator.database.em();
    const webhook = await givenWebhook(em);
    expect(await operator.json(`connection pause ${webhook.id}`)).toMatchObject({ state: 'paused' });
    expect(await operator.json(`connection resume ${webhook.id}`)).toMatchObject({ state: 'active' });
    await pausedFor(webhook.id, 'deleted');
    await expect(operator.json(`connection resume ${webhook.id}`)).rejects.toThrow(
      `there is no connection ${webhook.id}`,
    );
  });
});
