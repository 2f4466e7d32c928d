import type { NewParcel } from '@leadback/core/delivery/enqueue';
import type { HintPublisher } from '@leadback/server/broker';
import type { ApiEvents } from './events.ts';

interface AnnouncerOptions {
  readonly publisher: Pick<HintPublisher, 'publish'>;
  readonly events: Pick<ApiEvents, 'deliveriesCreated' | 'hintPublished'>;
}

/**
 * Returns a function that counts committed parcels and tells the workers about them. Nobody waits for the hint: without
 * one, the workers find the parcels themselves, a moment later. Never throws.
 */
export const announcer = ({ publisher, events }: AnnouncerOptions) => {
  const publish = async (parcels: readonly NewParcel[]): Promise<void> => {
    const since = performance.now();
    const isConfirmed = await publisher.publish(
      parcels.map(({ traceParent, ...parcel }) => ({ ...parcel, traceParent: traceParent ?? undefined })),
    );
    events.hintPublished({ isConfirmed, durationMs: performance.now() - since });
  };
  return (parcels: readonly NewParcel[]): void => {
    events.deliveriesCreated(parcels);
    void publish(parcels);
  };
};
