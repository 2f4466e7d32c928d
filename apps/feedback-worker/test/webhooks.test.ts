import { setTimeout as pause } from 'node:timers/promises';
import { listAudit } from '@leadback/core/audit';
import { resumeConnection } from '@leadback/core/connections/store';
import { sendTestToWebhook } from '@leadback/core/delivery/test-webhook';
import { type Account, Delivery, PlatformConnection, WebhookEvent } from '@leadback/db';
import { platformRegistry } from '@leadback/platforms';
import { eventually, givenAccount, givenServer, givenWebhook, shared, openPatientPool } from '@leadback/testing';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type TestWorker, givenWorker } from './given-worker.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

describe('webhooks', async () => {
  const worker = await shared(givenWorker({ allowLoopback: true }));

  let receiver: Awaited<ReturnType<typeof givenReceiver>>;
  let account: Account;

  beforeEach(async () => {
    receiver = await givenReceiver();
    account = await givenAccount(worker.database.em());
  });
  afterEach(() => receiver[Symbol.asyncDispose]());

  const webhook = (given: Parameters<typeof givenWebhook>[1] = {}) => {
    const em = worker.database.em();
    return givenWebhook(em, { account: em.merge(account), url: receiver.url, secret, ...given });
  };
  /** Delivers a conversion to the sandbox. */
  const delivered = async (given: Parameters<TestWorker['givenDelivery']>[0] = {}) => {
    const delivery = await worker.givenDelivery({ account, ...given });
    await worker.deliver([delivery.id]);
    return delivery;
  };
  const told = async (count = 1) => {
    await eventually(() => expect(receiver.received).toHaveLength(count));
    return receiver.received.map((one) => verified(one, secret));
  };
  const connectionOf = (id: number) => worker.database.em().findOneOrFail(PlatformConnection, id);
  const deliveriesTo = (id: number) => worker.database.em().find(Delivery, { connection: id }, { orderBy: { id: 1 } });
  const stateOf = (id: number, state: string) =>
    eventually(async () => expect(await connectionOf(id)).toMatchObject({ state }));
  /** What the audit log says of the account. */
  const audited = async () => {
    await using console = await openPatientPool({ url: worker.database.url, applicationName: 'test' });
    const { items } = await listAudit(console.pool, { accountId: account.id, limit: 10 });
    return items.map(({ actor, action, accountId, target, details }) => ({
      actor,
      action,
      accountId,
      target,
      details,
    }));
  };
  const pauseEntry = (id: number, reason: string) => ({
    actor: 'leadback',
    action: 'webhook.pause',
    accountId: account.id,
    target: `webhook ${id}`,
    details: { reason },
  });
  /** Makes what waits for a retry due, until the receiver was called so often. */
  const retriedUntil = async (id: number, count: number) => {
    while (receiver.received.length < count) {
      await worker.makeDue((await deliveriesTo(id)).map((one) => one.id));
      await pause(20);
    }
  };

  it('tells a webhook of a delivered conversion, with a signature that Standard Webhooks accept', async () => {
    const { id } = await webhook();
    const { id: deliveryId, conversionId, connectionId } = await delivered();
    const [event] = await told();
    const data = {
      deliveryId,
      conversionId,
      conversionExternalReference: null,
      connectionId,
      connection: { id: connectionId, label: (await connectionOf(connectionId)).destination },
      platform: 'meta',
      state: 'delivered',
      reason: null,
      message: null,
      isTest: false,
    };
    expect(event).toEqual({ type: 'delivery.delivered', timestamp: expect.any(String), data });
    expect(receiver.received[0]?.headers['content-type']).toBe('application/json');
    await eventually(async () => expect(await deliveriesTo(id)).toMatchObject([{ state: 'delivered', attempts: 1 }]));
    expect((await connectionOf(id)).lastAcceptedAt).toBeInstanceOf(Date);
  });

  it('tells the reason of a skipped delivery', async () => {
    await webhook();
    await delivered({ connection: { platform: 'google' }, client: { externalReference: 'C-1' } });
    expect(await told()).toMatchObject([
      { type: 'delivery.skipped', data: { reason: 'no_match_keys', platform: 'google' } },
    ]);
  });

  it('tells a webhook only of what it wants, and nobody of the deliveries of webhooks', async () => {
    const { id } = await webhook({ topics: ['delivery.skipped'] });
    await delivered();
    await delivered({ client: { externalReference: 'C-1' }, connection: { platform: 'google' } });
    await told();
    await stateOfDeliveries(id, ['delivered']);
    expect(await worker.database.em().count(WebhookEvent, { accountId: account.id })).toBe(1);
  });
  const stateOfDeliveries = (id: number, states: string[]) =>
    eventually(async () => expect((await deliveriesTo(id)).map(({ state }) => state)).toEqual(states));

  it('tells live webhooks of live events and test webhooks of tests, and no other account', async () => {
    const live = await webhook();
    const test = await webhook({ isTest: true });
    const foreign = await givenWebhook(worker.database.em(), { url: receiver.url, secret });
    await delivered();
    await delivered({ isTest: true });
    const events = await told(2);
    expect(new Set(events.map(({ data }) => data['isTest']))).toEqual(new Set([false, true]));
    expect(await deliveriesTo(live.id)).toMatchObject([{ isTest: false }]);
    expect(await deliveriesTo(test.id)).toMatchObject([{ isTest: true }]);
    expect(await deliveriesTo(foreign.id)).toEqual([]);
  });

  it('tells a paused webhook of nothing', async () => {
    const { id } = await webhook({ state: 'paused' });
    await delivered();
    expect(await deliveriesTo(id)).toEqual([]);
    expect(await worker.database.em().count(WebhookEvent, { accountId: account.id })).toBe(0);
  });

  it.each([500, 404, 429, 302])('retries after HTTP %i with the same webhook-id and body', async (status) => {
    const { id } = await webhook();
    receiver.answer({ status, headers: { location: 'http://127.0.0.1:9/elsewhere' } });
    await delivered();
    await told();
    const reason = status === 302 ? 'HTTP 302: redirects are not followed' : `HTTP ${status}`;
    await eventually(async () => expect(await deliveriesTo(id)).toMatchObject([{ state: 'pending', reason }]));
    await retriedUntil(id, 2);
    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(first?.headers['webhook-id']).toMatch(/^evt_[0-9a-f]{32}_\d+$/);
  });

  it('pauses a webhook that responds with 410, tells the others, and sends what waited when it is resumed', async () => {
    const gone = await webhook({ topics: ['delivery.delivered'] });
    const other = await givenReceiver();
    await using _other = other;
    await webhook({ url: other.url, topics: ['connection.needs_attention', 'connection.recovered'] });
    receiver.answer({ status: 410 });
    await delivered();
    await stateOf(gone.id, 'paused');
    expect(await connectionOf(gone.id)).toMatchObject({ stateReason: 'gone' });
    expect(await audited()).toEqual([pauseEntry(gone.id, 'gone')]);
    await eventually(() => expect(other.received).toHaveLength(1));
    const about = { connectionId: gone.id, platform: 'webhook', isTest: false };
    expect(other.received.map((one) => verified(one, secret))).toMatchObject([
      { type: 'connection.needs_attention', data: { ...about, state: 'paused', reason: 'gone' } },
    ]);
    await resumeConnection(worker.database.em(), gone.id);
    await told(2);
    await eventually(() => expect(other.received).toHaveLength(2));
    expect(other.received.map((one) => verified(one, secret)).at(1)).toMatchObject({ type: 'connection.recovered' });
  });

  const longAgo = (id: number) =>
    worker.database.pool.query(
      `with connection as (
         update platform_connection set created_at = now() - interval '4 days', last_accepted_at = last_accepted_at - interval '4 days'
         where id = $1
       ), delivery as (
         update delivery set created_at = now() - interval '4 days' where connection_id = $1
       ) update delivery_due set not_before = now() where connection_id = $1`,
      [id],
    );

  it('pauses a webhook that has accepted nothing for three days, and not one that accepted something since', async () => {
    const failing = await webhook();
    const works = await webhook();
    receiver.answerAlways(500);
    await delivered();
    await told(2);
    await stateOfDeliveries(failing.id, ['pending']);
    await stateOfDeliveries(works.id, ['pending']);
    await longAgo(failing.id);
    await longAgo(works.id);
    await worker.database.pool.query(`update platform_connection set last_accepted_at = now() where id = $1`, [
      works.id,
    ]);
    await stateOf(failing.id, 'paused');
    expect(await connectionOf(failing.id)).toMatchObject({ stateReason: 'failing' });
    expect(await audited()).toEqual([pauseEntry(failing.id, 'failing')]);
    await stateOfDeliveries(failing.id, ['failed']);
    await eventually(async () =>
      expect(await deliveriesTo(works.id)).toMatchObject([
        { state: 'failed', reason: 'retries_exhausted: HTTP 500' },
        {},
      ]),
    );
    expect(await connectionOf(works.id)).toMatchObject({ state: 'active' });
  });

  it('signs with an earlier secret, too, until its time is over', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    await webhook({ earlier: [{ secret: otherSecret, until: soon }], topics: ['delivery.delivered'] });
    await delivered();
    await told();
    const [request] = receiver.received;
    if (request === undefined) throw new Error('nothing was received');
    expect(request.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(verified(request, otherSecret)).toEqual(verified(request, secret));
  });

  it('no longer signs with an earlier secret whose time is over', async () => {
    await webhook({ earlier: [{ secret: otherSecret, until: new Date(Date.now() - 1).toISOString() }] });
    await delivered();
    await told();
    const [request] = receiver.received;
    if (request === undefined) throw new Error('nothing was received');
    expect(() => verified(request, otherSecret)).toThrow('No matching signature found');
  });

  it('tells of a connection that its platform rejects, in both modes', async () => {
    const topics = ['connection.needs_attention'] as const;
    const live = await webhook({ topics: [...topics] });
    const test = await webhook({ topics: [...topics], isTest: true });
    const { connectionId } = await delivered({ connection: { credentials: { accessToken: 'revoked' } } });
    const events = await told(2);
    const data = { connectionId, platform: 'meta', state: 'needs_attention', isTest: null };
    expect(events).toMatchObject([{ data }, { data }]);
    expect(await deliveriesTo(live.id)).toHaveLength(1);
    expect(await deliveriesTo(test.id)).toMatchObject([{ isTest: true }]);
    expect(await audited()).toEqual([]);
  });

  it('sends a test to an active webhook of the account alone, whatever it is told of', async () => {
    const em = worker.database.em();
    const { id } = await webhook({ topics: ['import.finished'] });
    const paused = await webhook({ state: 'paused' });
    const deliveryId = await sendTestToWebhook(em, { id, accountId: account.id });
    expect(await told()).toMatchObject([{ type: 'webhook.test', data: { webhookId: id, isTest: false } }]);
    expect(await deliveriesTo(id)).toMatchObject([{ id: deliveryId }]);
    expect(await sendTestToWebhook(em, { id: paused.id, accountId: account.id })).toBeUndefined();
    expect(await sendTestToWebhook(em, { id, accountId: account.id + 1 })).toBeUndefined();
  });

  const unverified = async (given: Parameters<typeof webhook>[0] = {}) => {
    const { id } = await webhook(given);
    await worker.database.pool.query('update platform_connection set verify_at = now() where id = $1', [id]);
    return id;
  };
  const verifyNow = (id: number) =>
    worker.database.pool.query('update platform_connection set verify_at = now() where id = $1', [id]);

  it('sends nothing but a signed verification to a URL until it has answered with 2xx, and then what waited', async () => {
    receiver.answerAlways(404);
    const id = await unverified({ topics: ['delivery.delivered'] });
    await delivered();
    await eventually(async () => expect(await connectionOf(id)).toMatchObject({ stateReason: 'unverified: HTTP 404' }));
    expect((await connectionOf(id)).verifyAt?.getTime()).toBeGreaterThan(Date.now());
    expect(await deliveriesTo(id)).toMatchObject([{ state: 'pending', attempts: 0 }]);
    receiver.answerAlways(204);
    await verifyNow(id);
    await stateOfDeliveries(id, ['delivered']);
    expect(await connectionOf(id)).toMatchObject({ verifyAt: null, state: 'active', stateReason: null });
    const events = receiver.received.map((one) => verified(one, secret));
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['webhook.verification', 'delivery.delivered']);
    expect(new Set(events.slice(0, -1).map(({ type }) => type))).toEqual(new Set(['webhook.verification']));
    expect(events[0]?.data).toEqual({ webhookId: id });
  });

  it('pauses a URL that answers its verification with 410, or with no 2xx for days, and tells the other webhooks', async () => {
    const other = await givenReceiver();
    await using _other = other;
    await webhook({ url: other.url, topics: ['connection.needs_attention'] });
    receiver.answer({ status: 410 });
    const gone = await unverified();
    await stateOf(gone, 'paused');
    receiver.answerAlways(500);
    const failing = await unverified();
    await worker.database.pool.query(
      'update platform_connection set verify_attempts = 29, verify_at = now() where id = $1',
      [failing],
    );
    await stateOf(failing, 'paused');
    expect(await audited()).toEqual([pauseEntry(failing, 'failing'), pauseEntry(gone, 'gone')]);
    await eventually(() => expect(other.received).toHaveLength(2));
    receiver.answerAlways(204);
    await resumeConnection(worker.database.em(), failing);
    await verifyNow(failing);
    await eventually(async () => expect((await connectionOf(failing)).verifyAt).toBeNull());
  });

  it('verifies a URL while the receiver of another one has not responded yet', async () => {
    await using own = await givenWorker({ isStarted: false });
    const slow = await givenReceiver();
    await using _slow = slow;
    const settings = { WEBHOOKS_ALLOW_LOOPBACK: true };
    own.startDelivery({ platforms: platformRegistry(settings, { webhooks: { requestTimeoutMs: 3_600_000 } }) });
    const unverifiedAt = async (url: string) => {
      const { id } = await givenWebhook(own.database.em(), { url, secret });
      await own.database.pool.query('update platform_connection set verify_at = now() where id = $1', [id]);
      return async () => (await own.database.em().findOneOrFail(PlatformConnection, id)).verifyAt;
    };
    const release = slow.hold();
    const first = await unverifiedAt(slow.url);
    await eventually(() => expect(slow.received).toHaveLength(1));
    const second = await unverifiedAt(receiver.url);
    await eventually(async () => expect(await second()).toBeNull());
    expect(await first()).not.toBeNull();
    release();
    await eventually(async () => expect(await first()).toBeNull());
  });

  it('a secret that cannot be read fails the verification with back-off, and pauses the webhook in the end', async () => {
    const { id } = await webhook();
    const { pool } = worker.database;
    await pool.query('update platform_connection set credentials = $2, verify_at = now() where id = $1', [
      id,
      Buffer.alloc(64),
    ]);
    await eventually(async () =>
      expect(await connectionOf(id)).toMatchObject({ state: 'active', stateReason: 'unverified: unreadable' }),
    );
    expect((await connectionOf(id)).verifyAt?.getTime()).toBeGreaterThan(Date.now());
    await pool.query('update platform_connection set verify_attempts = 29, verify_at = now() where id = $1', [id]);
    await stateOf(id, 'paused');
    expect(await connectionOf(id)).toMatchObject({ stateReason: 'unreadable', verifyAttempts: 30 });
    expect(await audited()).toEqual([pauseEntry(id, 'unreadable')]);
    expect(receiver.received).toEqual([]);
  });

  it('never calls an address of a private network, and says so', async () => {
    const { id } = await webhook({ url: 'http://169.254.169.254/latest/meta-data' });
    await delivered();
    await eventually(async () =>
      expect(await deliveriesTo(id)).toMatchObject([{ state: 'pending', reason: 'PRIVATE_ADDRESS' }]),
    );
  });
});

interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const eventSchema = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

/** What the public library of Standard Webhooks reads; it throws if no signature is genuine. */
const verified = ({ headers, body }: Received, by: string): z.infer<typeof eventSchema> =>
  eventSchema.parse(new Webhook(by).verify(body, headers));

/** A partner's receiver of webhooks on this machine. */
const givenReceiver = async () => {
  const received: Received[] = [];
  const answers: { readonly status: number; readonly headers?: Record<string, string> }[] = [];
  let standard = 204;
  let held: Promise<void> | undefined;
  const server = await givenServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      received.push({ path: request.url ?? '', headers, body: Buffer.concat(chunks).toString() });
      const { status, headers: sent = {} } = answers.shift() ?? { status: standard };
      void Promise.resolve(held).then(() =>
        response.writeHead(status, sent).end(status === 204 ? undefined : 'thank you'),
      );
    });
  });
  return {
    url: `${server.url}/leadback`,
    received,
    /** The next responses; after them, the usual one. */
    answer: (...next: typeof answers) => void answers.push(...next),
    answerAlways: (status: number) => {
      standard = status;
    },
    /** It does not respond until the returned function is called. */
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
