import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Delivery, type PlatformConnection, WebhookEvent } from '@leadback/db';
import { eventually, givenServer, givenWebhook, type TestServer } from '@leadback/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsAfter } from '../../support/facts.ts';
import { failpoint, wire } from '../../support/failpoint.ts';
import { drained, expireClaimsOfKilled } from '../../support/deliveries.ts';
import { enough } from '../../support/long-run.ts';
import { givenStack, type TestStack } from '../../support/given-stack.ts';
import { givenLedger, type Ledger } from '../../support/ledger.ts';
import { parcelViolations } from '../../../packages/core/test/parcels.ts';

// long run: `npm run test:long -- webhooks-killed`
const kills = Number(process.env['WEBHOOK_KILLS'] ?? 3);
const killWithinMs = 1_500;
const settings = { WEBHOOKS_ALLOW_LOOPBACK: 'true' };

describe('webhooks and worker crashes', () => {
  let stack: TestStack;
  let ledger: Ledger;
  let receiver: TestServer;
  let webhook: PlatformConnection;
  /** The bodies of each webhook-id, in the order of their arrival. */
  const received = new Map<string, string[]>();

  beforeAll(async () => {
    stack = await givenStack();
    receiver = await givenServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => void chunks.push(chunk));
      request.on('end', () => {
        const id = String(request.headers['webhook-id']);
        received.set(id, [...(received.get(id) ?? []), Buffer.concat(chunks).toString()]);
        response.writeHead(204).end();
      });
    });
    ledger = await givenLedger(stack, 0);
    const { account } = await ledger.join();
    const em = stack.database.em();
    webhook = await givenWebhook(em, { account: em.merge(account), url: receiver.url });
    await stack.start('api');
  });
  afterEach(() => stack.kill('feedback-worker'));
  afterAll(async () => {
    await stack[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  // from all kills so far
  let duplicatesMax = 0;
  /** Waits until all is delivered, and compares what happened with what the webhook was told. */
  const check = async (claimed: number) => {
    duplicatesMax += claimed;
    expect(await violationsAfter(stack, ledger, { duplicatesMax })).toEqual([]);
    await eventually(() => drained(stack.database));
    const em = stack.database.em();
    const closed = await em.find(Delivery, { webhookEvent: null });
    const events = await em.find(WebhookEvent, {});
    const told = events.map(({ data }) => data['deliveryId']);
    expect(told).toHaveLength(closed.length);
    expect(new Set(told)).toEqual(new Set(closed.map(({ id }) => id)));
    expect(await em.count(Delivery, { connection: webhook.id, state: 'delivered' })).toBe(events.length);
    // at least once, with the same id and body however often
    expect(received.size).toBe(events.length);
    for (const bodies of received.values()) expect(new Set(bodies).size).toBe(1);
    const repeated = [...received.values()].reduce((sum, bodies) => sum + bodies.length - 1, 0);
    expect(repeated).toBeLessThanOrEqual(duplicatesMax);
    expect(await parcelViolations(stack.database.pool)).toEqual([]);
  };

  it.each([
    ['before it calls the receiver', { moment: 'saying', text: 'webhook-id' }],
    ['after the receiver has accepted an event', { moment: 'hearing', text: 'HTTP/1.1 204' }],
    [
      'after it saves what the platform said',
      { moment: 'hearing', text: wire.postgres.idle, onceSaid: 'settle-parcels' },
    ],
  ] as const)('tells everything at least once if the worker is killed %s', async (_when, point) => {
    const { module, mark } = failpoint(point);
    const worker = await stack.start('feedback-worker', { settings, imports: [module] });
    await ledger.register(10);
    expect(await worker.exited).toBe('SIGKILL');
    expect(await stack.timesLogged('feedback-worker', mark)).toBe(1);
    const claimed = await expireClaimsOfKilled(stack.database);
    await stack.start('feedback-worker', { settings });
    await check(claimed);
  });

  it('tells everything at least once if the worker is killed at random moments under load', async () => {
    const load = ledger.load(enough(20, 50));
    for (let kill = 0; kill < kills; kill += 1) {
      const worker = await stack.start('feedback-worker', { settings });
      await pause(randomInt(killWithinMs));
      await worker.kill();
    }
    await load.stop();
    const claimed = await expireClaimsOfKilled(stack.database);
    await stack.start('feedback-worker', { settings });
    await check(claimed);
    expect(received.size).toBeGreaterThan(0);
  });
});
