import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openContacts } from '@leadback/db';
import { dueFinder } from '@leadback/delivery';
import type { DestinationName } from '@leadback/domain';
import { repeat } from '@leadback/runtime';
import type { CircuitTuning } from './circuit.ts';
import { type Claims, parcelClaims } from './claims.ts';
import { parcelDelivery } from './deliver-parcel.ts';
import type { WorkerEvents } from './events.ts';
import { defaultHeldLimits, heldDeliveries, type HeldLimits } from './held.ts';
import { connectionLanes } from './lanes.ts';
import type { AccessOptions } from './open-access.ts';
import { retryingSettler } from './settle-parcel.ts';
import { parcelSweep } from './sweep.ts';
import { webhookVerifier } from './webhook-verifier.ts';

export interface DeliveryOptions extends AccessOptions {
  readonly pool: Database['pool'];
  /** For settlements alone. */
  readonly settlingPool: Database['pool'];
  readonly events: WorkerEvents;
  readonly tuning?: CircuitTuning | undefined;
  readonly heldLimits?: HeldLimits;
  /** Called after each search for due parcels: whether parcels can be claimed. */
  readonly onSweep?: (canClaim: boolean) => void;
}

export interface FeedbackDelivery extends AsyncDisposable, Pick<Claims, 'takeHints'> {
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
export const feedbackDelivery = ({
  pool,
  settlingPool,
  events,
  tuning,
  heldLimits = defaultHeldLimits,
  onSweep = () => {},
  ...access
}: DeliveryOptions): FeedbackDelivery => {
  const stop = new AbortController();
  const stopping = stop.signal;
  setMaxListeners(0, stopping); // one of each connection with events that wait
  const held = heldDeliveries(heldLimits);
  const due = dueFinder(pool);
  const contacts = openContacts(access.secretsKeys);
  const lanes = connectionLanes({
    ...access,
    pool,
    events,
    tuning,
    stopping,
    platformMax: heldLimits.ofPlatform,
    onReady: () => claims.wake(),
  });
  const settle = retryingSettler(settlingPool, events);
  const deliver = parcelDelivery({ platforms: access.platforms, events, settle });
  const claims = parcelClaims({ pool, contacts, lanes, held, due, deliver, events, stopping });
  const sweep = parcelSweep({ pool, contacts, due, lanes, claims, events, stopping });

  const sweeping = repeat({
    everyMs: sweepEveryMs,
    async round() {
      await sweep.find();
      if (!stopping.aborted) onSweep(true);
      return false;
    },
    onFailure(error) {
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
