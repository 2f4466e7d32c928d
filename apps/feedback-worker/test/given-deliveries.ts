import { type Account, Feedback, FeedbackAttempt, FeedbackDue, PlatformConnection } from '@leadback/db';
import {
  givenAccount,
  givenConnection,
  givenConversion,
  givenManyFeedback,
  givenParcel,
  ofConversion,
  type TestDatabase,
} from '@leadback/test-fixtures';
import type { ParcelHint } from '@leadback/messaging';

type ManyFeedback = Parameters<typeof givenManyFeedback>[1];
type WantedConnection = NonNullable<Parameters<typeof givenConnection>[1]>;
type WantedSale = NonNullable<Parameters<typeof givenConversion>[1]>;

interface Wanted extends Pick<WantedSale, 'client' | 'isTest' | 'eventId' | 'occurredAt'> {
  readonly account?: Account;
  readonly connection?: WantedConnection;
  /** When the delivery was created; default: now. */
  readonly registeredAt?: Date;
}

type WantedBacklog = WantedConnection & Pick<ManyFeedback, 'parcelSize' | 'isTest'>;

const ana = { email: 'ana@x.example' };

/** Creates deliveries and reads what happened to them. */
export const givenDeliveries = (database: TestDatabase) => ({
  /** A delivery that is due now. */
  givenFeedback: async ({ account, connection: options, registeredAt, ...sale }: Wanted = {}) => {
    const em = database.em();
    const owner = account ? em.merge(account) : await givenAccount(em);
    const connection = await givenConnection(em, { account: owner, ...options });
    const conversion = await givenConversion(em, { account: owner, client: ana, ...sale });
    const feedback = em.create(Feedback, {
      account: owner,
      ...ofConversion(conversion),
      connection,
      ...(registeredAt && { createdAt: registeredAt }),
    });
    await em.persist(feedback).flush();
    await givenParcel(em, feedback);
    return { id: feedback.id, connectionId: connection.id, conversionId: conversion.id };
  },
  /** Due deliveries of a new connection, each in a parcel of its own by default. */
  givenBacklog: async (rows: number, { parcelSize = 1, isTest = false, ...options }: WantedBacklog = {}) => {
    const connection = await givenConnection(database.em(), options);
    const ids = await givenManyFeedback(database, { connection, rows, client: ana, parcelSize, isTest });
    return { ids, connectionId: connection.id };
  },
  /** More due deliveries of an existing connection. */
  givenMore: async (rows: number, connectionId: number, sale: Omit<ManyFeedback, 'connection' | 'rows'> = {}) => {
    const connection = await database.em().findOneOrFail(PlatformConnection, connectionId);
    return givenManyFeedback(database, { connection, rows, client: ana, ...sale });
  },
  /** Ends the pause, or the lease, of the parcels of deliveries. */
  makeDue: async (feedbackIds: readonly number[]): Promise<void> => {
    await database.pool.query(
      `update feedback_due set not_before = now()
       where id in (select parcel_id from feedback where id = any($1))`,
      [feedbackIds],
    );
  },
  stored: (id: number) => database.em().findOneOrFail(Feedback, id),
  attemptsOf: (feedback: number) => database.em().find(FeedbackAttempt, { feedback }, { orderBy: { id: 'asc' } }),
  /** The parcel of a pending delivery. */
  parcelOf: async (id: number): Promise<FeedbackDue> => {
    const { parcelId } = await database.em().findOneOrFail(Feedback, id);
    return database.em().findOneOrFail(FeedbackDue, parcelId ?? 0);
  },
  /** Hints of the parcels of those deliveries that are pending. */
  parcelsOf: async (feedbackIds: readonly number[]): Promise<ParcelHint[]> => {
    const em = database.em();
    const rows = await em.find(Feedback, { id: { $in: [...feedbackIds] }, parcelId: { $ne: null } });
    const parcels = await em.find(FeedbackDue, { id: { $in: rows.map(({ parcelId }) => parcelId ?? 0) } });
    return parcels.map(({ id, connectionId, feedbackIds: ids }) => ({ id, connectionId, size: ids.length }));
  },
});
