import { openPool } from '@leadback/db';
import { listAudit } from '@leadback/core/audit';
import { shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';
import { created, deliveryIdOf, givenWebhookPartner, type TestPartner } from './given-webhooks.ts';

describe('what the audit log says of webhooks', async () => {
  const api = await shared(givenApi({ allowLoopback: true }));
  const console = await shared(openPool({ url: api.database.url, applicationName: 'test' }));

  /** Oldest first. */
  const entriesOf = async ({ account }: TestPartner) => {
    const { items } = await listAudit(console.pool, { accountId: account.id, limit: 100 });
    return items.toReversed().map(({ actor, action, target, details }) => ({ actor, action, target, details }));
  };
  const actions = async (partner: TestPartner) => (await entriesOf(partner)).map(({ action }) => action);

  it('names the key, the webhook and each field that an action has changed, and neither secrets nor paths', async () => {
    const partner = await givenWebhookPartner(api);
    const registration = { url: 'http://127.0.0.1:9/hook/token-1', events: ['delivery.failed'] };
    const registered = await partner.send('POST', '', registration);
    const { id, secret } = created.parse(registered.body);
    await partner.send('PATCH', `/${id}`, { url: 'http://localhost:9/token-2', events: ['import.finished'] });
    const rotated = created.parse((await partner.send('POST', `/${id}/secret`)).body);
    await partner.send('DELETE', `/${id}`);
    const { rows } = await console.pool.query<{ id: number }>('select id::int from api_key where account_id = $1', [
      partner.account.id,
    ]);
    const about = { actor: `key ${rows[0]?.id}`, target: `webhook ${id}` };
    const entries = await entriesOf(partner);
    expect(entries).toEqual([
      {
        ...about,
        action: 'webhook.create',
        details: { url: 'http://127.0.0.1:9/…', events: ['delivery.failed'], isTest: false },
      },
      {
        ...about,
        action: 'webhook.change',
        details: {
          url: { before: 'http://127.0.0.1:9/…', after: 'http://localhost:9/…' },
          events: { before: ['delivery.failed'], after: ['import.finished'] },
        },
      },
      { ...about, action: 'webhook.rotate-secret', details: {} },
      { ...about, action: 'webhook.delete', details: { url: 'http://localhost:9/…' } },
    ]);
    for (const hidden of [secret, rotated.secret, 'token']) expect(JSON.stringify(entries)).not.toContain(hidden);
  });

  it('has an entry for a pause, a resumption, a test and a retry, and none for a request that changes nothing', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook({ url: 'http://127.0.0.1:9/same' });
    for (const state of ['paused', 'paused', 'active', 'active']) await partner.send('PATCH', `/${id}`, { state });
    const same = { url: 'http://127.0.0.1:9/same', events: ['delivery.failed'] };
    expect((await partner.send('PATCH', `/${id}`, same)).status).toBe(200);
    const deliveryId = deliveryIdOf(await partner.send('POST', `/${id}/test`));
    expect((await partner.send('POST', `/${id}/deliveries/${deliveryId}/retry`)).status).toBe(202);
    expect(await actions(partner)).toEqual(['webhook.create', 'webhook.pause', 'webhook.resume', 'webhook.test']);
    await api.database.pool.query(
      `with gone as (delete from delivery_due where connection_id = $1)
       update delivery set state = 'failed', closed_at = now(), parcel_id = null where id = $2`,
      [id, deliveryId],
    );
    await partner.send('POST', `/${id}/deliveries/${deliveryId}/retry`);
    expect((await entriesOf(partner)).at(-1)).toMatchObject({ action: 'webhook.retry', details: { deliveryId } });
  });

  it('has no entry for a request that is refused', async () => {
    const partner = await givenWebhookPartner(api);
    await partner.send('POST', '', { url: 'https://10.1.2.3/hook', events: ['delivery.failed'] });
    await partner.send('DELETE', '/1');
    expect(await entriesOf(partner)).toEqual([]);
  });

  it('keeps why a webhook was paused when a partner pauses it once more', async () => {
    const partner = await givenWebhookPartner(api);
    const id = await partner.webhook();
    await api.database.pool.query(
      `update platform_connection set state = 'paused', state_reason = 'gone' where id = $1`,
      [id],
    );
    const { body } = await partner.send('PATCH', `/${id}`, { state: 'paused' });
    expect(body).toMatchObject({ state: 'paused', reason: 'gone' });
    expect(await actions(partner)).toEqual(['webhook.create']);
  });
});
