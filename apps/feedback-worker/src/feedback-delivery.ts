import { setTimeout as pause } from 'node:timers/promises';
import { claimMoreFeedback, type FeedbackClaim, feedbackClaimer } from '@leadback/delivery';
import type { Database } from '@leadback/db';
import { batch } from '@leadback/runtime/batch';
import type { FeedbackToSend, PlatformName } from '@leadback/domain';
import { connectionDispatchers, type ConnectionDispatchersOptions } from './connection-dispatchers.ts';
import { claimedDelivery } from './deliver-claimed.ts';

export interface DeliveryOptions extends Omit<ConnectionDispatchersOptions, 'refill'> {
  readonly pool: Database['pool'];
}

export interface FeedbackDelivery extends AsyncDisposable {
  /**
   * Claims and sends one feedback row and saves the outcome. Returns when that is done, or after one second: the row is
   * safe in PostgreSQL, and other messages must not wait. Throws if PostgreSQL is unavailable.
   */
  handle(feedback: FeedbackToSend): Promise<void>;
  /** The platform of each connection whose circuit is open. */
  openCircuits(): PlatformName[];
  /** Stops sending; requests in progress are completed, and the remaining rows are left to other workers. */
  stop(): void;
}

// a message that is held longer takes up a place of the prefetch limit
const timeoutMs = 1_000;
// for requests in progress when the worker stops
const drainMaxMs = 20_000;

/** Claims, requests and outcomes are each batched across concurrent deliveries. */
export const feedbackDelivery = ({ pool, ...dispatcherOptions }: DeliveryOptions): FeedbackDelivery => {
  const { events } = dispatcherOptions;
  const claim = feedbackClaimer(pool);
  const claimSuspect = feedbackClaimer(pool, { evenSuspect: true });
  const stopping = new AbortController();
  const inProgress = new Set<Promise<void>>();

  const track = (work: Promise<void>): Promise<void> => {
    const tracked = work.finally(() => inProgress.delete(tracked));
    inProgress.add(tracked);
    return tracked;
  };

  const dispatchers = connectionDispatchers({
    ...dispatcherOptions,
    async refill(connection, rowsMax) {
      const claimed = await claimMoreFeedback(pool, connection, rowsMax);
      for (const one of claimed) track(deliver(one)).catch((error) => events.deliveryFailed(connection, error));
      return claimed.length;
    },
  });
  const deliver = claimedDelivery({ pool, dispatchers, ...dispatcherOptions, stopping: stopping.signal });

  const act = async (message: FeedbackToSend, claimed: FeedbackClaim): Promise<void> => {
    const { feedbackId, platform } = message;
    if (claimed.kind === 'claimed') await deliver(claimed.feedback, message);
    if (claimed.kind === 'crashed') events.feedbackCrashed(platform, feedbackId);
    if (claimed.kind === 'deleted') events.orphanMessageDropped(platform, feedbackId);
  };

  /** Delivers rows that have crashed workers, one at a time, so that a further crash concerns that row alone. */
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
      await Promise.race([Promise.allSettled(inProgress), pause(drainMaxMs, undefined, { ref: false })]);
    },
  };
};
