import { leadRecorder, openDatabase } from '@leadback/db';
import { leadReferenceKey } from '@leadback/domain';
import { serveApp } from '@leadback/http';
import { createMetrics, runApp, stopSignal } from '@leadback/runtime';
import { landingApp } from './app.ts';
import { landingEvents } from './events.ts';
import { findPage } from './find-page.ts';
import { recordVisit } from './record-visit.ts';
import { settingsSchema } from './settings.ts';

await runApp({ name: 'landing', settings: settingsSchema }, async (settings, log) => {
  const metrics = createMetrics('landing');
  const events = landingEvents(log, metrics);
  await using database = await openDatabase({ url: settings.DATABASE_URL, applicationName: 'leadback landing' });
  const listener = landingApp({
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
  let hasReachedDatabase = false;
  // asked until it has been there once: from then on pages are remembered, and taking every instance out of service while
  // it is away would turn visitors away
  const isReady = async () => {
    hasReachedDatabase ||= await database.answers();
    return hasReachedDatabase;
  };
  await using _server = await serveApp({
    host: settings.HOST,
    operationsPort: settings.OPERATIONS_PORT,
    offered: { port: settings.PORT, listener },
    metrics,
    checks: [{ name: 'database', isReady }],
  });
  log.info({ port: settings.PORT, operationsPort: settings.OPERATIONS_PORT }, 'landing is up');
  log.info({ signal: await stopSignal() }, 'stopping');
});
