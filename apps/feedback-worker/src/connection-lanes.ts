import type { ClaimedFeedback } from '@leadback/db';
import type { PlatformName } from '@leadback/domain';
import { LRUCache } from 'lru-cache';
import type { WorkerEvents } from './events.ts';
import { type Lane, type LaneOptions, openLane } from './lane.ts';
import { type AccessOptions, accessOpener } from './open-access.ts';

type Connection = ClaimedFeedback['connection'];

export interface LanesOptions extends AccessOptions, Pick<LaneOptions, 'refill' | 'tuning'> {
  readonly events: WorkerEvents;
}

export interface ConnectionLanes {
  /** The lane of a connection. One whose settings or credentials have changed gets a new one. */
  of(connection: Connection): Lane;
  /** The lane that a connection has had so far. */
  known(connectionId: number): Lane | undefined;
  /** The platform of every connection that rests now. */
  resting(): PlatformName[];
  stop(): void;
}

const lanesMax = 5_000;

const versionOf = ({ sealedCredentials, settings }: Connection) =>
  `${sealedCredentials.toString('base64')} ${JSON.stringify(settings)}`;

/** Gives each connection a lane of its own, so that none waits for another. */
export const connectionLanes = ({ events, refill, tuning, ...access }: LanesOptions): ConnectionLanes => {
  const openAccess = accessOpener(access);
  const lanes = new LRUCache<
    number,
    { readonly version: string; readonly platform: PlatformName; readonly lane: Lane }
  >({ max: lanesMax });

  let isStopping = false;

  return {
    of(connection) {
      const version = versionOf(connection);
      const known = lanes.get(connection.id);
      if (known?.version === version) return known.lane;
      const lane = openLane({
        connection,
        platform: access.platforms[connection.platform],
        accessOf: (mode) => openAccess(connection, mode),
        events,
        refill,
        tuning,
      });
      if (isStopping) lane.stop();
      lanes.set(connection.id, { version, platform: connection.platform, lane });
      return lane;
    },
    known: (connectionId) => lanes.get(connectionId)?.lane,
    resting: () => [...lanes.values()].flatMap(({ platform, lane }) => (lane.isResting() ? [platform] : [])),
    stop: () => {
      isStopping = true;
      for (const { lane } of lanes.values()) lane.stop();
    },
  };
};
