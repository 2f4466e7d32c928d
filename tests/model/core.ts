import {
  claimParcelsOfConnections,
  claimSuspectParcel,
  failCrashedDeliveries,
  parcelClaimer,
  splitSuspectParcels,
} from '@leadback/core/delivery/claim';
import { dueFinder } from '@leadback/core/delivery/due';
import { parcelSettler } from '@leadback/core/delivery/settle';
import { pauseConnection, resumeConnection } from '@leadback/core/delivery/connections';
import { requeueDeliveries, requeueDeliveriesOfConnection } from '@leadback/core/delivery/requeue';
import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import { givenAccount, givenClient, givenConnection, givenContacts, type TestDatabase } from '@leadback/testing';

export const clientReference = 'C1';

const clear = `with attempt as (delete from delivery_attempt), due as (delete from delivery_due),
     adjustment as (delete from conversion_adjustment), answer as (delete from idempotency_record)
   delete from delivery`;

const pass = {
  pauses: `update delivery_due set not_before = now() where phase = 'waiting' and not_before > now()`,
  // created before, and resumed before or never
  days: `with delivery as (
       update delivery set created_at = created_at - interval '4 days', retried_since = retried_since - interval '4 days')
     update platform_connection set resumed_at = null where resumed_at is not null`,
};

/** The real delivery core: two accounts, three connections, one client each, and all that the apps do to deliveries. */
export const deliveryCore = async (database: TestDatabase) => {
  const { pool } = database;
  const contacts = givenContacts();
  const em = database.em();
  const both = await givenAccount(em);
  const other = await givenAccount(em);
  for (const account of [both, other]) await givenClient(em, { account, externalReference: clientReference });
  const connections = [
    await givenConnection(em, { account: both, platform: 'meta' }),
    await givenConnection(em, { account: both, platform: 'google' }),
    await givenConnection(em, { account: other, platform: 'google' }),
  ].map(({ id, account, platform }) => ({ id, accountId: account.id, overwrites: platform === 'google' }));
  const due = dueFinder(pool);

  return {
    pool,
    connections,
    accountIds: [both.id, other.id],
    /** Deletes all conversions; connections are active, and in their first version. */
    async reset() {
      await database.asOwner(clear);
      await database.asOwner('delete from conversion');
      await pool.query(`update platform_connection set state = 'active', state_reason = null, resumed_at = null`);
      await pool.query('update platform_connection set version = 1');
    },
    register: conversionRegistrar(pool, { contacts, announce: () => {} }),
    adjust: conversionAdjuster(pool, { announce: () => {} }),
    claimByHint: parcelClaimer(pool, contacts),
    async claimOf(connectionId: number, deliveries: number) {
      await due.find([connectionId]);
      const wanted = { connectionId, deliveries, dueSince: due.dueSince(connectionId) };
      return claimParcelsOfConnections(pool, [wanted], contacts);
    },
    claimSuspect: () => claimSuspectParcel(pool, contacts),
    splitSuspects: () => splitSuspectParcels(pool),
    failCrashed: () => failCrashedDeliveries(pool),
    settle: parcelSettler(pool),
    retry: (ids: readonly number[]) => requeueDeliveries(database.em(), ids),
    retryAll: (connection: { id: number; accountId: number }) =>
      requeueDeliveriesOfConnection(database.em(), connection),
    pause: (id: number) => pauseConnection(database.em(), id),
    resume: (id: number) => resumeConnection(database.em(), id),
    /** A crash is a lease that ends: the clock of PostgreSQL cannot be moved. */
    endLease: (parcelId: number) =>
      pool.query(`update delivery_due set not_before = now() where id = $1 and phase = 'claimed'`, [parcelId]),
    passPauses: () => pool.query(pass.pauses),
    passDays: () => pool.query(pass.days),
  };
};

export type DeliveryCore = Awaited<ReturnType<typeof deliveryCore>>;
