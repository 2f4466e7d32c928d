import { assertMigrated, assertSecretsKey, isDatabaseUnavailable, openDatabase, openPool } from '@leadback/db';
import { dnsResolver } from '@leadback/core/domains/dns';
import { checkDueDomains } from '@leadback/core/domains/domains';
import { fetchTools } from '@leadback/core/sources/fetch';
import { egressOf } from '@leadback/platforms/address';
import { connectionsPerNetwork, isCsv, serveApp } from '@leadback/server/http';
import { platformRegistry } from '@leadback/platforms';
import { createMetrics, jobs, runApp, startJobs, stopSignal, watchDatabase } from '@leadback/server/app';
import { knownBrowserKeys } from '@leadback/domain/keys';
import { consoleApp } from './app.ts';
import { takeCheckSlot } from './endpoints/connections.ts';
import { consoleContext } from './context.ts';
import { consoleEvents } from './events.ts';
import { cleanUpSessions, workOnRetries } from './jobs.ts';
import { browserCaller } from './sessions/limit-rate.ts';
import { providerOptions } from './sessions/provider.ts';
import { ownHosts, settingsSchema } from './settings.ts';
import { readWebFiles, webFolder } from './web/web.ts';

await runApp({ name: 'console', settings: settingsSchema }, async (settings, log) => {
  const metrics = createMetrics('console');
  const events = consoleEvents(log, metrics);
  const connected = { url: settings.DATABASE_URL, followsPromotions: true };
  // ten together, as every app
  await using database = await openDatabase({ ...connected, applicationName: 'leadback console', connectionsMax: 8 });
  await using ofJobs = await openPool({ ...connected, applicationName: 'leadback console jobs', connectionsMax: 2 });
  await assertMigrated(database);
  await assertSecretsKey(database, settings.SECRETS_KEY);
  watchDatabase(metrics, database, ofJobs.pool);
  const web = readWebFiles(webFolder());
  if (!web) log.warn({ folder: webFolder() }, 'the web part is not built; serving the API of the console alone');
  const dns = dnsResolver();
  await using _jobs = startJobs(
    jobs.console,
    {
      domains: () => checkDueDomains(ofJobs.pool, { landingUrl: settings.LANDING_URL, dns }),
      retries: () => workOnRetries(ofJobs.pool, events),
      sessions: () => cleanUpSessions(ofJobs.pool),
    },
    { log, metrics },
  );
  const listener = consoleApp({
    log,
    trustProxyHops: settings.TRUST_PROXY,
    context: consoleContext(database, {
      secretsKeys: settings.SECRETS_KEY,
      platforms: platformRegistry(settings, { takeSlot: takeCheckSlot(database.pool) }),
      urls: { ...egressOf(settings), ownHosts: ownHosts(settings) },
      landingUrl: settings.LANDING_URL,
      events,
      consoleUrl: settings.CONSOLE_URL,
      provider: providerOptions(settings),
      apiUrl: settings.API_URL,
      fetching: fetchTools(settings),
      dns,
    }),
    web,
    isUnavailable: isDatabaseUnavailable,
  });
  await using _server = await serveApp({
    host: settings.HOST,
    operationsHost: settings.OPERATIONS_HOST,
    operationsPort: settings.OPERATIONS_PORT,
    offered: {
      port: settings.PORT,
      listener,
      mayTakeLong: isCsv,
      perNetwork: connectionsPerNetwork(settings),
      turns: { onOverloaded: events.overloaded, callerOf: browserCaller(knownBrowserKeys(settings.SECRETS_KEY)) },
    },
    metrics,
    checks: [{ name: 'database', isReady: () => database.answers() }],
  });
  log.info({ port: settings.PORT, operationsPort: settings.OPERATIONS_PORT }, 'console is up');
  log.info({ signal: await stopSignal() }, 'stopping');
});
