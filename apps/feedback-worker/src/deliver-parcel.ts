import type { ClaimedParcel } from '@leadback/delivery';
import type { Platforms } from '@leadback/platforms';
import { parcelSpans, type TracedHint } from './delivery-spans.ts';
import type { WorkerEvents } from './events.ts';
import type { Lane } from './lane.ts';
import { parcelSending } from './send-parcel.ts';
import type { SettleParcel } from './settle-parcel.ts';
import { settledDeliveries } from './settled-by.ts';

interface Options {
  readonly platforms: Platforms;
  readonly events: WorkerEvents;
  readonly settle: SettleParcel;
}

export type DeliverParcel = (parcel: ClaimedParcel, lane: Lane, hint?: TracedHint) => Promise<void>;

/**
 * Returns a function that sends the deliveries of a claimed parcel and saves what happened. Never throws: what cannot
 * be saved is claimed again when the lease is over.
 */
export const parcelDelivery = ({ platforms, events, settle }: Options): DeliverParcel => {
  const send = parcelSending(events);

  return async (parcel, lane, hint) => {
    const { connection } = parcel;
    const { requestStatusAfterMs } = platforms[connection.platform].limits;
    const spans = parcelSpans(parcel, hint);
    try {
      const happened = await send(parcel, lane, spans);
      const { states, isRejected } = await settle({
        parcel,
        deliveries: settledDeliveries(happened, requestStatusAfterMs),
      });
      if (isRejected) events.connectionRejected(connection);
      events.parcelSettled(
        parcel,
        happened.map(([{ feedbackId }]) => {
          const state = states.get(feedbackId) ?? 'closed';
          return { feedbackId, state, trace: spans.noteState(feedbackId, state) };
        }),
      );
    } catch (error) {
      spans.markFailed('not_settled');
      events.parcelNotSettled(connection, error);
    } finally {
      spans.end();
    }
  };
};
