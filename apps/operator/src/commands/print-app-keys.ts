import { type KeyedApp, keyedApps, masterKeysSchema, writeAppKeys } from '@leadback/secrets';
import { parseEnv } from '@leadback/runtime';
import { z } from 'zod';
import { audit } from '@leadback/people';
import { openDatabase } from '@leadback/db';
import { command, type Environment } from '../command.ts';
import { entities } from '../entities.ts';
import { describeError } from '../describe-error.ts';
import { OperatorError } from '../operator-error.ts';

const inputSchema = z.object({ app: z.enum(keyedApps).optional() });

/** As docker-compose.yml reads it. */
const variableOf = (app: KeyedApp) => `${app.toUpperCase().replaceAll('-', '_')}_SECRETS_KEY`;

const auditPrinted = async (apps: readonly KeyedApp[], { DATABASE_URL: url }: NodeJS.ProcessEnv, actor: string) => {
  if (url === undefined || url === '') throw new OperatorError('DATABASE_URL is not set');
  await using database = await openDatabase({
    url,
    applicationName: 'leadback operator',
    connectionsMax: 1,
    allowsStandby: true,
    entities,
  });
  await audit(database.em(), { actor, action: 'secrets.printed', target: 'SECRETS_KEY', details: { apps } });
};

const print = async ({ app }: z.output<typeof inputSchema>, { env, stderr, actor }: Environment) => {
  const settings = parseEnv(z.object({ SECRETS_KEY: masterKeysSchema }), env);
  if (typeof settings === 'string') throw new OperatorError(settings);
  const apps = app === undefined ? keyedApps : [app];
  // a new installation needs the keys before it has a database
  await auditPrinted(apps, env, actor).catch((error: unknown) => {
    stderr.write(`The audit log has no entry of these keys: ${describeError(error).split('\n', 1)[0]}\n`);
  });
  return apps.map((one) => ({
    app: one,
    variable: variableOf(one),
    keys: writeAppKeys(settings.SECRETS_KEY, one),
  }));
};

type Printed = Awaited<ReturnType<typeof print>>;

export const printAppKeys = command({
  name: 'secrets keys',
  summary:
    'print the SECRETS_KEY of one app, or lines for .env with those of all: each has the keys for what that app does, and nothing with which the others could be computed. Needs SECRETS_KEY alone, and adds an entry to the audit log if DATABASE_URL can be reached; docs/secrets.md',
  options: [['--app <name>', `one of ${keyedApps.join(', ')}`]],
  columns: ['app', 'variable', 'keys'],
  input: inputSchema,
  runOffline: print,
  run: print,
  shown: (output: Printed) =>
    output.length === 1
      ? (output[0]?.keys ?? '')
      : output.map(({ variable, keys }) => `${variable}=${keys}`).join('\n'),
});
