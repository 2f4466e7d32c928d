import { setTimeout as pause } from 'node:timers/promises';
import { type Account, Feedback, FeedbackAttempt, PlatformConnection } from '@leadback/db';
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
import { workerEvents } from '../src/events.ts';
import { type FeedbackDelivery, feedbackDelivery } from '../src/feedback-delivery.ts';

interface Wanted {
  readonly account?: Account;
  readonly connection?: Parameters<typeof givenConnection>[1];
  readonly client?: NonNullable<Parameters<typeof givenConversion>[1]>['client'];
  readonly isTest?: boolean;
}

const ana = { email: 'ana@x.example' };

interface WorkerOptions {
  readonly tuning?: CircuitTuning;
  /** Default: the sandbox. */
  readonly platformUrl?: string;
  /** The platforms' clock. */
  readonly sandboxNow?: () => number;
}

/** A worker with a database and the sandbox, without a broker. */
export const givenWorker = async ({ tuning, platformUrl, sandboxNow = Date.now }: WorkerOptions = {}) => {
  const database: TestDatabase = await givenDatabase();
  const sandbox: TestServer = await givenServer(platformSandbox({ now: sandboxNow }));
  const url = platformUrl ?? sandbox.url;
  const metrics = createMetrics('feedback-worker');
  const deliveries: FeedbackDelivery[] = [];
  const startDelivery = () => {
    const delivery = feedbackDelivery({
      pool: database.pool,
      settlingPool: database.pool,
      secretsKeys,
      platforms: platformRegistry({ PLATFORM_SANDBOX_URL: url }),
      events: workerEvents(
        createLogger('feedback-worker', 'silent'),
        deliveries.length > 0 ? createMetrics('feedback-worker') : metrics,
      ),
      tuning,
    });
    deliveries.push(delivery);
    return delivery;
  };

  const first = startDelivery();
  const parcelsOf = async (feedbackIds: readonly number[]): Promise<ParcelHint[]> => {
    const rows = await database.em().find(Feedback, { id: { $in: [...feedbackIds] }, parcelId: { $ne: null } });
    return rows.map(({ parcelId, connection }) => ({ id: parcelId ?? 0, connectionId: connection.id, size: 1 }));
  };

  return {
    database,
    sandbox,
    metrics,
    delivery: first,
    parcelsOf,
    /** Hands over the hints of deliveries, and waits until the worker holds nothing any more. */
    deliver: async (feedbackIds: readonly number[], by = first): Promise<void> => {
      await by.takeHints(await parcelsOf(feedbackIds));
      while (by.held() > 0) await pause(5);
    },
    /** Starts one more worker on the same database. */
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
    givenFeedback: async ({ account, connection: options, client, isTest = false }: Wanted = {}) => {
      const em = database.em();
      const owner = account ? em.merge(account) : await givenAccount(em);
      const connection = await givenConnection(em, { account: owner, ...options });
      const conversion = await givenConversion(em, {
        account: owner,
        client: client ?? ana,
        isTest,
      });
      const feedback = em.create(Feedback, { account: owner, conversion, connection });
      await em.flush();
      return { id: feedback.id, connectionId: connection.id };
    },
    givenBacklog: async (count: number, options: Parameters<typeof givenConnection>[1] = {}) => {
      const connection = await givenConnection(database.em(), options);
      const ids = await givenManyFeedback(database, { connection, rows: count, client: ana });
      return { ids, connectionId: connection.id };
    },
    /** More feedback rows of an existing connection. */
    givenMore: async (count: number, connectionId: number, client: Wanted['client'] = ana): Promise<number[]> => {
      const connection = await database.em().findOneOrFail(PlatformConnection, connectionId);
      return givenManyFeedback(database, { connection, rows: count, client });
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
