import { platformNames } from '@leadback/domain';
import { endDeliveriesOfDeleted } from '@leadback/core/connections/delete';
import { endTooOldDeliveries } from '@leadback/core/delivery/too-old';
import { assertMigrated, assertSecretsKey, openDatabase, openPool } from '@leadback/db';
import { serveApp } from '@leadback/server/http';
import { hintConsumer } from '@leadback/server/broker';
import { platformRegistry } from '@leadback/platforms';
import { createMetrics, jobs, runApp, startJobs, stopSignal, watchBroker, watchDatabase } from '@leadback/server/app';
import { deliveryGauges, workerEvents } from './events.ts';
import { deliveryLoop } from './consume.ts';
import { quotaLimiter } from './lanes.ts';
import { requestStatusPoller } from './request-status.ts';
import { settingsSchema } from './settings.ts';

// a hint is acknowledged as soon as its parcels are claimed
const prefetch = 50;

await runApp({ name: 'feedback-worker', settings: settingsSchema }, async (settings, log) => {
  const metrics = createMetrics('feedback-worker');
  const events = workerEvents(log, metrics);
  const connected = {
    url: settings.DATABASE_URL,
    applicationName: 'leadback feedback-worker',
    followsPromotions: true,
  };
  await using database = await openDatabase({ ...connected, connectionsMax: 8, entities: [] });
  await assertMigrated(database);
  await assertSecretsKey(database, settings.SECRETS_KEY);
  await using settling = await openPool({ ...connected, connectionsMax: 2 });
  const { pool } = database;
  const secretsKeys = settings.SECRETS_KEY;
  const platforms = platformRegistry(settings, { takeSlot: quotaLimiter(pool, events) });
  for (const name of platformNames) {
    const { apiVersion } = platforms[name];
    events.versionUsed(name, apiVersion);
  }
  await using delivery = deliveryLoop({
    pool,
    settlingPool: settling.pool,
    secretsKeys,
    platforms,
    events,
    // a worker that cannot claim must not take hints from those that can
    onSweep: (canClaim) => hints.setConsuming(canClaim),
  });
  const checkRequests = requestStatusPoller({ pool, secretsKeys, platforms, events });
  // a check in progress is repeated after its lease
  const ofJobs = { log, metrics, stopMaxMs: 1_000 };
  const runs = {
    'deleted-connections': () => endDeliveriesOfDeleted(pool),
    'request-status': checkRequests,
    'too-old-deliveries': () => endTooOldDeliveries(pool),
  };
  await using _jobs = startJobs(jobs['feedback-worker'], runs, ofJobs);
  await using hints = hintConsumer({
    url: settings.AMQP_URL,
    prefetch,
    handle: (parcels) => delivery.takeHints(parcels),
    onForeignMessage: events.foreignMessageDropped,
    onUp: events.consuming,
    onDown: events.notConsuming,
  });
  watchDatabase(metrics, database, settling.pool);
  watchBroker(metrics, () => hints.isUp());
  deliveryGauges(metrics, delivery);
  await using _server = await serveApp({
    host: settings.HOST,
    operationsHost: settings.OPERATIONS_HOST,
    operationsPort: settings.OPERATIONS_PORT,
    metrics,
    checks: [
      { name: 'broker', isReady: () => hints.isUp() },
      { name: 'database', isReady: () => database.answers() },
    ],
  });
  log.info({ operationsPort: settings.OPERATIONS_PORT }, 'feedback-worker is up');
  log.info({ signal: await stopSignal() }, 'stopping');
  // not when they are disposed: to close the connection to a silent RabbitMQ may take long
  hints.setConsuming(false);
  delivery.stop();
});
