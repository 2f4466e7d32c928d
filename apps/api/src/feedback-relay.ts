import { type Database, takeDueFeedback } from '@leadback/db';
import { type PlatformName, platformNames } from '@leadback/domain';
import type { FeedbackPublisher } from '@leadback/messaging';
import { repeat } from '@leadback/runtime';
import type { ApiEvents } from './events.ts';

export interface RelayOptions {
  readonly pool: Database['pool'];
  readonly publisher: FeedbackPublisher;
  readonly events: ApiEvents;
}

const everyMs = 1_000;
const rowsMax = 500;
// a longer queue is work enough for the workers; what is due stays due until it is shorter
const queueLengthMax = 10_000;

const platformsWithRoom = async (publisher: FeedbackPublisher): Promise<PlatformName[]> => {
  const lengths = await Promise.all(platformNames.map((platform) => publisher.queueLength(platform)));
  return platformNames.filter((_, place) => (lengths[place] ?? Number.POSITIVE_INFINITY) < queueLengthMax);
};

/**
 * Publishes feedback that is due: retries whose time has come, and whatever a crash, the broker or a worker has lost.
 * Every instance of the API runs one; they never take the same row. Rests while the broker is away.
 */
export const feedbackRelay = ({ pool, publisher, events }: RelayOptions): AsyncDisposable => {
  const round = async (): Promise<boolean> => {
    if (!publisher.isUp()) return false;
    const platforms = await platformsWithRoom(publisher);
    // half of the room is left to the requests that come meanwhile
    const rows = Math.min(rowsMax, Math.floor(publisher.room() / 2));
    if (platforms.length === 0 || rows < 1) return false;
    const due = await takeDueFeedback(pool, platforms, rows);
    if (due.length === 0) return false;
    const confirmed = await publisher.publish(due);
    events.feedbackPublished('relay', { confirmed: confirmed.length, of: due.length });
    // what is left of a long backlog is taken by the workers themselves, whom these have told of it
    return false;
  };
  return repeat({ everyMs, round, onFailure: events.relayFailed });
};
