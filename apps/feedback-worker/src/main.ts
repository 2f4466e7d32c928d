import { openDatabase } from '@leadback/db';
import { serveApp } from '@leadback/http';
import { feedbackConsumer } from '@leadback/messaging';
import { platformRegistry } from '@leadback/platforms';
import { createMetrics, runApp, stopSignal, watchBroker, watchDatabase } from '@leadback/runtime';
import { workerEvents } from './events.ts';
import { feedbackDelivery } from './feedback-delivery.ts';
import { quotaLimiter } from './quota-limiter.ts';
import { settingsSchema } from './settings.ts';
import { requestStatusPoller } from './request-status-poller.ts';
import { openCircuitGauge } from './open-circuit-gauge.ts';

// enough to fill a batch for every busy connection; RabbitMQ's documentation recommends 100 to 300
const prefetch = 200;

await runApp({ name: 'feedback-worker', settings: settingsSchema }, async (settings, log) => {
  const metrics = createMetrics('feedback-worker');
  const events = workerEvents(log, metrics);
  await using database = await openDatabase({
    url: settings.DATABASE_URL,
    applicationName: 'leadback feedback-worker',
  });
  const platforms = platformRegistry(settings, { takeSlot: quotaLimiter(database.pool, events) });
  await using delivery = feedbackDelivery({
    pool: database.pool,
    secretsKeys: settings.SECRETS_KEY,
    platforms,
    events,
  });
  await using _poller = requestStatusPoller({
    pool: database.pool,
    secretsKeys: settings.SECRETS_KEY,
    platforms,
    events,
  });
  await using consumer = feedbackConsumer({
    url: settings.AMQP_URL,
    prefetch,
    handle: (feedback) => delivery.handle(feedback),
    onForeignMessage: events.foreignMessageDropped,
    onUp: events.consuming,
    onDown: events.notConsuming,
  });
  watchDatabase(metrics, database);
  watchBroker(metrics, () => consumer.isUp());
  openCircuitGauge(metrics, () => delivery.openCircuits());
  await using _server = await serveApp({
    host: settings.HOST,
    operationsPort: settings.OPERATIONS_PORT,
    metrics,
    checks: [
      { name: 'broker', isReady: () => consumer.isUp() },
      { name: 'database', isReady: () => database.answers() },
    ],
  });
  log.info({ operationsPort: settings.OPERATIONS_PORT }, 'feedback-worker is up');
  log.info({ signal: await stopSignal() }, 'stopping');
  delivery.stop();
});
