import { setTimeout as pause } from 'node:timers/promises';
import {
  givenDatabase,
  givenServer,
  openPatiently,
  secretsKeys,
  type TestDatabase,
  type TestServer,
} from '@leadback/testing';
import { platformSandbox } from '@leadback/platform-sandbox';
import { platformRegistry } from '@leadback/platforms';
import { createLogger, createMetrics } from '@leadback/server/app';
import type { CircuitTuning } from '../src/circuit.ts';
import { deliveryGauges, workerEvents } from '../src/events.ts';
import { type DeliveryOptions, type DeliveryLoop, deliveryLoop } from '../src/consume.ts';
import { defaultHeldLimits, type HeldLimits, quotaLimiter } from '../src/lanes.ts';
import { givenDeliveries } from './given-deliveries.ts';

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
