import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type ContactCipher, type Database, contactCipher } from '@leadback/db';
import {
  claimParcelsOfConnections,
  type ClaimedParcel,
  parcelClaimer,
  claimSuspectParcel,
  failCrashedDeliveries,
  splitSuspectParcels,
} from '@leadback/core/delivery/claim';
import { type DueFinder, dueFinder } from '@leadback/core/delivery/due';
import type { ParcelHint } from '@leadback/server/broker';
import type { DestinationName } from '@leadback/domain';
import { repeat } from '@leadback/server/app';
import { type DeliverParcel, parcelDelivery, type TracedHint, retryingSettler } from './parcels.ts';
import type { WorkerEvents } from './events.ts';
import {
  type Held,
  defaultHeldLimits,
  heldDeliveries,
  type HeldLimits,
  type Lane,
  type Lanes,
  connectionLanes,
} from './lanes.ts';
import type { CircuitTuning } from './send.ts';
import { webhookVerifier } from './webhook-verifier.ts';
import type { OpeningTools } from '@leadback/core/connections/open';

interface ClaimOptions {
  readonly pool: Database['pool'];
  readonly contacts: ContactCipher;
  readonly lanes: Lanes;
  readonly held: Held;
  readonly due: Pick<DueFinder, 'dueSince'>;
  readonly deliver: DeliverParcel;
  readonly mustSaveFirst: () => boolean;
  readonly events: WorkerEvents;
  readonly stopping: AbortSignal;
}

interface Claims {
  /**
   * Claims the parcels for which there is room, and returns: it does not wait for a platform. Throws if it cannot, if it
   * must save outcomes first, or if the worker stops: then others must get the hint.
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
const parcelClaims = ({
  pool,
  contacts,
  lanes,
  held,
  due,
  deliver,
  mustSaveFirst,
  events,
  stopping,
}: ClaimOptions): Claims => {
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
        if (stopping.aborted || mustSaveFirst()) break;
      }
    } catch (error) {
      events.claimFailed(error); // the next search for due parcels wakes it again
    } finally {
      isAwake = false;
    }
  };

  const wake = (): void => {
    // what was to be saved first wakes it once it is saved, the next search for due parcels once that takes too long
    if (isAwake || stopping.aborted || mustSaveFirst()) return;
    isAwake = true;
    void tracked(claimAll());
  };

  return {
    async takeHints(parcels) {
      stopping.throwIfAborted();
      if (mustSaveFirst()) throw new Error('outcomes must be saved before more is claimed');
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

interface SweepOptions {
  readonly pool: Database['pool'];
  readonly contacts: ContactCipher;
  readonly due: Pick<DueFinder, 'find'>;
  readonly lanes: Lanes;
  readonly claims: Pick<Claims, 'wake' | 'deliverAlone'>;
  readonly mustSaveFirst: () => boolean;
  readonly events: WorkerEvents;
  readonly stopping: AbortSignal;
}

/** Both throw if PostgreSQL is unavailable. */
interface ParcelSweep {
  /**
   * Finds due parcels: retries, those whose hint was lost, and those of workers that stopped. Throws if PostgreSQL is
   * read-only.
   */
  find(): Promise<void>;
  /**
   * If `find` found deliveries that crashed workers: delivers them one at a time, so that a further crash concerns that
   * delivery alone.
   */
  deliverSuspects(): Promise<void>;
}

const parcelSweep = ({
  pool,
  contacts,
  due,
  lanes,
  claims,
  mustSaveFirst,
  events,
  stopping,
}: SweepOptions): ParcelSweep => {
  let hasSuspects = false;

  return {
    async find() {
      const found = await due.find(lanes.all().map(({ connectionId }) => connectionId));
      if (found.isReadOnly) throw new Error('PostgreSQL is read-only');
      hasSuspects = found.hasSuspects;
      for (const { id, platform } of found.connections) lanes.of(id, platform).hasMore = true;
      lanes.dropIdle();
      claims.wake();
    },
    async deliverSuspects() {
      if (!hasSuspects || mustSaveFirst()) return;
      await splitSuspectParcels(pool);
      for (const { platform, deliveryId } of await failCrashedDeliveries(pool)) {
        events.deliveryCrashed(platform, deliveryId);
      }
      while (!stopping.aborted && !mustSaveFirst()) {
        const parcel = await claimSuspectParcel(pool, contacts);
        if (parcel === undefined) return;
        for (const { deliveryId } of parcel.deliveries) events.deliveryIsolated(parcel.connection.platform, deliveryId);
        await claims.deliverAlone(parcel);
      }
    },
  };
};

export interface DeliveryOptions extends OpeningTools {
  readonly pool: Database['pool'];
  /** For settlements alone. */
  readonly settlingPool: Database['pool'];
  readonly events: WorkerEvents;
  readonly tuning?: CircuitTuning | undefined;
  readonly heldLimits?: HeldLimits;
  /** Called after each search for due parcels: whether parcels can be claimed. */
  readonly onSweep?: (canClaim: boolean) => void;
}

export interface DeliveryLoop extends AsyncDisposable, Pick<Claims, 'takeHints'> {
  /** The platform of each connection whose circuit is open. */
  openCircuits(): DestinationName[];
  /** How many deliveries are in memory. */
  held(): number;
  /** Leaves what was not sent to other workers at once. Requests in progress go on, and so does saving outcomes. */
  stop(): void;
}

// together with the grace for hints less than two seconds
const sweepEveryMs = 750;
// for requests in progress when the worker stops
const drainMaxMs = 20_000;

/**
 * Delivers what hints name and what it finds due, until it is stopped or disposed. Disposing also waits until requests
 * in progress are completed.
 */
export const deliveryLoop = ({
  pool,
  settlingPool,
  events,
  tuning,
  heldLimits = defaultHeldLimits,
  onSweep = () => {},
  ...access
}: DeliveryOptions): DeliveryLoop => {
  const stop = new AbortController();
  const stopping = stop.signal;
  setMaxListeners(0, stopping); // one of each connection with events that wait
  const held = heldDeliveries(heldLimits);
  const due = dueFinder(pool);
  const contacts = contactCipher(access.secretsKeys);
  const lanes = connectionLanes({
    ...access,
    pool,
    events,
    tuning,
    stopping,
    platformMax: heldLimits.ofPlatform,
    onReady: () => claims.wake(),
  });
  const { settle, noteDatabase, mustSaveFirst } = retryingSettler(settlingPool, events);
  const deliver = parcelDelivery({ platforms: access.platforms, events, settle });
  const claims = parcelClaims({ pool, contacts, lanes, held, due, deliver, mustSaveFirst, events, stopping });
  const sweep = parcelSweep({ pool, contacts, due, lanes, claims, mustSaveFirst, events, stopping });

  const sweeping = repeat({
    everyMs: sweepEveryMs,
    async round() {
      await sweep.find();
      noteDatabase(true);
      if (!stopping.aborted) onSweep(!mustSaveFirst());
      return false;
    },
    onFailure(error) {
      noteDatabase(false);
      onSweep(false);
      events.claimFailed(error);
    },
  });
  // beside the search, which a suspect delivery must not delay
  const isolating = repeat({
    everyMs: sweepEveryMs,
    async round() {
      await sweep.deliverSuspects();
      return false;
    },
    onFailure: events.claimFailed,
  });

  const verifying = webhookVerifier({ ...access, pool, events });

  return {
    takeHints: (parcels) => claims.takeHints(parcels),
    openCircuits: () => lanes.all().flatMap((lane) => (lane.isCircuitOpen() ? [lane.platform] : [])),
    held: () => held.count(),
    stop: () => stop.abort(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      const done = [
        sweeping[Symbol.asyncDispose](),
        isolating[Symbol.asyncDispose](),
        verifying[Symbol.asyncDispose](),
        claims.settled(),
      ];
      await Promise.race([Promise.all(done), pause(drainMaxMs, undefined, { ref: false })]);
    },
  };
};
