import { setTimeout as pause } from 'node:timers/promises';
import { type DestinationName, webhookName } from '@leadback/domain';
import type { ClaimedParcel } from '@leadback/core/delivery/claim';
import { openConnection, type OpeningTools, readConnection } from '@leadback/core/connections/open';
import { takeQuotaSlot } from '@leadback/core/delivery/quota';
import type { TakeSlot } from '@leadback/platforms';
import type { Database } from '@leadback/db';
import { type Sender, openSender, type SenderOptions } from './send.ts';
import type { WorkerEvents } from './events.ts';

interface Room {
  inUse: number;
  readonly waiting: (() => void)[];
}

/** Limits the concurrent requests of each account. */
interface AccountRooms {
  /** Waits until the account has fewer than `requestsMax` requests in progress. The returned function ends the request. */
  enter(accountId: number, requestsMax: number): Promise<() => void>;
}

/** Those that wait enter in the order in which they came. */
export const accountRooms = (): AccountRooms => {
  const rooms = new Map<number, Room>();
  return {
    async enter(accountId, requestsMax) {
      const room = rooms.get(accountId) ?? { inUse: 0, waiting: [] };
      rooms.set(accountId, room);
      if (room.inUse < requestsMax) room.inUse += 1;
      else await new Promise<void>((resolve) => void room.waiting.push(resolve));
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        const next = room.waiting.shift();
        if (next !== undefined) return next(); // it takes this place
        room.inUse -= 1;
        if (room.inUse === 0) rooms.delete(accountId);
      };
    },
  };
};

/** One connection in this worker. Lanes share nothing but the room for deliveries, so none delays another. */
export interface Lane {
  readonly connectionId: number;
  readonly platform: DestinationName;
  /** Deliveries from their claim until they are settled. */
  held: number;
  /** Whether more parcels are due, as far as is known. */
  hasMore: boolean;
  /** Last use, by `performance.now()`. */
  usedAt: number;
  /** Whether it can send what is claimed now. */
  isReady(): boolean;
  isCircuitOpen(): boolean;
  /** Whether nothing is sent for now: the circuit is open, or the quota is used up. */
  isPaused(): boolean;
  /** The sender for the version of the connection that was claimed. Throws if its settings or credentials are invalid. */
  senderFor(connection: ClaimedParcel['connection']): Promise<Sender>;
}

interface LaneOptions extends Pick<Lane, 'connectionId' | 'platform'> {
  readonly open: (connection: ClaimedParcel['connection']) => Promise<Sender>;
}

const openLane = ({ connectionId, platform, open }: LaneOptions): Lane => {
  let version = 0;
  let opening: Promise<Sender> | undefined;
  let sender: Sender | undefined;

  return {
    connectionId,
    platform,
    held: 0,
    hasMore: false,
    usedAt: performance.now(),
    isReady: () => sender === undefined || (!sender.isPaused() && !sender.isSlow()),
    isCircuitOpen: () => sender?.isCircuitOpen() ?? false,
    isPaused: () => sender?.isPaused() ?? false,
    async senderFor(connection) {
      if (opening !== undefined && connection.version <= version) return opening;
      version = connection.version;
      const mine = open(connection);
      opening = mine;
      try {
        sender = await mine;
        return sender;
      } catch (error) {
        if (opening === mine) opening = undefined; // tried again with the next claim
        throw error;
      }
    },
  };
};

interface LanesOptions extends OpeningTools, Pick<SenderOptions, 'tuning' | 'stopping' | 'onReady'> {
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
          const { limits, codes } = access.platforms[platform];
          const { requestsMaxOfAccount: requestsMax } = limits;
          return openSender({
            connection,
            limits,
            ...(platform !== webhookName && { meaningOf: (reason: string) => codes.meaningOf(reason) }),
            ...(requestsMax !== undefined && { enterRoom: () => rooms.enter(connection.accountId, requestsMax) }),
            accessOf: (mode) => openConnection({ ...access, pool }, connection, mode),
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

/** How many deliveries may be in memory, from their claim until they are settled. */
export interface HeldLimits {
  /** In the whole process. */
  readonly total: number;
  /** Of one platform, so that a slow one leaves room for the others. */
  readonly ofPlatform: number;
}

export interface Held {
  /** How many deliveries are in memory, or are being claimed. */
  count(): number;
  /** How many more deliveries may be claimed now for a lane, or for a connection without one. */
  room(lane: Pick<Lane, 'platform'> | undefined): number;
  /** Counts deliveries that are being claimed; less than zero: as settled, or as not claimed after all. */
  add(lane: Lane | undefined, deliveries: number): void;
}

export const defaultHeldLimits: HeldLimits = { total: 10_000, ofPlatform: 5_000 };

/** Counts the deliveries in memory. */
export const heldDeliveries = ({ total, ofPlatform }: HeldLimits): Held => {
  const heldOf = new Map<DestinationName, number>();
  let held = 0;
  return {
    count: () => held,
    room: (lane) =>
      Math.max(0, Math.min(total - held, lane === undefined ? total : ofPlatform - (heldOf.get(lane.platform) ?? 0))),
    add(lane, deliveries) {
      held += deliveries;
      if (lane === undefined) return;
      heldOf.set(lane.platform, (heldOf.get(lane.platform) ?? 0) + deliveries);
      lane.held += deliveries;
      lane.usedAt = performance.now();
    },
  };
};

// together with the request itself, shorter than a lease
const waitMaxMs = 5_000;
const retryMs = 2_000;
// a slot is free within a minute, unless the quota of the day is used up
const minuteMs = 60_000;

/** Enforces the platforms' quotas across all workers. While PostgreSQL is unavailable no slot is granted. */
export const quotaLimiter =
  (pool: Database['pool'], events: WorkerEvents): TakeSlot =>
  async (quota) => {
    try {
      const { taken, inMs } = await takeQuotaSlot(pool, { ...quota, waitMaxMs });
      events.quotaSlot(taken ? 'taken' : inMs > minuteMs ? 'day_full' : 'minute_full');
      if (!taken) return inMs;
      await pause(inMs);
      return undefined;
    } catch (error) {
      events.quotaSlotFailed(error);
      return retryMs;
    }
  };
