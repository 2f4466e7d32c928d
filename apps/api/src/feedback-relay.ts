import type { Database } from '@leadback/db';
import { takeDueFeedback } from '@leadback/delivery';
import { type PlatformName, platformNames } from '@leadback/domain';
import type { FeedbackPublisher } from '@leadback/messaging';
import { repeat } from '@leadback/runtime';
import type { ApiEvents, RelayRound } from './events.ts';
import { publishFeedback } from './publish-feedback.ts';

export interface RelayOptions {
  readonly pool: Database['pool'];
  readonly publisher: FeedbackPublisher;
  readonly events: ApiEvents;
}

const everyMs = 1_000;
const rowsMax = 500;
// a longer queue keeps the workers busy; other deliveries stay due until it is shorter
const queueLengthMax = 10_000;

/**
 * Publishes due deliveries: retries, and those whose message was lost. Every instance of the API runs one; two never
 * take the same row. Pauses while RabbitMQ is unavailable.
 */
export const feedbackRelay = ({ pool, publisher, events }: RelayOptions): AsyncDisposable => {
  const hasRoom = async (platform: PlatformName): Promise<boolean> => {
    const length = await publisher.queueLength(platform);
    if (length !== undefined) events.queueMeasured(platform, length);
    return length !== undefined && length < queueLengthMax;
  };

  const round = async (): Promise<RelayRound> => {
    if (!publisher.isUp()) return 'broker_unavailable';
    const areRoomy = await Promise.all(platformNames.map(hasRoom));
    const platforms = platformNames.filter((_, index) => areRoomy[index]);
    // leaves half of the room to concurrent requests
    const rows = Math.min(rowsMax, Math.floor(publisher.room() / 2));
    if (platforms.length === 0 || rows < 1) return 'held_back';
    const due = await takeDueFeedback(pool, platforms, rows);
    if (due.length === 0) return 'nothing_due';
    await publishFeedback({ publisher, events }, 'relay', due);
    return 'published';
  };

  return repeat({
    everyMs,
    async round() {
      events.relayRound(await round());
      // published messages wake the workers, which claim the rest of a long backlog themselves
      return false;
    },
    onFailure: events.relayFailed,
  });
};
