import { isDatabaseUnavailable } from '@leadback/db';
import {
  type ClaimedAdjustmentDelivery,
  type ClaimedDelivery,
  type ClaimedParcel,
  heldBack,
  postponed,
  sendableForMs,
  skipped,
} from '@leadback/delivery';
import { eventTooOld } from '@leadback/domain';
import type { PlatformEvent } from '@leadback/platforms';
import { z } from 'zod';
import { internalError, type TimedAnswer, unsent } from './circuit.ts';
import type { ParcelSpans } from './delivery-spans.ts';
import type { WorkerEvents } from './events.ts';
import type { Lane } from './lane.ts';
import type { Sender } from './sender.ts';
import type { Happened, TriedDelivery } from './settled-by.ts';

interface SentDelivery extends TriedDelivery {
  readonly note?: string;
}

/** A delivery, and what happened to it. */
export type DeliveryResult = readonly [TriedDelivery, Happened];

// an answer without a note stays the same for all deliveries of its request, so that they stay together
const withNote = (answer: TimedAnswer, eventNote: string | undefined): TimedAnswer =>
  eventNote === undefined || answer.outcome.kind !== 'delivered' ? answer : { ...answer, eventNote };

/** The next state of an adjustment that must not be sent now; undefined if it may be. */
const holdBack = (parcel: ClaimedParcel, delivery: ClaimedAdjustmentDelivery, sender: Sender) => {
  const adjustments = sender.adjustments(parcel.mode);
  if (adjustments === undefined) throw new Error('an event was built for an adjustment that cannot be told');
  // the claim has compared the settings of the conversion with those of its own version
  if (sender.version !== parcel.connection.version) return postponed('connection_changed', 0);
  return heldBack(delivery, parcel.claimedAtMs, {
    ...adjustments,
    wentElsewhere: (former) => adjustments.wentElsewhere(delivery.event, former),
  });
};

/** Returns a function that sends the deliveries of a claimed parcel, and returns what happened to each. It never throws. */
export const parcelSending = (events: WorkerEvents) => {
  const prepare = (parcel: ClaimedParcel, delivery: ClaimedDelivery, sender: Sender) => {
    // a worker with another SECRETS_KEY can send all that is known of the client
    if (delivery.unreadable !== undefined) throw delivery.unreadable;
    const prepareAt = (ms: number) => sender.prepare(parcel.mode, delivery.event, ms);
    const prepared = prepareAt(parcel.claimedAtMs);
    if (prepared.kind === 'event') {
      const next = delivery.others && holdBack(parcel, delivery, sender);
      return next === undefined ? prepared : ({ next } satisfies Happened);
    }
    if (prepared.kind === 'early') return { next: postponed('early', prepared.inMs) } satisfies Happened;
    const wasInTime = () => prepareAt(delivery.createdAtMs).kind !== 'skipped';
    if (prepared.reason === eventTooOld && wasInTime()) events.deliveryExpired(parcel);
    return { next: skipped(prepared.reason) } satisfies Happened;
  };

  /** Why nothing of a connection can be sent. */
  const unusable = ({ connection }: ClaimedParcel, error: unknown): Happened => {
    if (error instanceof z.ZodError) {
      return { answer: unsent({ kind: 'refused', reason: `settings_do_not_fit: ${z.prettifyError(error)}` }) };
    }
    events.deliveryFailed(connection, error);
    return isDatabaseUnavailable(error) ? { next: postponed('database_unavailable', 0) } : { answer: internalError() };
  };

  /** Takes the deliveries out of the parcel: of those that wait for a response, only the events stay in memory. */
  const prepareAll = (parcel: ClaimedParcel, sender: Sender, failed: TimedAnswer) => {
    const results: DeliveryResult[] = [];
    const sent: SentDelivery[] = [];
    const toSend: PlatformEvent[] = [];
    for (const delivery of parcel.deliveries.splice(0)) {
      const { feedbackId, attempts, throttled } = delivery;
      const tried = { feedbackId, attempts, throttled };
      try {
        const prepared = prepare(parcel, delivery, sender);
        if ('event' in prepared) {
          const withKeys = { ...tried, matchKeys: prepared.keys };
          sent.push(prepared.note === undefined ? withKeys : { ...withKeys, note: prepared.note });
          toSend.push(prepared.event);
        } else results.push([tried, prepared]);
      } catch (error) {
        events.deliveryFailed(parcel.connection, error); // must not delay others
        results.push([tried, { answer: failed }]);
      }
    }
    return { results, sent, toSend };
  };

  return async (parcel: ClaimedParcel, lane: Lane, spans: ParcelSpans): Promise<readonly DeliveryResult[]> => {
    const until = performance.now() + sendableForMs;
    let sender: Sender;
    try {
      sender = await lane.senderFor(parcel.connection);
    } catch (error) {
      const happened = unusable(parcel, error);
      return parcel.deliveries.map((delivery) => [delivery, happened]);
    }

    const failed = internalError(); // one, so that their retries stay together
    const { results, sent, toSend } = prepareAll(parcel, sender, failed);
    const answers = toSend.length > 0 ? await sender.send(parcel.mode, toSend, until) : [];
    for (const [index, delivery] of sent.entries()) {
      const answer = answers[index] ?? failed;
      spans.noteRequest(delivery, answer);
      results.push([delivery, { answer: withNote(answer, delivery.note) }]);
    }
    return results;
  };
};
