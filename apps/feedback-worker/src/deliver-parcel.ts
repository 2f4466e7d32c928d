import { isDatabaseUnavailable } from '@leadback/db';
import { type ClaimedDelivery, type ClaimedParcel, postponed, sendableForMs, skipped } from '@leadback/delivery';
import { eventTooOld, type Outcome } from '@leadback/domain';
import type { Platforms } from '@leadback/platforms';
import { markFailed, type Span } from '@leadback/tracing';
import { z } from 'zod';
import { deliverySpan, noteRequest, type TracedHint } from './delivery-spans.ts';
import type { WorkerEvents } from './events.ts';
import type { Lane } from './lane.ts';
import type { Sender } from './sender.ts';
import type { SettleParcel } from './settle-parcel.ts';
import { type Happened, settledDeliveries } from './settled-by.ts';

interface Options {
  readonly platforms: Platforms;
  readonly events: WorkerEvents;
  readonly settle: SettleParcel;
}

export type DeliverParcel = (parcel: ClaimedParcel, lane: Lane, hint?: TracedHint) => Promise<void>;

type Spanned = readonly [ClaimedDelivery, Span];

const notSent = (outcome: Outcome): Happened => ({ answer: { outcome, httpStatus: null, body: null, durationMs: 0 } });
const internalError = () => notSent({ kind: 'unavailable', reason: 'internal_error' });

/**
 * Returns a function that sends the deliveries of a claimed parcel and saves what happened. Never throws: what cannot
 * be saved is claimed again when the lease is over.
 */
export const parcelDelivery = ({ platforms, events, settle }: Options): DeliverParcel => {
  const send = async (parcel: ClaimedParcel, [delivery, span]: Spanned, sender: Sender, until: number) => {
    const prepareAt = (ms: number) => sender.prepare(parcel.mode, delivery.conversion, ms);
    const prepared = prepareAt(parcel.claimedAtMs);
    if (prepared.kind === 'early') return { next: postponed('early', prepared.inMs) };
    if (prepared.kind === 'skipped') {
      const wasInTime = () => prepareAt(delivery.createdAt.getTime()).kind !== 'skipped';
      if (prepared.reason === eventTooOld && wasInTime()) events.deliveryExpired(parcel);
      return { next: skipped(prepared.reason) };
    }
    const answer = await sender.send(parcel.mode, prepared.event, until);
    noteRequest(span, parcel, delivery, answer);
    return { answer };
  };

  /** Why nothing of a connection can be sent. */
  const unusable = ({ connection }: ClaimedParcel, error: unknown): Happened => {
    if (error instanceof z.ZodError) {
      return notSent({ kind: 'refused', reason: `settings_do_not_fit: ${z.prettifyError(error)}` });
    }
    events.deliveryFailed(connection, error);
    return isDatabaseUnavailable(error) ? { next: postponed('database_unavailable', 0) } : internalError();
  };

  const sendAll = async (parcel: ClaimedParcel, lane: Lane, deliveries: readonly Spanned[]) => {
    const until = performance.now() + sendableForMs;
    let sender: Sender;
    try {
      sender = await lane.senderFor(parcel.connection);
    } catch (error) {
      const happened = unusable(parcel, error);
      return deliveries.map(([delivery]) => [delivery, happened] as const);
    }
    const failed = internalError(); // one, so that their retries stay together
    const sendOne = async (one: Spanned): Promise<Happened> => {
      try {
        return await send(parcel, one, sender, until);
      } catch (error) {
        // an internal error with one event must not delay others
        events.deliveryFailed(parcel.connection, error);
        return failed;
      }
    };
    return Promise.all(deliveries.map(async (one) => [one[0], await sendOne(one)] as const));
  };

  const deliver = async (parcel: ClaimedParcel, lane: Lane, deliveries: readonly Spanned[]): Promise<void> => {
    const { limits } = platforms[parcel.connection.platform];
    const settled = settledDeliveries(await sendAll(parcel, lane, deliveries), limits.requestStatusAfterMs);
    const { states, isRejected } = await settle({ parcel, deliveries: settled });
    if (isRejected) events.connectionRejected(parcel.connection);
    events.parcelSettled(
      parcel,
      deliveries.map(([{ feedbackId }, span]) => {
        const state = states.get(feedbackId) ?? 'closed';
        span.setAttribute('leadback.feedback.state', state);
        return { feedbackId, state, span };
      }),
    );
  };

  return async (parcel, lane, hint) => {
    const deliveries = parcel.deliveries.map((delivery): Spanned => [delivery, deliverySpan(parcel, delivery, hint)]);
    try {
      await deliver(parcel, lane, deliveries);
    } catch (error) {
      for (const [, span] of deliveries) markFailed(span, 'not_settled');
      events.parcelNotSettled(parcel.connection, error);
    } finally {
      for (const [, span] of deliveries) span.end();
    }
  };
};
