import { isDatabaseUnavailable, openDatabase } from '@leadback/db';
import { operationsApp, serve } from '@leadback/http';
import { feedbackPublisher } from '@leadback/messaging';
import { createMetrics, runApp, stopSignal } from '@leadback/runtime';
import { apiApp } from './app.ts';
import { apiEvents } from './events.ts';
import { feedbackRelay } from './feedback-relay.ts';
import { settingsSchema } from './settings.ts';
import { useCases } from './use-cases/index.ts';

const drainMs = 1_500;

await runApp({ name: 'api', settings: settingsSchema }, async (settings, log) => {
  const metrics = createMetrics('api');
  const events = apiEvents(log, metrics);
  await using database = await openDatabase({ url: settings.DATABASE_URL, applicationName: 'leadback api' });
  await using publisher = feedbackPublisher({
    url: settings.AMQP_URL,
    onUp: events.brokerUp,
    onDown: events.brokerDown,
  });
  await using _relay = feedbackRelay({ pool: database.pool, publisher, events });
  let isDraining = false;
  const checks = [
    { name: 'serving', isReady: () => !isDraining },
    { name: 'database', isReady: async () => (await database.pool.query('select 1')).rowCount === 1 },
  ];
  const operations = operationsApp({ metrics, checks });
  await using _operations = await serve(operations, { host: settings.HOST, port: settings.OPERATIONS_PORT });
  const app = apiApp({
    log,
    trustProxyHops: settings.TRUST_PROXY,
    isUnavailable: isDatabaseUnavailable,
    context: { ...useCases({ pool: database.pool, secretsKey: settings.SECRETS_KEY }), publisher, events },
  });
  await using _server = await serve(app, {
    host: settings.HOST,
    port: settings.PORT,
    drainMs,
    onDraining: () => {
      isDraining = true;
    },
  });
  log.info({ port: settings.PORT, operationsPort: settings.OPERATIONS_PORT }, 'api is up');
  log.info({ signal: await stopSignal() }, 'stopping');
});
