import { assertMigrated, assertSecretsKey, openDatabase } from '@leadback/db';
import { connectionsPerNetwork, proxyCheck, serveApp } from '@leadback/server/http';
import { createMetrics, runApp, stopSignal, watchBroker, watchDatabase } from '@leadback/server/app';
import { landingApp } from './app.ts';
import { landingContext } from './context.ts';
import { boundedDisk } from './leads/disk.ts';
import { landingEvents, watchLeadBuffers } from './events.ts';
import { databaseClock, leadStore } from './leads/lead-store.ts';
import { headersMaxBytes, landingLimits } from './limits.ts';
import { allowedDomains } from './pages/domains.ts';
import { entities, keepPages, pageCache, pageFile } from './pages/pages.ts';
import { settingsSchema, temporarySpoolFolder } from './settings.ts';

// some half a million leads, beside a copy of the pages: both fit a disk of 1 GB, as docs/production.md asks for
const spoolBytesMax = 512 * 1024 * 1024;

await runApp({ name: 'landing', settings: settingsSchema }, async (settings, log) => {
  const metrics = createMetrics('landing');
  const events = landingEvents(log, metrics);
  await using database = await openDatabase({
    url: settings.DATABASE_URL,
    applicationName: 'leadback landing',
    followsPromotions: true,
    entities,
  });
  await assertMigrated(database);
  await assertSecretsKey(database, settings.SECRETS_KEY);
  const { LEAD_SPOOL_FOLDER: spoolFolder = temporarySpoolFolder(settings.DATABASE_URL) } = settings;
  if (settings.LEAD_SPOOL_FOLDER === undefined) {
    log.warn({ spoolFolder }, 'LEAD_SPOOL_FOLDER is not set; buffering leads in a temporary folder');
  }
  const disk = boundedDisk();
  const pages = pageCache(database);
  await using _pages = await keepPages({ pages, file: pageFile(spoolFolder, disk), events });
  const proxy = proxyCheck(log, settings.TRUST_PROXY);
  const clock = databaseClock();
  await using leads = await leadStore({
    database,
    amqpUrl: settings.AMQP_URL,
    spoolFolder,
    disk,
    spoolBytesMax,
    secretsKeys: settings.SECRETS_KEY,
    events,
    clock,
    refresh: pages.refresh,
    isIgnoringProxy: proxy.isIgnoringProxy,
    isMissingTls: proxy.isMissingTls,
  });
  watchDatabase(metrics, database);
  watchBroker(metrics, () => leads.isBrokerUp());
  watchLeadBuffers(metrics, leads, spoolBytesMax);
  const listener = landingApp({
    log,
    trustProxyHops: settings.TRUST_PROXY,
    proxyCheck: proxy,
    context: landingContext({
      database,
      secretsKeys: settings.SECRETS_KEY,
      pages,
      clock,
      storeLead: leads.store,
      limits: landingLimits({ lead: { perSecond: settings.LEAD_RATE, burst: settings.LEAD_BURST } }),
      events,
    }),
  });
  await using _server = await serveApp({
    host: settings.HOST,
    operationsHost: settings.OPERATIONS_HOST,
    operationsPort: settings.OPERATIONS_PORT,
    offered: { port: settings.PORT, listener, headersMaxBytes, perNetwork: connectionsPerNetwork(settings) },
    metrics,
    // landing serves its pages without PostgreSQL: if /ready failed then, every visitor would be turned away
    checks: [{ name: 'pages', isReady: pages.isRead }],
    routes: allowedDomains(pages.domains),
  });
  log.info({ port: settings.PORT, operationsPort: settings.OPERATIONS_PORT }, 'landing is up');
  log.info({ signal: await stopSignal() }, 'stopping');
});
