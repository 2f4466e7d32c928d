import { type ContactCipher, type Pool, statement } from '@leadback/db';
import { claimedParcels, type ClaimedDelivery, type ClaimedParcel, type ClaimedRow, claimedRowsOf } from './claim.ts';

// as if its parcel were claimed now, in whatever state it is
const read = statement<ClaimedRow>(
  claimedRowsOf(
    `(select 0::bigint as id, 0 as claim, is_test, connection_id, account_id from delivery
      where id = $2 and account_id = $1)`,
    `from (select * from delivery where id = $2 and account_id = $1) f`,
  ),
);

interface DeliveryToSend extends Pick<ClaimedParcel, 'connection' | 'mode'> {
  /** PostgreSQL's clock, in milliseconds since 1970. */
  readonly atMs: number;
  readonly delivery: ClaimedDelivery;
}

/** What a worker would send of a delivery now, without claiming it. Undefined if the account has no such delivery. */
export const readDeliveryToSend = async (
  pool: Pool,
  { accountId, id }: { readonly accountId: number; readonly id: number },
  contacts: ContactCipher,
): Promise<DeliveryToSend | undefined> => {
  const [parcel] = claimedParcels(await read(pool, [accountId, id]), contacts);
  const [delivery] = parcel?.deliveries ?? [];
  if (!parcel || !delivery) return undefined;
  return { connection: parcel.connection, mode: parcel.mode, atMs: parcel.claimedAtMs, delivery };
};
