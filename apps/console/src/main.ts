import { assertMigrated, assertSecretsKey, isDatabaseUnavailable, openDatabase } from '@leadback/db';
import { egressOf } from '@leadback/platforms/address';
import { connectionsPerNetwork, isCsv, serveApp } from '@leadback/server/http';
import { platformRegistry } from '@leadback/platforms';
import { createMetrics, runApp, stopSignal, watchDatabase } from '@leadback/server/app';
import { knownBrowserKeys } from '@leadback/domain/keys';
import { consoleApp } from './app.ts';
import { takeCheckSlot } from './connections.ts';
import { consoleContext } from './context.ts';
import { consoleEvents } from './events.ts';
import { taskRunner } from './retry/task-runner.ts';
import { sessionCleanup } from './session-cleanup.ts';
import { browserCaller } from './sessions/limit-rate.ts';
import { providerOptions } from './sessions/provider.ts';
import { ownHosts, settingsSchema } from './settings.ts';
import { readWebFiles, webFolder } from './web/web.ts';

await runApp({ name: 'console', settings: settingsSchema }, async (settings, log) => {
  const metrics = createMetrics('console');
  const events = consoleEvents(log, metrics);
  await using database = await openDatabase({
    url: settings.DATABASE_URL,
    applicationName: 'leadback console',
    followsPromotions: true,
  });
  await assertMigrated(database);
  await assertSecretsKey(database, settings.SECRETS_KEY);
  watchDatabase(metrics, database);
  const web = readWebFiles(webFolder());
  if (!web) log.warn({ folder: webFolder() }, 'the web part is not built; serving the API of the console alone');
  await using _tasks = taskRunner(database, events);
  await using _cleanup = sessionCleanup(database.pool, events);
  const listener = consoleApp({
    log,
    trustProxyHops: settings.TRUST_PROXY,
    consoleUrl: settings.CONSOLE_URL,
    context: consoleContext({
      database,
      secretsKeys: settings.SECRETS_KEY,
      platforms: platformRegistry(settings, { takeSlot: takeCheckSlot(database) }),
      ofWebhooks: { ...egressOf(settings), ownHosts: ownHosts(settings) },
      landingUrl: settings.LANDING_URL,
      events,
      consoleUrl: settings.CONSOLE_URL,
      provider: providerOptions(settings),
      apiUrl: settings.API_URL,
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
