import { assertMigrated, assertSecretsKey, isDatabaseUnavailable, contactCipher } from '@leadback/db';
import { egressOf } from '@leadback/platforms/address';
import { erasureTools } from '@leadback/core/erasure/perform-erasure';
import { connectionsPerNetwork, isCsv, serveApp } from '@leadback/server/http';
import { itemRegistrars } from '@leadback/core/imports/work';
import { erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { fetchTools } from '@leadback/core/sources/fetch';
import { refusalCounter } from '@leadback/core/sources/refusals';
import { hintPublisher } from '@leadback/server/broker';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { createMetrics, jobs, runApp, startJobs, stopSignal, watchBroker, watchDatabase } from '@leadback/server/app';
import { acceptedLog } from '@leadback/core/accepted';
import { apiKeyCache, keyedCaller } from './authenticate.ts';
import { apiApp } from './app.ts';
import { apiContext } from './context.ts';
import { announcer, apiEvents } from './events.ts';
import { openPools } from './pools.ts';
import { ownHosts, settingsSchema } from './settings.ts';
import { apiJobs, backlogGauges } from './jobs.ts';

await runApp({ name: 'api', settings: settingsSchema }, async (settings, log) => {
  const metrics = createMetrics('api');
  const events = apiEvents(log, metrics);
  await using pools = await openPools(settings.DATABASE_URL);
  const { database, intake } = pools;
  await assertMigrated(database);
  await assertSecretsKey(database, settings.SECRETS_KEY);
  await using publisher = hintPublisher({
    url: settings.AMQP_URL,
    onUp: events.brokerUp,
    onDown: events.brokerDown,
  });
  watchDatabase(metrics, database, ...pools.others);
  watchBroker(metrics, () => publisher.isUp());
  const announce = announcer({ publisher, events });
  const contacts = contactCipher(settings.SECRETS_KEY);
  const accepted = acceptedLog();
  const refusals = refusalCounter();
  const context = apiContext({
    database,
    intake,
    jobs: pools.jobs,
    secretsKeys: settings.SECRETS_KEY,
    contacts,
    ofWebhooks: { ...egressOf(settings), ownHosts: ownHosts(settings) },
    announce,
    events,
    accepted,
    refusals,
  });
  const runs = apiJobs({
    jobs: pools.jobs,
    erasures: pools.erasures,
    contacts,
    register: itemRegistrars(leadReferenceKeys(settings.SECRETS_KEY), contacts),
    announce,
    accepted,
    refusals,
    tools: erasureTools(settings.SECRETS_KEY, settings.BACKUPS_KEPT_DAYS),
    backlog: backlogGauges(metrics),
    sources: {
      secretsKeys: settings.SECRETS_KEY,
      referenceKeys: leadReferenceKeys(settings.SECRETS_KEY),
      erasureKeys: erasureKeys(settings.SECRETS_KEY),
      contacts,
      announce,
      fetching: fetchTools(settings),
    },
    events,
  });
  await using _jobs = startJobs(jobs.api, runs, { log, metrics });
  const keys = apiKeyCache(intake, events.keyUseNotNoted);
  const listener = apiApp({
    log,
    trustProxyHops: settings.TRUST_PROXY,
    isUnavailable: isDatabaseUnavailable,
    onOverloaded: events.overloaded,
    keys,
    context,
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
      turns: { onOverloaded: events.overloaded, callerOf: keyedCaller(keys) },
    },
    metrics,
    checks: [{ name: 'database', isReady: () => database.answers() }],
  });
  log.info({ port: settings.PORT, operationsPort: settings.OPERATIONS_PORT }, 'api is up');
  log.info({ signal: await stopSignal() }, 'stopping');
});
