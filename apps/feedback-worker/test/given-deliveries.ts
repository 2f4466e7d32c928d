import { type Account, Delivery, DeliveryAttempt, DeliveryDue, PlatformConnection } from '@leadback/db';
import {
  givenAccount,
  givenConnection,
  givenConversion,
  givenManyDeliveries,
  givenParcel,
  ofConversion,
  type TestDatabase,
} from '@leadback/testing';
import type { ParcelHint } from '@leadback/server/broker';

type ManyDeliveries = Parameters<typeof givenManyDeliveries>[1];
type WantedConnection = NonNullable<Parameters<typeof givenConnection>[1]>;
type WantedSale = NonNullable<Parameters<typeof givenConversion>[1]>;

interface Wanted extends Pick<WantedSale, 'client' | 'isTest' | 'eventId' | 'occurredAt'> {
  readonly account?: Account;
  readonly connection?: WantedConnection;
  /** When the delivery was created; default: now. */
  readonly registeredAt?: Date;
}

type WantedBacklog = WantedConnection & Pick<ManyDeliveries, 'parcelSize' | 'isTest'>;

const ana = { email: 'ana@x.example' };

/** Creates deliveries and reads what happened to them. */
export const givenDeliveries = (database: TestDatabase) => ({
  /** A delivery that is due now. */
  givenDelivery: async ({ account, connection: options, registeredAt, ...sale }: Wanted = {}) => {
    const em = database.em();
    const owner = account ? em.merge(account) : await givenAccount(em);
    const connection = await givenConnection(em, { account: owner, ...options });
    const conversion = await givenConversion(em, { account: owner, client: ana, ...sale });
    const delivery = em.create(Delivery, {
      account: owner,
      ...ofConversion(conversion),
      connection,
      ...(registeredAt && { createdAt: registeredAt }),
    });
    await em.persist(delivery).flush();
    await givenParcel(em, delivery);
    return { id: delivery.id, connectionId: connection.id, conversionId: conversion.id };
  },
  /** Due deliveries of a new connection, each in a parcel of its own by default. */
  givenBacklog: async (rows: number, { parcelSize = 1, isTest = false, ...options }: WantedBacklog = {}) => {
    const connection = await givenConnection(database.em(), options);
    const ids = await givenManyDeliveries(database, { connection, rows, client: ana, parcelSize, isTest });
    return { ids, connectionId: connection.id };
  },
  /** More due deliveries of an existing connection. */
  givenMore: async (rows: number, connectionId: number, sale: Omit<ManyDeliveries, 'connection' | 'rows'> = {}) => {
    const connection = await database.em().findOneOrFail(PlatformConnection, connectionId);
    return givenManyDeliveries(database, { connection, rows, client: ana, ...sale });
  },
  /** Ends the pause, or the lease, of the parcels of deliveries. */
  makeDue: async (deliveryIds: readonly number[]): Promise<void> => {
    await database.pool.query(
      `update delivery_due set not_before = now()
       where id in (select parcel_id from delivery where id = any($1))`,
      [deliveryIds],
    );
  },
  stored: (id: number) => database.em().findOneOrFail(Delivery, id),
  attemptsOf: (delivery: number) => database.em().find(DeliveryAttempt, { delivery }, { orderBy: { id: 'asc' } }),
  /** The parcel of a pending delivery. */
  parcelOf: async (id: number): Promise<DeliveryDue> => {
    const { parcelId } = await database.em().findOneOrFail(Delivery, id);
    return database.em().findOneOrFail(DeliveryDue, parcelId ?? 0);
  },
  /** Hints of the parcels of those deliveries that are pending. */
  parcelsOf: async (deliveryIds: readonly number[]): Promise<ParcelHint[]> => {
    const em = database.em();
    const rows = await em.find(Delivery, { id: { $in: [...deliveryIds] }, parcelId: { $ne: null } });
    const parcels = await em.find(DeliveryDue, { id: { $in: rows.map(({ parcelId }) => parcelId ?? 0) } });
    return parcels.map(({ id, connectionId, deliveryIds: ids }) => ({ id, connectionId, size: ids.length }));
  },
});
