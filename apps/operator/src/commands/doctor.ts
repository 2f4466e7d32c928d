import { openDatabase } from '@leadback/db';
import { z } from 'zod';
import { entities } from '../entities.ts';
import { command, type OperatorContext } from '../command.ts';
import { type Check, runCheck } from '../doctor/check.ts';
import { checkAccountKeys } from '../doctor/check-account-keys.ts';
import { checkBacklog } from '../doctor/check-backlog.ts';
import { checkBroker } from '../doctor/check-broker.ts';
import { checkClocks } from '../doctor/check-clocks.ts';
import { checkConnections } from '../doctor/check-connections.ts';
import { checkCredentials } from '../doctor/check-credentials.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { checkFailovers } from '../doctor/check-failovers.ts';
import { checkIds } from '../doctor/check-ids.ts';
import { checkLandingApps } from '../doctor/check-landing-apps.ts';
import { checkLandingPages } from '../doctor/check-landing-pages.ts';
import { checkMigrations } from '../doctor/check-migrations.ts';
import { checkPartitions } from '../doctor/check-partitions.ts';
import { checkRoles } from '../doctor/check-roles.ts';
import { checkWebhooks } from '../doctor/check-webhooks.ts';
import { type Finding, warn } from '../doctor/finding.ts';

const databaseChecks: Readonly<Record<string, Check>> = {
  migrations: checkMigrations,
  ids: checkIds,
  failovers: checkFailovers,
  'database roles': checkRoles,
  clocks: checkClocks,
  'landing apps': checkLandingApps,
  'landing pages': checkLandingPages,
  connections: checkConnections,
  webhooks: checkWebhooks,
  credentials: checkCredentials,
  'account keys': checkAccountKeys,
  backlog: checkBacklog,
  'attempt partitions': checkPartitions,
};

const connectionsMax = 4;

/** Opens its own pool: the operator's has no timeouts and would wait for ever if PostgreSQL does not respond. */
const runDatabaseChecks = async (context: OperatorContext): Promise<readonly Finding[]> => {
  const { databaseUrl: url } = context;
  await using database = await openDatabase({ url, applicationName: 'leadback doctor', connectionsMax, entities });
  const reached = await checkDatabase(database.em(), url);
  const names = Object.keys(databaseChecks).join(', ');
  if (reached.state === 'error') return [reached, warn('the rest', `not checked: ${names}`, 'Fix the database first.')];
  const findings = await Promise.all(
    Object.entries(databaseChecks).map(([name, check]) =>
      runCheck(name, () => check({ ...context, em: database.em(), pool: database.pool })),
    ),
  );
  return [reached, ...findings.flat()];
};

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
  isBad: ({ state }) => state === 'error',
});
