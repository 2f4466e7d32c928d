import type { DestinationName } from '@leadback/domain';
import { readConnection } from '@leadback/delivery';
import type { Database } from '@leadback/db';
import type { WorkerEvents } from './events.ts';
import { accountRooms } from './account-rooms.ts';
import { type Lane, openLane } from './lane.ts';
import { type AccessOptions, accessOpener } from './open-access.ts';
import { openSender, type SenderOptions } from './sender.ts';

export interface LanesOptions extends AccessOptions, Pick<SenderOptions, 'tuning' | 'stopping' | 'onReady'> {
  readonly pool: Database['pool'];
  readonly events: WorkerEvents;
}

export interface Lanes {
  of(connectionId: number, platform: DestinationName): Lane;
  known(connectionId: number): Lane | undefined;
  /** In the order of their last turn: `passTurn` moves a lane to the end. */
  all(): Lane[];
  passTurn(lane: Lane): void;
  /**
   * Returns how many deliveries a lane may hold: its share of its platform's, if several lanes of it are busy now. They
   * are counted once.
   */
  capacities(): (lane: Lane) => number;
  /** Drops lanes that have been idle for long. */
  dropIdle(): void;
}

const idleMs = 10 * 60_000;
// with so many deliveries, batches are still large
const shareMin = 200;

export const connectionLanes = ({
  pool,
  events,
  tuning,
  stopping,
  onReady,
  platformMax,
  ...access
}: LanesOptions & { readonly platformMax: number }): Lanes => {
  const openAccess = accessOpener(access);
  const rooms = accountRooms();
  const lanes = new Map<number, Lane>();

  return {
    of(connectionId, platform) {
      const known = lanes.get(connectionId);
      if (known) return known;
      const lane = openLane({
        connectionId,
        platform,
        open: async (claimed) => {
          const connection = await readConnection(pool, claimed);
          const { limits } = access.platforms[platform];
          const { requestsMaxOfAccount: requestsMax } = limits;
          return openSender({
            connection,
            limits,
            ...(requestsMax !== undefined && { enterRoom: () => rooms.enter(connection.accountId, requestsMax) }),
            accessOf: (mode) => openAccess(connection, mode),
            events,
            stopping,
            onReady,
            tuning,
          });
        },
      });
      lanes.set(connectionId, lane);
      return lane;
    },
    known: (connectionId) => lanes.get(connectionId),
    all: () => [...lanes.values()],
    passTurn(lane) {
      lanes.delete(lane.connectionId);
      lanes.set(lane.connectionId, lane);
    },
    capacities() {
      const busy = new Map<DestinationName, number>();
      for (const { platform, held, hasMore } of lanes.values()) {
        if (held > 0 || hasMore) busy.set(platform, (busy.get(platform) ?? 0) + 1);
      }
      return ({ platform }) => {
        const share = Math.floor(platformMax / (busy.get(platform) ?? 1));
        // one request in progress, and the next one full as soon as it may begin
        return Math.max(shareMin, Math.min(2 * access.platforms[platform].limits.eventsMax.live, share));
      };
    },
    dropIdle() {
      const before = performance.now() - idleMs;
      for (const lane of lanes.values()) {
        const isIdle = lane.held === 0 && !lane.hasMore && !lane.isPaused();
        if (isIdle && lane.usedAt < before) lanes.delete(lane.connectionId);
      }
    },
  };
};
