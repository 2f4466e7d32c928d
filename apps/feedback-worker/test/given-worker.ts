import { setTimeout as pause } from 'node:timers/promises';
import { type Account, Feedback, FeedbackAttempt, FeedbackDue, PlatformConnection } from '@leadback/db';
import {
  givenAccount,
  givenConnection,
  givenConversion,
  givenDatabase,
  givenManyFeedback,
  givenServer,
  secretsKeys,
  type TestDatabase,
  type TestServer,
} from '@leadback/test-fixtures';
import { platformSandbox } from '@leadback/platform-sandbox';
import type { ParcelHint } from '@leadback/messaging';
import { platformRegistry } from '@leadback/platforms';
import { createLogger, createMetrics } from '@leadback/runtime';
import type { CircuitTuning } from '../src/circuit.ts';
import { deliveryGauges } from '../src/delivery-gauges.ts';
import { workerEvents } from '../src/events.ts';
import { type DeliveryOptions, type FeedbackDelivery, feedbackDelivery } from '../src/feedback-delivery.ts';
import { defaultHeldLimits, type HeldLimits } from '../src/held.ts';
import { quotaLimiter } from '../src/quota-limiter.ts';

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

interface WorkerOptions {
  readonly tuning?: CircuitTuning;
  /** Default: the sandbox. */
  readonly platformUrl?: string;
  /** The platforms' clock. */
  readonly sandboxNow?: () => number;
  /** Whether the platforms' quotas are enforced. */
  readonly hasQuota?: boolean;
  readonly heldLimits?: HeldLimits;
  /** Default: it starts at once. */
  readonly isStarted?: boolean;
}

/** A worker with a database and the sandbox, without a broker. */
export const givenWorker = async ({
  tuning,
  platformUrl,
  sandboxNow = Date.now,
  hasQuota = false,
  heldLimits = defaultHeldLimits,
  isStarted = true,
}: WorkerOptions = {}) => {
  const database: TestDatabase = await givenDatabase();
  const sandbox: TestServer = await givenServer(platformSandbox({ now: sandboxNow }));
  const url = platformUrl ?? sandbox.url;
  const metrics = createMetrics('feedback-worker');
  const deliveries: FeedbackDelivery[] = [];
  const startDelivery = (own: Partial<DeliveryOptions> = {}) => {
    const isFirst = deliveries.length === 0;
    const events = workerEvents(
      createLogger('feedback-worker', 'silent'),
      isFirst ? metrics : createMetrics('feedback-worker'),
    );
    const { pool } = database;
    const delivery = feedbackDelivery({
      pool,
      settlingPool: pool,
      secretsKeys,
      platforms: platformRegistry(
        { PLATFORM_SANDBOX_URL: url },
        hasQuota ? { takeSlot: quotaLimiter(pool, events) } : {},
      ),
      events,
      tuning,
      heldLimits,
      ...own,
    });
    if (isFirst) deliveryGauges(metrics, delivery);
    deliveries.push(delivery);
    return delivery;
  };

  const first = () => {
    const [delivery] = deliveries;
    if (delivery === undefined) throw new Error('the worker is not started');
    return delivery;
  };
  if (isStarted) startDelivery();

  const parcelsOf = async (feedbackIds: readonly number[]): Promise<ParcelHint[]> => {
    const em = database.em();
    const rows = await em.find(Feedback, { id: { $in: [...feedbackIds] }, parcelId: { $ne: null } });
    const parcels = await em.find(FeedbackDue, { id: { $in: rows.map(({ parcelId }) => parcelId ?? 0) } });
    return parcels.map(({ id, connectionId, feedbackIds: ids }) => ({ id, connectionId, size: ids.length }));
  };

  return {
    database,
    sandbox,
    metrics,
    get delivery() {
      return first();
    },
    parcelsOf,
    /** Hands over the hints of deliveries, and waits until the worker holds nothing any more. */
    deliver: async (feedbackIds: readonly number[], by = first()): Promise<void> => {
      await by.takeHints(await parcelsOf(feedbackIds));
      while (by.held() > 0) await pause(5);
    },
    /** Starts the worker, or one more on the same database. */
    startDelivery,
    behave: async (behaviour: {
      platform: string;
      answer: string;
      times?: number;
      delayMs?: number;
      processing?: unknown;
    }): Promise<void> => {
      const body = JSON.stringify(behaviour);
      await fetch(`${sandbox.url}/behaviour`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
    },
    /** A feedback row that is due now. */
    givenFeedback: async ({ account, connection: options, registeredAt, ...sale }: Wanted = {}) => {
      const em = database.em();
      const owner = account ? em.merge(account) : await givenAccount(em);
      const connection = await givenConnection(em, { account: owner, ...options });
      const conversion = await givenConversion(em, { account: owner, client: ana, ...sale });
      const feedback = em.create(Feedback, {
        account: owner,
        conversion,
        connection,
        ...(registeredAt && { createdAt: registeredAt }),
      });
      await em.flush();
      return { id: feedback.id, connectionId: connection.id, conversionId: conversion.id };
    },
    /** Due deliveries of a new connection, each in a parcel of its own by default. */
    givenBacklog: async (rows: number, { parcelSize = 1, isTest = false, ...options }: WantedBacklog = {}) => {
      const connection = await givenConnection(database.em(), options);
      const ids = await givenManyFeedback(database, { connection, rows, client: ana, parcelSize, isTest });
      return { ids, connectionId: connection.id };
    },
    /** Ends the pause, or the lease, of the parcels of deliveries. */
    makeDue: async (feedbackIds: readonly number[]): Promise<void> => {
      await database.pool.query(
        `update feedback_due set not_before = now()
         where id in (select parcel_id from feedback where id = any($1))`,
        [feedbackIds],
      );
    },
    /** The parcel of a pending delivery. */
    parcelOf: async (id: number): Promise<FeedbackDue> => {
      const { parcelId } = await database.em().findOneOrFail(Feedback, id);
      return database.em().findOneOrFail(FeedbackDue, parcelId ?? 0);
    },
    /** More due deliveries of an existing connection. */
    givenMore: async (rows: number, connectionId: number, sale: Omit<ManyFeedback, 'connection' | 'rows'> = {}) => {
      const connection = await database.em().findOneOrFail(PlatformConnection, connectionId);
      return givenManyFeedback(database, { connection, rows, client: ana, ...sale });
    },
    stored: (id: number) => database.em().findOneOrFail(Feedback, id),
    attemptsOf: (feedback: number) => database.em().find(FeedbackAttempt, { feedback }, { orderBy: { id: 'asc' } }),
    async [Symbol.asyncDispose]() {
      for (const delivery of deliveries) await delivery[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
};

export type TestWorker = Awaited<ReturnType<typeof givenWorker>>;
