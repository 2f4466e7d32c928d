import { Feedback } from '@leadback/db';
import { givenClient, tcpProxy } from '@leadback/given';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allDelivered, leasesPass } from '../rig/feedback.ts';
import { givenPartner, type Partner } from '../rig/given-partner.ts';
import { givenStack, type TestStack } from '../rig/given-stack.ts';
import { eventId } from '../rig/sandbox.ts';

describe('an accepted conversion reaches both platforms', () => {
  let stack: TestStack;
  let partner: Partner;

  beforeAll(async () => {
    stack = await givenStack();
    partner = await givenPartner(stack);
    await givenClient(stack.database.em(), {
      account: partner.account,
      externalReference: 'C1',
      email: 'ana@x.example',
      lead: { clickMarks: { gclid: 'G1', fbclid: 'F1' } },
    });
  }, 120_000);
  afterAll(() => stack[Symbol.asyncDispose]());

  /** Registers conversions one after the other and gives the ids of those that were accepted. */
  const register = async (count: number): Promise<number[]> => {
    const replies = [];
    for (let place = 0; place < count; place += 1) {
      replies.push(
        await partner.post('/client/conversion', { clientExternalReference: 'C1', amount: 10, currency: 'USD' }),
      );
    }
    expect(replies.filter(({ status }) => status !== 201)).toEqual([]);
    return replies.map(({ body }) => Object(body).id);
  };

  /** How many copies of these conversions each platform has; all copies of one must be the same event. */
  const copies = async (conversionIds: readonly number[]) => {
    const events = await stack.sandbox.events();
    return conversionIds.flatMap((id) =>
      ['meta', 'google'].map((platform) => {
        const sent = events.filter((one) => one.platform === platform && eventId(one) === String(id));
        expect(new Set(sent.map(({ event }) => JSON.stringify(event))).size).toBe(Math.min(sent.length, 1));
        return sent.length;
      }),
    );
  };

  it('when the worker is killed after the platforms have answered and before it could write that down', async () => {
    await using proxy = await tcpProxy(stack.database.url);
    const worker = await stack.start('feedback-worker', { databaseUrl: proxy.url });
    await using _api = await stack.start('api');
    const sprung = proxy.blackHoleAt('settle-feedback');
    const ids = await register(20);
    await sprung;
    await vi.waitFor(async () => expect(Math.max(...(await copies(ids)))).toBe(1));
    await worker.kill();
    const lost = { conversion: { $in: ids }, state: 'pending', attempts: 0 } as const;
    expect(await stack.database.em().count(Feedback, lost)).toBe(40);

    await using _restarted = await stack.start('feedback-worker');
    await leasesPass(stack.database);
    await allDelivered(stack.database);
    const counts = await copies(ids);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...counts)).toBe(2);
  }, 120_000);
});
