import { isDatabaseUnavailable, openDatabase } from '@leadback/db';
import { serveApp } from '@leadback/http';
import { feedbackPublisher } from '@leadback/messaging';
import { createMetrics, runApp, stopSignal } from '@leadback/runtime';
import { apiApp } from './app.ts';
import { apiEvents } from './events.ts';
import { feedbackRelay } from './feedback-relay.ts';
import { settingsSchema } from './settings.ts';
import { useCases } from './use-cases/index.ts';

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
  const listener = apiApp({
    log,
    trustProxyHops: settings.TRUST_PROXY,
    isUnavailable: isDatabaseUnavailable,
    context: { ...useCases({ pool: database.pool, secretsKey: settings.SECRETS_KEY }), publisher, events },
  });
  await using _server = await serveApp({
    host: settings.HOST,
    operationsPort: settings.OPERATIONS_PORT,
    offered: { port: settings.PORT, listener },
    metrics,
    checks: [{ name: 'database', isReady: () => database.answers() }],
  });
  log.info({ port: settings.PORT, operationsPort: settings.OPERATIONS_PORT }, 'api is up');
  log.info({ signal: await stopSignal() }, 'stopping');
});
