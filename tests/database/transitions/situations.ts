import type { PlatformConnection } from '@leadback/db';
import type { DeliveryState } from '@leadback/core/delivery/states';
import { givenConnection, type TestDatabase } from '@leadback/testing';
import { givenParcel, type Subject } from '../../support/parcels.ts';

export interface Situation {
  readonly name: string;
  /** Undefined: the deliveries do not exist yet. */
  readonly state: DeliveryState | undefined;
  /** Of the connection. Default: active. */
  readonly connection?: PlatformConnection['state'];
  /** The number of deliveries in the parcel. Default: 2. */
  readonly size?: number;
  readonly leasesLost?: number;
  readonly isDue?: boolean;
  readonly note?: string;
}

const claimed = { state: 'claimed', isDue: true } as const;

export const situations: readonly Situation[] = [
  { name: 'new', state: undefined },
  { name: 'new, connection paused', state: undefined, connection: 'paused' },
  { name: 'waiting', state: 'waiting', isDue: true },
  { name: 'waiting, not due', state: 'waiting' },
  { name: 'waiting, connection paused', state: 'waiting', isDue: true, connection: 'paused' },
  { name: 'waiting, connection needs attention', state: 'waiting', isDue: true, connection: 'needs_attention' },
  { name: 'waiting alone after 3 lost leases', state: 'waiting', isDue: true, size: 1, leasesLost: 3 },
  { name: 'claimed', state: 'claimed' },
  { name: 'claimed, connection paused', state: 'claimed', connection: 'paused' },
  { name: 'first lease over', ...claimed },
  { name: 'first lease over, connection paused', ...claimed, connection: 'paused' },
  { name: 'third lease over, with others', ...claimed, leasesLost: 2 },
  { name: 'third lease over, with others, connection paused', ...claimed, leasesLost: 2, connection: 'paused' },
  { name: 'third lease over, alone', ...claimed, leasesLost: 2, size: 1 },
  { name: 'fifth lease over, alone', ...claimed, leasesLost: 4, size: 1 },
  { name: 'fifth lease over, alone, connection paused', ...claimed, leasesLost: 4, size: 1, connection: 'paused' },
  { name: 'delivered', state: 'delivered' },
  { name: 'delivered, with a note', state: 'delivered', note: 'the platform used it in part' },
  { name: 'failed', state: 'failed' },
  { name: 'failed, connection paused', state: 'failed', connection: 'paused' },
  { name: 'skipped', state: 'skipped' },
];

export interface Given {
  readonly connection: PlatformConnection;
  readonly deliveryIds: readonly number[];
  /** The parcel that the deliveries are or were in, and its last claim. */
  readonly parcel: { readonly id: number; readonly claim: number };
}

const close = `
  with gone as (delete from delivery_due where id = $1 returning delivery_ids)
  update delivery set state = $2, note = $3, closed_at = now(), parcel_id = null
  where id in (select unnest(delivery_ids) from gone)`;

/** Deliveries of a subject in a situation. */
export const givenSituation = async (
  database: TestDatabase,
  { state, connection: connectionState = 'active', size = 2, leasesLost = 0, isDue = false, note }: Situation,
  subject: Subject,
): Promise<Given> => {
  const connection = await givenConnection(database.em(), {
    state: connectionState,
    eventKinds: ['conversion', 'lead'],
  });
  if (state === undefined) return { connection, deliveryIds: [], parcel: { id: 0, claim: 0 } };
  const isClaimed = state !== 'waiting';
  const parcel = await givenParcel(database, {
    connection,
    subject,
    size,
    leasesLost,
    isClaimed,
    dueInSeconds: isDue ? -60 : 60,
  });
  if (state !== 'waiting' && state !== 'claimed') {
    await database.pool.query(close, [parcel.id, state, note ?? null]);
  }
  const claim = leasesLost + (isClaimed ? 1 : 0);
  return { connection, deliveryIds: parcel.deliveryIds, parcel: { id: parcel.id, claim } };
};
