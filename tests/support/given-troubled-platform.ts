import { Delivery } from '@leadback/db';
import { eventually } from '@leadback/testing';
import { expect } from 'vitest';
import { expireClaimsOfKilled } from './deliveries.ts';
import { deliveriesOf } from './deliveries-of.ts';
import type { Partner } from './given-partner.ts';
import { givenStack } from './given-stack.ts';
import { givenLedger } from './ledger.ts';
import { givenPlatformFront, type Script } from './platform-front.ts';

/** The api and a worker, with platforms whose responses a test scripts per connection. */
export const givenTroubledPlatform = async () => {
  const ours = new AsyncDisposableStack();
  const stack = await givenStack();
  const front = ours.use(await givenPlatformFront(stack.sandbox.url));
  ours.use(stack);
  const ledger = await givenLedger(stack);
  const startWorker = () => stack.start('feedback-worker', { platformUrl: front.url });
  await Promise.all([stack.start('api'), startWorker()]);
  const metaOf = async (partner: Partner) => (await deliveriesOf(stack, partner))[0];

  return {
    stack,
    front,
    ledger,
    /** A partner with conversions, whose pixel gets scripted responses. */
    givenPartner: async (script: Script, conversions = 1): Promise<Partner> => {
      const partner = await ledger.join();
      front.play(partner.pixelId, script);
      await ledger.register(conversions, partner);
      return partner;
    },
    /** The delivery of a partner's only conversion to Meta. */
    metaOf,
    isDelivered: (partner: Partner) =>
      eventually(async () => expect(await metaOf(partner)).toMatchObject({ state: 'delivered' })),
    /** Waits until `count` deliveries of a partner are delivered. */
    areDelivered: (count: number, partner: Partner, platform?: 'meta' | 'google') =>
      eventually(async () => {
        const rows = await deliveriesOf(stack, partner, platform);
        expect(rows.filter(({ state }) => state === 'delivered')).toHaveLength(count);
      }),
    /**
     * Ends the trouble of these partners: Meta accepts their events again, and a new worker has no open circuits. First
     * waits until all other deliveries are closed, so that killing the worker duplicates no event.
     */
    recover: async (partners: readonly Partner[]): Promise<void> => {
      const troubled = partners.map(({ meta }) => meta.id);
      await eventually(async () => {
        const others = { state: 'pending', connection: { $nin: troubled } } as const;
        expect(await stack.database.em().count(Delivery, others)).toBe(0);
      });
      for (const { pixelId } of partners) front.play(pixelId, () => 'pass');
      await stack.kill('feedback-worker');
      await expireClaimsOfKilled(stack.database);
      await startWorker();
    },
    [Symbol.asyncDispose]: () => ours.disposeAsync(),
  };
};
