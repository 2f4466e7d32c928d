import { openDatabase } from '@leadback/db';
import { consentRequestKeys, leadReferenceKeys } from '@leadback/domain';
import { proxyCheck, serveApp } from '@leadback/http';
import { createMetrics, runApp, stopSignal, watchBroker, watchDatabase } from '@leadback/runtime';
import { landingApp } from './app.ts';
import { landingEvents } from './events.ts';
import { leadStore } from './leads/lead-store.ts';
import { watchDeadLeads } from './leads/watch-dead-leads.ts';
import { imageCache } from './pages/image-cache.ts';
import { pageCache } from './pages/page-cache.ts';
import { pagePreview } from './pages/page-preview.ts';
import { settingsSchema, temporarySpoolFolder } from './settings.ts';

await runApp({ name: 'landing', settings: settingsSchema }, async (settings, log) => {
  const metrics = createMetrics('landing');
  const events = landingEvents(log, metrics);
  await using database = await openDatabase({ url: settings.DATABASE_URL, applicationName: 'leadback landing' });
  const { LEAD_SPOOL_FOLDER: spoolFolder = temporarySpoolFolder(settings.DATABASE_URL) } = settings;
  if (settings.LEAD_SPOOL_FOLDER === undefined) {
    log.warn({ spoolFolder }, 'LEAD_SPOOL_FOLDER is not set: leads that wait on disk are kept among temporary files');
  }
  const book = pageCache(database);
  const proxy = proxyCheck(log, settings.TRUST_PROXY);
  await using desk = await leadStore({
    database,
    amqpUrl: settings.AMQP_URL,
    spoolFolder,
    secretsKeys: settings.SECRETS_KEY,
    events,
    refresh: book.refresh,
    isIgnoringProxy: proxy.isIgnoringProxy,
  });
  watchDatabase(metrics, database);
  watchBroker(metrics, () => desk.isBrokerUp());
  watchDeadLeads(metrics, () => desk.deadLeads());
  const listener = landingApp({
    log,
    trustProxyHops: settings.TRUST_PROXY,
    proxyCheck: proxy,
    findPage: book.find,
    findPreview: pagePreview(database, settings.SECRETS_KEY),
    findImage: imageCache(database),
    storeLead: desk.keep,
    referenceKeys: leadReferenceKeys(settings.SECRETS_KEY),
    consentKeys: consentRequestKeys(settings.SECRETS_KEY),
    events,
  });
  await using _server = await serveApp({
    host: settings.HOST,
    operationsPort: settings.OPERATIONS_PORT,
    offered: { port: settings.PORT, listener },
    metrics,
    // once the pages have been read the database may go: taking every instance out of service would turn visitors away
    checks: [{ name: 'database', isReady: book.isRead }],
  });
  log.info({ port: settings.PORT, operationsPort: settings.OPERATIONS_PORT }, 'landing is up');
  log.info({ signal: await stopSignal() }, 'stopping');
});
