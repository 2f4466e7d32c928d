// `npm start`: installs and starts everything on this machine, and demonstrates it with one visitor.
import { migrate } from '@leadback/db';
import {
  asBrokerUser,
  asDatabaseRole,
  type DatabaseRole,
  databaseRoles,
  type LocalServer,
  leadbackAppNames,
  localUrl,
  type Surroundings,
  serversOf,
  startLeadbackApp,
  startPostgres,
  startRabbitmq,
} from '@leadback/testing/stack';
import {
  buildWeb,
  dataFolder,
  leadSpoolFolder,
  logFolder,
  postgresFolder,
  prepareDataFolder,
  rabbitmqFolder,
  root,
  sandboxEventsFile,
  storedSecretsKey,
  type Running,
  readRunning,
  removeRunning,
  writeRunning,
} from './start/data-folder.ts';
import {
  demoAccount,
  demoPerson,
  startDemoShop,
  demonstrate,
  demoWebhook,
  nextCode,
  resumeDemoWebhook,
} from './start/demo.ts';
import { connectShops, demoSources, type DemoSources, shopUrls } from './start/demo-shops.ts';
import { inventedAccount } from './start/invented-history.ts';
import { keepRunning, type Runs } from './start/keep-running.ts';
import { readWords, refuse } from './read-options.ts';
import {
  assertPortsFree,
  assertServersReached,
  portsOf,
  openTelemetrySettings,
  readSettings,
} from './start/settings.ts';
import { welcome } from './start/welcome.ts';

const usage = `npm start                 starts everything on this machine, and shows it with one visitor and an invented shop;
                          Ctrl-C stops it
npm start -- --fresh      the same, without the data of earlier starts, which it deletes
npm start -- --code       prints the code with which the running one lets you sign in to its console

Settings (environment): LANDING_PORT, API_PORT, SHOP_PORT, SANDBOX_PORT, CONSOLE_PORT and OPERATIONS_PORT_BASE (four ports)
move the ports; with DATABASE_URL or AMQP_URL it starts no such server; LEADBACK_FOLDER is where its data are.`;

const isOn = { type: 'boolean', default: false } as const;
const { values: options } = readWords({ options: { fresh: isOn, code: isOn } }, usage);

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Starts everything; `started` receives what has to be stopped. */
const start = async (started: AsyncDisposableStack): Promise<void> => {
  const settings = readSettings();
  const ports = portsOf(settings);
  await assertPortsFree(ports);
  await assertServersReached(settings);
  await prepareDataFolder({ isFresh: options.fresh });

  const pids: Record<string, number> = {};
  let running: Running | undefined;
  const note = (name: string, pid: number) => {
    pids[name] = pid;
    if (running) writeRunning(running);
  };
  const keep = <Kept extends Runs>(name: string, kept: Kept, startAgain: () => Promise<Kept>) => {
    note(name, kept.pid);
    started.use(keepRunning({ name, running: kept, startAgain, onStartedAgain: (pid) => note(name, pid), say }));
  };
  const keepServer = (name: string, server: LocalServer) => {
    keep(name, server, async () => {
      await server.start();
      return server;
    });
    return server.url;
  };

  // the apps use the socket, which no other user reaches; tools that only know TCP have it
  const givenUrl = settings.DATABASE_URL;
  const [{ url: databaseUrl, socketUrl }, amqpUrl] = await Promise.all([
    givenUrl === undefined
      ? startPostgres({ dir: postgresFolder, log: say }).then((server) => {
          keepServer('postgres', server);
          return server;
        })
      : { url: givenUrl, socketUrl: givenUrl },
    settings.AMQP_URL ??
      startRabbitmq({ dir: rabbitmqFolder, log: say }).then((server) => keepServer('rabbitmq', server)),
    buildWeb(),
  ]);
  // may be left over from a killed start; the folders of the servers are claimed by now
  removeRunning();
  // external servers have a single role and user for everything
  const as = (role: DatabaseRole) => givenUrl ?? asDatabaseRole(socketUrl, role);
  const external = {
    ...(givenUrl !== undefined && { databaseUrl: givenUrl }),
    ...(settings.AMQP_URL && { amqpUrl: settings.AMQP_URL }),
  };
  say('Migrating the database …');
  await migrate(as('leadback_owner'));

  say('Starting landing, api, feedback-worker, console and platform-sandbox …');
  const secretsKey = settings.SECRETS_KEY ?? storedSecretsKey();
  const operatorUrl = as(databaseRoles.console);
  const around: Surroundings = {
    root,
    databaseUrl: operatorUrl,
    amqpUrl,
    secretsKey,
    logFolder,
    leadSpoolFolder,
    sandboxEventsFile,
    // the webhook of the shop is on this machine
    settings: {
      ...openTelemetrySettings(),
      WEBHOOKS_ALLOW_LOOPBACK: 'true',
      // in which sources look up what a message only names
      TIENDANUBE_API_URL: localUrl(ports.sandbox),
      TIENDANUBE_APPS_API_URL: localUrl(ports.sandbox),
      MERCADOPAGO_API_URL: localUrl(ports.sandbox),
      ...(settings.ALLOW_UNENCRYPTED_SERVERS && { ALLOW_UNENCRYPTED_SERVERS: settings.ALLOW_UNENCRYPTED_SERVERS }),
      ...(settings.ALLOW_UNVERIFIED_SERVERS && { ALLOW_UNVERIFIED_SERVERS: settings.ALLOW_UNVERIFIED_SERVERS }),
    },
    ports,
  };
  const shopUrl = `${localUrl(ports.shop)}/offer`;
  const operator = {
    databaseUrl: operatorUrl,
    secretsKey,
    landingUrl: localUrl(ports.landing),
    apiUrl: localUrl(ports.api),
    consoleUrl: localUrl(ports.console),
  };
  let sources: DemoSources = {};
  await Promise.all(
    leadbackAppNames.map(async (name) => {
      const its = { ...around, ...serversOf(name, { databaseUrl: socketUrl, amqpUrl }), ...external };
      const startApp = async () => {
        const app = await startLeadbackApp(name, its);
        if (name === 'sandbox') await connectShops(localUrl(ports.sandbox), localUrl(ports.api), sources);
        return app;
      };
      keep(name, await startApp(), startApp);
    }),
  );

  say('Setting up the account to try …');
  const api = `${localUrl(ports.api)}/api/v1`;
  const person = demoPerson(operator);
  const demo = await demoAccount({
    ...operator,
    database: givenUrl ?? 'our own',
    shopUrl,
    isKnown: async (apiKey) => (await fetch(api, { headers: { 'x-api-key': apiKey } })).ok,
  });

  sources = await demoSources(operator, demo);
  await connectShops(localUrl(ports.sandbox), localUrl(ports.api), sources);

  const inventing = inventedAccount({ ...operator, ownerDatabaseUrl: as('leadback_owner'), shopUrl });
  inventing.catch(() => {}); // awaited below
  const asShop = { apiUrl: api, apiKey: demo.apiKey };
  const webhook = await demoWebhook(asShop, `${localUrl(ports.shop)}/leadback-webhook`);
  const { woocommerce: woocommerceUrl } = shopUrls(localUrl(ports.sandbox));
  const startShop = () => startDemoShop({ port: ports.shop, ...asShop, webhookSecret: webhook.secret, woocommerceUrl });
  keep('shop', await startShop(), startShop);
  await resumeDemoWebhook(asShop, webhook);

  await demonstrate({ apiUrl: api, sandboxUrl: localUrl(ports.sandbox), demo, webhook, say });

  running = {
    landing: localUrl(ports.landing),
    api,
    sandbox: localUrl(ports.sandbox),
    shop: localUrl(ports.shop),
    shops: shopUrls(localUrl(ports.sandbox)),
    console: localUrl(ports.console),
    operations: {
      landing: localUrl(ports.operations.landing),
      api: localUrl(ports.operations.api),
      'feedback-worker': localUrl(ports.operations['feedback-worker']),
      console: localUrl(ports.operations.console),
    },
    databaseUrl,
    amqpUrl,
    operator: {
      databaseUrl: operatorUrl,
      ownerDatabaseUrl: as('leadback_owner'),
      amqpUrl: settings.AMQP_URL ?? asBrokerUser(amqpUrl, 'operator'),
    },
    secretsKey,
    pids,
    demo: {
      accountId: demo.accountId,
      apiKey: demo.apiKey,
      testKey: demo.testKey,
      landingPage: demo.landingPage,
      directPage: demo.directPage,
      console: await person,
      invented: await inventing,
    },
  };
  writeRunning(running);
  started.defer(() => {
    running = undefined;
    removeRunning();
  });
  say(welcome(running));
};

if (options.code) {
  const running = readRunning();
  if (!running) refuse(`nothing runs in ${dataFolder}: npm start`);
  else say(nextCode(running.demo.console.secondFactor));
  process.exit();
}

const timeoutMs = 30_000;
const asked = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      resolve();
      // the exit of this process kills what is still running
      setTimeout(() => process.exit(1), timeoutMs).unref();
    });
  }
});
const started = new AsyncDisposableStack();
try {
  await Promise.race([start(started).then(() => asked), asked]);
  say('\nStopping …');
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
await started.disposeAsync();
process.exit();
