import type { FeedbackState, MatchKeySet } from '@leadback/domain';
import { failureScopeOf, type Pool } from '@leadback/db';
import { batch } from '@leadback/runtime/batch';
import type { ClaimedParcel } from './claimed.ts';
import { retriedFor } from './limits.ts';
import type { AttemptRecord, NextState } from './next-state.ts';
import { settleParcels } from './settle-parcels.ts';

/** What happened to some deliveries of a parcel alike. */
export interface SettledDeliveries extends NextState {
  readonly feedbackIds: readonly number[];
  /** The keys of the event of each, in the same order; null: no event was built. Missing: of none. */
  readonly matchKeys?: readonly (MatchKeySet | null)[];
  /** Null: nothing was sent. */
  readonly attempt: AttemptRecord | null;
  /** What the platform could not be told in full, if it accepted the event. */
  readonly eventNote?: string | undefined;
  /** The version of the connection with whose settings it was sent, if it was. */
  readonly sentVersion?: number | undefined;
}

export interface ParcelSettlement {
  readonly parcel: Pick<ClaimedParcel, 'id' | 'claim' | 'connection'>;
  readonly deliveries: readonly SettledDeliveries[];
}

export interface Settled {
  /** The new state of each delivery that changed; of the others another worker has the say, or they were closed. */
  readonly states: ReadonlyMap<number, FeedbackState>;
  /** Whether the connection needs attention from now on. */
  readonly isRejected: boolean;
}

const parametersOf = ({ parcel, deliveries }: ParcelSettlement) =>
  deliveries.map((alike) => ({
    parcel: parcel.id,
    claim: parcel.claim,
    accountId: parcel.connection.accountId,
    connectionId: parcel.connection.id,
    version: parcel.connection.version,
    ...alike,
  }));

// a parcel without open deliveries is settled as well: it is deleted
const nothing = {
  feedbackIds: [],
  state: 'pending',
  reason: null,
  retryInMs: 0,
  isCounted: false,
  attempt: null,
} as const;

/** The first settlement of each delivery, and the others: one statement changes a row once. */
const apart = (settlements: readonly ParcelSettlement[]): [first: ParcelSettlement[], others: ParcelSettlement[]] => {
  const seen = new Set<number>();
  const parts: [ParcelSettlement[], ParcelSettlement[]] = [[], []];
  for (const settlement of settlements) {
    const ids = settlement.deliveries.flatMap(({ feedbackIds }) => feedbackIds);
    parts[ids.some((id) => seen.has(id)) ? 1 : 0].push(settlement);
    for (const id of ids) seen.add(id);
  }
  return parts;
};

const save = async (pool: Pool, settlements: readonly ParcelSettlement[]): Promise<Map<ParcelSettlement, Settled>> => {
  const [first, others] = apart(settlements);
  const entries = first.flatMap(({ parcel, deliveries }) =>
    parametersOf({ parcel, deliveries: deliveries.length > 0 ? deliveries : [nothing] }),
  );
  const rows = await settleParcels(pool, [JSON.stringify(entries), retriedFor]);
  const states = new Map(
    rows.flatMap(({ feedback_id: id, state }) => (id === null || state === null ? [] : [[id, state] as const])),
  );
  const rejected = new Set(rows.flatMap((row) => (row.feedback_id === null ? [row.connection_id] : [])));
  const saved = new Map(
    first.map((settlement): [ParcelSettlement, Settled] => [
      settlement,
      { states, isRejected: rejected.has(settlement.parcel.connection.id) },
    ]),
  );
  return others.length === 0 ? saved : new Map([...saved, ...(await save(pool, others))]);
};

/**
 * Returns a function that saves the outcomes of a claimed parcel, those of concurrent calls together. Saving twice
 * changes nothing more.
 */
export const parcelSettler = (pool: Pool): ((settlement: ParcelSettlement) => Promise<Settled>) =>
  batch(
    async (settlements: readonly ParcelSettlement[]) => {
      const saved = await save(pool, settlements);
      return settlements.flatMap((settlement) => saved.get(settlement) ?? []);
    },
    // 20 full parcels take PostgreSQL half a second. Nobody waits for an outcome, so that it may wait for others
    { itemsMax: 20, runsMax: 2, besideMs: 50, failureScope: failureScopeOf },
  );
