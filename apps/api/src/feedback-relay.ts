import { type Database, takeDueFeedback } from '@leadback/db';
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
// a longer queue is work enough for the workers; what is due stays due until it is shorter
const queueLengthMax = 10_000;

/**
 * Publishes feedback that is due: retries whose time has come, and whatever a crash, the broker or a worker has lost.
 * Every instance of the API runs one; they never take the same row. Rests while the broker is away.
 */
export const feedbackRelay = ({ pool, publisher, events }: RelayOptions): AsyncDisposable => {
  const hasRoom = async (platform: PlatformName): Promise<boolean> => {
    const length = await publisher.queueLength(platform);
    if (length !== undefined) events.queueLooked(platform, length);
    return length !== undefined && length < queueLengthMax;
  };

  const round = async (): Promise<RelayRound> => {
    if (!publisher.isUp()) return 'broker_unavailable';
    const areRoomy = await Promise.all(platformNames.map(hasRoom));
    const platforms = platformNames.filter((_, index) => areRoomy[index]);
    // half of the room is left to the requests that come meanwhile
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
      // what is left of a long backlog is taken by the workers themselves, whom these have told of it
      return false;
    },
    onFailure: events.relayFailed,
  });
};
