import { setTimeout as pause } from 'node:timers/promises';
import { claimMoreFeedback, type Database, type FeedbackClaim, feedbackClaimer, batch } from '@leadback/db';
import type { FeedbackToSend, PlatformName } from '@leadback/domain';
import { connectionDispatchers, type ConnectionDispatchersOptions } from './connection-dispatchers.ts';
import { claimedDelivery } from './deliver-claimed.ts';

export interface DeliveryOptions extends Omit<ConnectionDispatchersOptions, 'refill'> {
  readonly pool: Database['pool'];
}

export interface FeedbackDelivery extends AsyncDisposable {
  /**
   * Deals with one feedback row: claims it, sends it, writes down what became of it. Returns when that is done, or when
   * it takes long: the row is safe in the database, and nobody else should wait for it. Throws when the database is away.
   */
  handle(feedback: FeedbackToSend): Promise<void>;
  /** The platform of every connection that rests now. */
  openCircuits(): PlatformName[];
  /** From now on nothing is sent but what is in a request already; the rest is left to other workers. */
  stop(): void;
}

// a message that is held longer takes the place of others
const timeoutMs = 1_000;
// for what is in requests when the worker stops
const drainMaxMs = 20_000;

/** The three steps of a delivery (claim, send, write down) are each shared by whatever else is under way. */
export const feedbackDelivery = ({ pool, ...laneOptions }: DeliveryOptions): FeedbackDelivery => {
  const { events } = laneOptions;
  const claim = feedbackClaimer(pool);
  const claimSuspect = feedbackClaimer(pool, { evenSuspect: true });
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();

  const track = (work: Promise<void>): Promise<void> => {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  };

  const dispatchers = connectionDispatchers({
    ...laneOptions,
    async refill(connection, rowsMax) {
      const claimed = await claimMoreFeedback(pool, connection, rowsMax);
      for (const one of claimed) track(deliver(one)).catch((error) => events.deliveryFailed(connection, error));
      return claimed.length;
    },
  });
  const deliver = claimedDelivery({ pool, dispatchers, ...laneOptions, stopping: stopping.signal });

  const act = async (message: FeedbackToSend, claimed: FeedbackClaim): Promise<void> => {
    const { feedbackId, platform } = message;
    if (claimed.kind === 'claimed') await deliver(claimed.feedback, message);
    if (claimed.kind === 'crashed') events.feedbackCrashed(platform, feedbackId);
    if (claimed.kind === 'gone') events.orphanMessageDropped(platform, feedbackId);
  };

  /** Takes what has killed its workers, one row after the other: what dies with this one then is that row alone. */
  const deliverAlone = batch(
    async (feedback: readonly FeedbackToSend[]) => {
      for (const one of stopping.signal.aborted ? [] : feedback) {
        events.feedbackIsolated(one.platform, one.feedbackId);
        await act(one, await claimSuspect(one.feedbackId));
      }
      return feedback;
    },
    { itemsMax: 1, runsMax: 1 },
  );

  const take = async (feedback: FeedbackToSend): Promise<void> => {
    const claimed = await claim(feedback.feedbackId);
    if (claimed.kind === 'suspect') await deliverAlone(feedback);
    else await act(feedback, claimed);
  };

  return {
    async handle(feedback) {
      const dispatcher = feedback.connectionId === undefined ? undefined : dispatchers.known(feedback.connectionId);
      if (dispatcher?.hasCapacity() === false) return;
      await Promise.race([track(take(feedback)), pause(timeoutMs, undefined, { ref: false })]);
    },
    openCircuits: () => dispatchers.openCircuits(),
    stop() {
      stopping.abort();
      dispatchers.stop();
    },
    async [Symbol.asyncDispose]() {
      this.stop();
      await Promise.race([Promise.allSettled(underWay), pause(drainMaxMs, undefined, { ref: false })]);
    },
  };
};
