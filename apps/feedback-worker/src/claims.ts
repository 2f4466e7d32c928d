import type { Database } from '@leadback/db';
import { claimParcelsOfConnections, type ClaimedParcel, type DueFinder, parcelClaimer } from '@leadback/delivery';
import type { ParcelHint } from '@leadback/messaging';
import type { DeliverParcel } from './deliver-parcel.ts';
import type { Origin } from './delivery-spans.ts';
import type { WorkerEvents } from './events.ts';
import type { Held } from './held.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';

interface Options {
  readonly pool: Database['pool'];
  readonly lanes: Lanes;
  readonly held: Held;
  readonly due: Pick<DueFinder, 'dueSince'>;
  readonly deliver: DeliverParcel;
  readonly events: WorkerEvents;
  readonly stopping: AbortSignal;
}

export interface Claims {
  /** Claims the parcels for which there is room, and returns: it does not wait for a platform. Throws if it cannot. */
  takeHints(parcels: readonly ParcelHint[]): Promise<void>;
  /** Delivers a parcel that was claimed otherwise. */
  deliverAlone(parcel: ClaimedParcel): Promise<void>;
  /** Claims more of the lanes that have more and can send it. */
  wake(): void;
  /** Resolves when nothing is held. */
  settled(): Promise<void>;
}

// of one statement, so that it stays short
const deliveriesPerClaim = 2_000;

/** Claims parcels within the room for them, and delivers them. */
export const parcelClaims = ({ pool, lanes, held, due, deliver, events, stopping }: Options): Claims => {
  const claim = parcelClaimer(pool);
  const inProgress = new Set<Promise<void>>();
  let isAwake = false;

  const count = (lane: Lane, deliveries: number): void => {
    lane.held += deliveries;
    lane.usedAt = performance.now();
    held.add(lane.platform, deliveries);
  };

  const start = (parcel: ClaimedParcel, origin: Origin): Promise<void> => {
    const { connection, deliveries } = parcel;
    const lane = lanes.of(connection.id, connection.platform);
    count(lane, deliveries.length);
    const delivered = deliver(parcel, lane, origin).finally(() => {
      inProgress.delete(delivered);
      count(lane, -deliveries.length);
      wake();
    });
    inProgress.add(delivered);
    return delivered;
  };

  const roomOf = (lane: Lane): number => Math.min(lanes.capacity(lane) - lane.held, held.room(lane.platform));
  // claims of a few deliveries each would cost more than they bring
  const isHungry = (lane: Lane): boolean =>
    lane.hasMore && lane.isReady() && lane.held <= lanes.capacity(lane) / 2 && roomOf(lane) > 0;

  const takeHint = async ({ id, connectionId, size, traceParent }: ParcelHint): Promise<void> => {
    const lane = lanes.known(connectionId);
    // what is older comes first; without room the lane only remembers that there is more
    if (lane !== undefined && (lane.hasMore || !lane.isReady() || roomOf(lane) < size)) {
      lane.hasMore = true;
      return wake();
    }
    if (lane === undefined && held.totalRoom() < size) return;
    if (lane !== undefined) count(lane, size);
    const parcel = await claim(id).finally(() => {
      if (lane !== undefined) count(lane, -size);
    });
    if (parcel !== null) void start(parcel, { isHint: true, traceParent });
  };

  /** The lanes of the next claim, each with the number of deliveries for which it has room. */
  const nextTurn = (): Map<Lane, number> => {
    const turn = new Map<Lane, number>();
    let left = deliveriesPerClaim;
    for (const lane of lanes.all()) {
      if (left <= 0) break;
      if (!isHungry(lane)) continue;
      const room = Math.min(left, roomOf(lane));
      left -= room;
      turn.set(lane, room);
      count(lane, room);
    }
    return turn;
  };

  const claimTurn = async (turn: ReadonlyMap<Lane, number>): Promise<void> => {
    for (const lane of turn.keys()) {
      lanes.passTurn(lane);
      lane.hasMore = false;
    }
    try {
      const wanted = [...turn].map(([{ connectionId }, deliveries]) => ({
        connectionId,
        deliveries,
        dueSince: due.dueSince(connectionId),
      }));
      const parcels = await claimParcelsOfConnections(pool, wanted);
      for (const [lane, room] of turn) {
        const mine = parcels.filter(({ connection }) => connection.id === lane.connectionId);
        lane.hasMore ||= mine.reduce((sum, { deliveries }) => sum + deliveries.length, 0) >= room;
        count(lane, -room);
        for (const parcel of mine) void start(parcel, { isHint: false });
      }
    } catch (error) {
      for (const [lane, room] of turn) {
        lane.hasMore = true;
        count(lane, -room);
      }
      throw error;
    }
  };

  const claimAll = async (): Promise<void> => {
    try {
      for (let turn = nextTurn(); turn.size > 0 && !stopping.aborted; turn = nextTurn()) await claimTurn(turn);
    } catch (error) {
      events.claimFailed(error); // the next search for due parcels wakes it again
    } finally {
      isAwake = false;
    }
  };

  const wake = (): void => {
    if (isAwake || stopping.aborted) return;
    isAwake = true;
    void claimAll();
  };

  return {
    async takeHints(parcels) {
      if (!stopping.aborted) await Promise.all(parcels.map(takeHint));
    },
    deliverAlone: (parcel) => start(parcel, { isHint: false }),
    wake,
    settled: async () => {
      while (inProgress.size > 0) await Promise.allSettled(inProgress);
    },
  };
};
