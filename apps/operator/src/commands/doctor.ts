import { openDatabase } from '@leadback/db';
import { z } from 'zod';
import { entities } from '../entities.ts';
import { command, type OperatorContext } from '../command.ts';
import { type Check, named, runCheck, type Finding, warn } from '../doctor/check.ts';
import {
  checkAccountKeys,
  checkClocks,
  checkDatabase,
  checkFailovers,
  checkIds,
  checkMigrations,
  checkPartitions,
  checkPeriodicJobs,
  checkRoles,
} from '../doctor/database.ts';
import {
  checkBacklog,
  checkConnections,
  checkDestinations,
  checkDomains,
  checkCredentials,
  checkLandingApps,
  checkLandingPages,
  checkRenewals,
  checkSources,
  checkVersions,
  checkVisitorAddresses,
  checkWebhooks,
} from '../doctor/apps.ts';
import { checkBroker } from '../doctor/check-broker.ts';
import { checkAdministrators, checkAlerts, checkBackups, checkKeyCopy, checkPublicUrls } from '../doctor/server.ts';

const databaseChecks: Readonly<Record<string, Check>> = {
  migrations: checkMigrations,
  ids: checkIds,
  failovers: checkFailovers,
  'database roles': checkRoles,
  clocks: checkClocks,
  'landing apps': checkLandingApps,
  'landing pages': checkLandingPages,
  domains: checkDomains,
  'visitor addresses': checkVisitorAddresses,
  connections: checkConnections,
  sources: checkSources,
  destinations: checkDestinations,
  webhooks: checkWebhooks,
  'platform versions': checkVersions,
  credentials: checkCredentials,
  'renewed credentials': checkRenewals,
  'account keys': checkAccountKeys,
  backlog: checkBacklog,
  'attempt partitions': checkPartitions,
  'periodic jobs': checkPeriodicJobs,
  'public URLs': checkPublicUrls,
  backups: checkBackups,
  'copy of SECRETS_KEY': checkKeyCopy,
  alerts: checkAlerts,
  administrators: checkAdministrators,
};

const connectionsMax = 4;

/** Opens its own pool: the operator's has no timeouts and would wait for ever if PostgreSQL does not respond. */
const runDatabaseChecks = async (context: OperatorContext): Promise<readonly Finding[]> => {
  const { databaseUrl: url } = context;
  await using database = await openDatabase({ url, applicationName: 'leadback doctor', connectionsMax, entities });
  const reached = await checkDatabase(database.pool, url);
  const names = Object.keys(databaseChecks).join(', ');
  const first = named('database', reached);
  if (reached.state === 'error')
    return [...first, ...named('the rest', warn(`not checked: ${names}`, 'Fix the database first.'))];
  const findings = await Promise.all(
    Object.entries(databaseChecks).map(([name, check]) =>
      runCheck(name, () => check({ ...context, em: database.em(), pool: database.pool })),
    ),
  );
  return [...first, ...findings.flat()];
};

const states: readonly string[] = ['error', 'warn', 'ok'];

export const doctor = command({
  name: 'doctor',
  summary: 'check everything that Leadback depends on, and print what is wrong and what to do; exit status 1 on errors',
  columns: ['check', 'state', 'finding', 'todo'],
  input: z.object({}),
  async run(_input, context) {
    const [ofDatabase, ofBroker] = await Promise.all([
      runDatabaseChecks(context),
      runCheck('broker', () => checkBroker(context.amqpUrl)),
    ]);
    return [...ofDatabase, ...ofBroker];
  },
  // what is wrong first
  shown: (findings) => findings.toSorted((one, other) => states.indexOf(one.state) - states.indexOf(other.state)),
  isBad: ({ state }) => state === 'error',
});
