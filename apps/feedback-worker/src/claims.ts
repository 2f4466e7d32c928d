import type { Contacts, Database } from '@leadback/db';
import { claimParcelsOfConnections, type ClaimedParcel, type DueFinder, parcelClaimer } from '@leadback/delivery';
import type { ParcelHint } from '@leadback/messaging';
import type { DeliverParcel } from './deliver-parcel.ts';
import type { TracedHint } from './delivery-spans.ts';
import type { WorkerEvents } from './events.ts';
import type { Held } from './held.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';

interface Options {
  readonly pool: Database['pool'];
  readonly contacts: Contacts;
  readonly lanes: Lanes;
  readonly held: Held;
  readonly due: Pick<DueFinder, 'dueSince'>;
  readonly deliver: DeliverParcel;
  readonly events: WorkerEvents;
  readonly stopping: AbortSignal;
}

export interface Claims {
  /**
   * Claims the parcels for which there is room, and returns: it does not wait for a platform. Throws if it cannot, or if
   * the worker stops: then others must get the hint.
   */
  takeHints(parcels: readonly ParcelHint[]): Promise<void>;
  /** Delivers a parcel that was claimed otherwise. */
  deliverAlone(parcel: ClaimedParcel): Promise<void>;
  /** Claims more of the lanes that have more and can send it. */
  wake(): void;
  /** Resolves when nothing is held or being claimed. */
  settled(): Promise<void>;
}

// of one statement, so that it stays short
const deliveriesPerClaim = 2_000;

/** Claims parcels within the room for them, and delivers them. */
export const parcelClaims = ({ pool, contacts, lanes, held, due, deliver, events, stopping }: Options): Claims => {
  const claim = parcelClaimer(pool, contacts);
  const inProgress = new Set<Promise<unknown>>();
  let isAwake = false;

  const tracked = <Result>(work: Promise<Result>): Promise<Result> => {
    const done = work.finally(() => inProgress.delete(done));
    inProgress.add(done);
    return done;
  };

  const start = (parcel: ClaimedParcel, hint?: TracedHint): Promise<void> => {
    const { connection, deliveries } = parcel;
    const lane = lanes.of(connection.id, connection.platform);
    const size = deliveries.length;
    held.add(lane, size);
    return tracked(
      deliver(parcel, lane, hint).finally(() => {
        held.add(lane, -size);
        wake();
      }),
    );
  };

  const takeHint = async (hint: ParcelHint, capacityOf: (lane: Lane) => number): Promise<void> => {
    const { id, connectionId, size } = hint;
    const lane = lanes.known(connectionId);
    const room = Math.min(held.room(lane), lane === undefined ? size : capacityOf(lane) - lane.held);
    // what is older comes first; what is left now is found with it, or by the next search for due parcels
    if (room < size || lane?.hasMore === true || lane?.isReady() === false) {
      if (lane !== undefined) lane.hasMore = true;
      return wake();
    }
    held.add(lane, size);
    try {
      const parcel = await claim(id);
      if (parcel !== null) void start(parcel, hint);
    } finally {
      held.add(lane, -size);
    }
  };

  /** Takes room for the next claim. Returns its lanes, each with the number of deliveries for which it has room. */
  const nextTurn = (): Map<Lane, number> => {
    const turn = new Map<Lane, number>();
    const capacityOf = lanes.capacities();
    let left = deliveriesPerClaim;
    for (const lane of lanes.all()) {
      const capacity = capacityOf(lane);
      const deliveries = Math.min(left, held.room(lane), capacity - lane.held);
      // claims of a few deliveries each would cost more than they bring
      const isHungry = lane.hasMore && lane.isReady() && lane.held <= capacity / 2;
      if (!isHungry || deliveries <= 0) continue;
      turn.set(lane, deliveries);
      held.add(lane, deliveries);
      left -= deliveries;
    }
    return turn;
  };

  const claimTurn = async (turn: ReadonlyMap<Lane, number>): Promise<void> => {
    for (const lane of turn.keys()) {
      lanes.passTurn(lane);
      lane.hasMore = false;
    }
    const wanted = [...turn].map(([{ connectionId }, deliveries]) => ({
      connectionId,
      deliveries,
      dueSince: due.dueSince(connectionId),
    }));
    try {
      const claimed = new Set<number>();
      for (const parcel of await claimParcelsOfConnections(pool, wanted, contacts)) {
        claimed.add(parcel.connection.id);
        void start(parcel);
      }
      // until there is none: less than was wanted may be what another worker left
      for (const lane of turn.keys()) lane.hasMore ||= claimed.has(lane.connectionId);
    } finally {
      for (const [lane, room] of turn) held.add(lane, -room);
    }
  };

  const claimAll = async (): Promise<void> => {
    try {
      for (let turn = nextTurn(); turn.size > 0; turn = nextTurn()) {
        await claimTurn(turn);
        if (stopping.aborted) break;
      }
    } catch (error) {
      events.claimFailed(error); // the next search for due parcels wakes it again
    } finally {
      isAwake = false;
    }
  };

  const wake = (): void => {
    if (isAwake || stopping.aborted) return;
    isAwake = true;
    void tracked(claimAll());
  };

  return {
    async takeHints(parcels) {
      stopping.throwIfAborted();
      const capacityOf = lanes.capacities();
      await tracked(Promise.all(parcels.map((hint) => takeHint(hint, capacityOf))));
    },
    deliverAlone: (parcel) => start(parcel),
    wake,
    async settled() {
      while (inProgress.size > 0) await Promise.allSettled(inProgress);
    },
  };
};
