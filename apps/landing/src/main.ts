import { leadRecorder, openDatabase } from '@leadback/db';
import { leadReferenceKey } from '@leadback/domain';
import { operationsApp, serve } from '@leadback/http';
import { createMetrics, runApp, stopSignal } from '@leadback/runtime';
import { landingApp } from './app.ts';
import { landingEvents } from './events.ts';
import { findPage } from './find-page.ts';
import { recordVisit } from './record-visit.ts';
import { settingsSchema } from './settings.ts';

const drainMs = 1_500;

await runApp({ name: 'landing', settings: settingsSchema }, async (settings, log) => {
  const metrics = createMetrics('landing');
  const events = landingEvents(log, metrics);
  await using database = await openDatabase({ url: settings.DATABASE_URL, applicationName: 'leadback landing' });
  let isDraining = false;
  let hasReachedDatabase = false;
  const checks = [
    { name: 'serving', isReady: () => !isDraining },
    {
      name: 'database',
      // asked until it has been there once: from then on pages are remembered, and taking every instance out of service
      // while it is away would turn visitors away
      isReady: async () => {
        if (!hasReachedDatabase) hasReachedDatabase = (await database.pool.query('select 1')).rowCount === 1;
        return hasReachedDatabase;
      },
    },
  ];
  const operations = operationsApp({ metrics, checks });
  await using _operations = await serve(operations, { host: settings.HOST, port: settings.OPERATIONS_PORT });
  const app = landingApp({
    log,
    trustProxyHops: settings.TRUST_PROXY,
    events,
    findPage: findPage(database),
    recordVisit: recordVisit({
      record: leadRecorder(database.pool),
      referenceKey: leadReferenceKey(settings.SECRETS_KEY),
      events,
    }),
  });
  await using _server = await serve(app, {
    host: settings.HOST,
    port: settings.PORT,
    drainMs,
    onDraining: () => {
      isDraining = true;
    },
  });
  log.info({ port: settings.PORT, operationsPort: settings.OPERATIONS_PORT }, 'landing is up');
  log.info({ signal: await stopSignal() }, 'stopping');
});
