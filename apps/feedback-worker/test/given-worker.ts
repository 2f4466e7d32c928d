import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type Account, Delivery, DeliveryAttempt, DeliveryDue, PlatformConnection } from '@leadback/db';
import { platformSandbox } from '@leadback/platform-sandbox';
import { platformRegistry } from '@leadback/platforms';
import { createLogger, createMetrics } from '@leadback/server/app';
import type { ParcelHint } from '@leadback/server/broker';
import {
  type TestDatabase,
  type TestServer,
  eventually,
  givenAccount,
  givenConnection,
  givenConversion,
  givenDatabase,
  givenManyDeliveries,
  givenParcel,
  givenServer,
  ofConversion,
  openPatiently,
  secretsKeys,
} from '@leadback/testing';
import { z } from 'zod';
import type { CircuitTuning } from '../src/send.ts';
import { deliveryGauges, workerEvents } from '../src/events.ts';
import { type DeliveryOptions, type DeliveryLoop, deliveryLoop } from '../src/consume.ts';
import { defaultHeldLimits, type HeldLimits, quotaLimiter } from '../src/lanes.ts';

interface WorkerOptions {
  readonly tuning?: CircuitTuning;
  /** Default: the sandbox. */
  readonly platformUrl?: string;
  /** The platforms' clock. */
  readonly sandboxNow?: () => number;
  /** Whether the platforms' quotas are enforced. */
  readonly hasQuota?: boolean;
  readonly heldLimits?: HeldLimits;
  /** Whether webhooks may be on this machine. */
  readonly allowLoopback?: boolean;
  /** Default: it starts at once. */
  readonly isStarted?: boolean;
}

interface SandboxBehaviour {
  readonly platform: string;
  readonly answer: string;
  readonly times?: number;
  readonly delayMs?: number;
  readonly processing?: unknown;
}

/** A worker with a database and the sandbox, without a broker. */
export const givenWorker = async ({
  tuning,
  platformUrl,
  sandboxNow = Date.now,
  hasQuota = false,
  heldLimits = defaultHeldLimits,
  allowLoopback = false,
  isStarted = true,
}: WorkerOptions = {}) => {
  const database: TestDatabase = await givenDatabase();
  const { pool, ...reached } = await openPatiently({
    url: database.urlOf('feedback-worker'),
    applicationName: 'worker test',
    entities: [],
  });
  const sandbox: TestServer = await givenServer(platformSandbox({ now: sandboxNow }));
  const url = platformUrl ?? sandbox.url;
  const metrics = createMetrics('feedback-worker');
  const deliveries: DeliveryLoop[] = [];
  const fixtures = givenDeliveries(database);

  const startDelivery = (own: Partial<DeliveryOptions> = {}) => {
    const isFirst = deliveries.length === 0;
    const log = createLogger('feedback-worker', 'silent');
    const events = workerEvents(log, isFirst ? metrics : createMetrics('feedback-worker'));
    const quotas = hasQuota ? { takeSlot: quotaLimiter(pool, events) } : {};
    const delivery = deliveryLoop({
      pool,
      settlingPool: pool,
      secretsKeys,
      platforms: platformRegistry({ PLATFORM_SANDBOX_URL: url, WEBHOOKS_ALLOW_LOOPBACK: allowLoopback }, quotas),
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

  return {
    ...fixtures,
    database,
    /** Of the worker's own role. */
    pool,
    sandbox,
    metrics,
    get delivery() {
      return first();
    },
    /** Hands over the hints of deliveries, and waits until the worker holds nothing any more. */
    deliver: async (deliveryIds: readonly number[], by = first()): Promise<void> => {
      await by.takeHints(await fixtures.parcelsOf(deliveryIds));
      while (by.held() > 0) await pause(5);
    },
    /** Starts the worker, or one more on the same database. */
    startDelivery,
    behave: async (behaviour: SandboxBehaviour): Promise<void> => {
      const body = JSON.stringify(behaviour);
      await fetch(`${sandbox.url}/behaviour`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
    },
    async [Symbol.asyncDispose]() {
      for (const delivery of deliveries) await delivery[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
      await reached[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
};

export type TestWorker = Awaited<ReturnType<typeof givenWorker>>;

type ManyDeliveries = Parameters<typeof givenManyDeliveries>[1];
type WantedConnection = NonNullable<Parameters<typeof givenConnection>[1]>;
type WantedSale = NonNullable<Parameters<typeof givenConversion>[1]>;

interface Wanted extends Pick<WantedSale, 'client' | 'amount' | 'currency' | 'isTest' | 'eventId' | 'occurredAt'> {
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

const sentSchema = z.object({ data: z.array(z.unknown()) });

export const unavailable = { status: 503, body: {} };
export const invalid = { status: 400, body: { error: { code: 100, message: 'Invalid parameter' } } };
export const tooOld = { status: 400, body: { error: { code: 100, error_subcode: 2804003, message: 'Too old' } } };

interface HeldRequest {
  /** The number of events. */
  readonly events: number;
  readonly pixelId: string;
  /** Default: Meta accepts all of them. */
  answer(wanted?: { readonly status: number; readonly body: unknown }): void;
}

/** Meta, with responses that the test decides. `isHeld`: by pixel id; what is not held is accepted at once. */
export const givenHeldPlatform = async (isHeld: (pixelId: string) => boolean = () => true) => {
  const requests: HeldRequest[] = [];
  let isReleased = false;
  const server = await givenServer((request, response) => {
    void json(request).then((sent) => {
      const events = sentSchema.parse(sent).data.length;
      const pixelId = request.url?.split('/').at(-2) ?? '';
      const answer: HeldRequest['answer'] = ({ status, body } = { status: 200, body: { events_received: events } }) => {
        if (!response.writableEnded)
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      requests.push({ events, pixelId, answer });
      if (isReleased || !isHeld(pixelId)) answer();
    });
  });
  return {
    url: server.url,
    requests,
    /** Waits for the request with this index. */
    request: (index: number): Promise<HeldRequest> =>
      eventually(
        () => {
          const request = requests[index];
          if (request === undefined) throw new Error(`there are ${requests.length} requests`);
          return request;
        },
        { interval: 10 },
      ),
    /** Accepts all open requests, and further ones at once. */
    release: () => {
      isReleased = true;
      for (const request of requests) request.answer();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
