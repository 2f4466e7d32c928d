import { z } from 'zod';
import {
  accountMasterKeys,
  type KeyedApp,
  keyedApps,
  masterKeysSchema,
  writeAppKeys,
  type CredentialsOwner,
} from '@leadback/domain/keys';
import {
  type EntityManager,
  migrate,
  openDatabase,
  RetentionPeriod,
  retentionPeriods,
  transaction,
} from '@leadback/db';
import { parseEnv } from '@leadback/server/app';
import { audit } from '@leadback/core/audit';
import { reEncryptSecondFactors, secondFactorKeys } from '@leadback/core/people/sign-in';
import { replayDeadLeads } from '@leadback/server/broker';
import { erasureKeys, reEncryptAskedErasures } from '@leadback/core/erasure/ask/ask-erasure';
import { command, type Environment } from '../command.ts';
import { OperatorError } from '../options.ts';
import { applyRetention as apply } from '../upkeep/retention.ts';
import { requireSetting } from '../settings.ts';
import { entities } from '../entities.ts';
import { describeError } from '../describe-error.ts';
import { reEncryptAccountKeys, reEncryptCredentials, reEncryptSourceSecrets } from '../upkeep/rotation.ts';

const daysOf = (daysMin: number, reason: string) =>
  z
    .string()
    .regex(/^\d{1,5}d$/, 'expected days, such as 400d')
    .transform((age) => Number(age.slice(0, -1)))
    .refine((days) => days >= daysMin, `at least ${daysMin}d: ${reason}`);

// the table retention_period has them as well
const periodsMin: Readonly<Record<(typeof retentionPeriods)[number], readonly [daysMin: number, reason: string]>> = {
  leads: [90, 'platforms accept conversions of clicks up to 90 days old'],
  attempts: [7, 'deliveries are retried for three days, and the request status is checked for three more'],
  imports: [7, 'a repeated upload of a file is recognised by its first import'],
  webhooks: [7, 'webhooks are retried for three days, and partners look into what failed'],
  campaigns: [400, 'conversions may be 400 days old when they are registered'],
};

export const applyRetention = command({
  name: 'retention apply',
  summary:
    'delete old data and create the partitions of coming months now, as the owner of the tables. An api does it once a day, with the periods of `retention set`',
  options: [
    [
      '--leads <age>',
      'such as 400d: delete older leads and closed deliveries; leads that became clients only lose the data of the visitor',
    ],
    [
      '--attempts <age>',
      'such as 90d: drop months of attempts that are entirely older, so up to one more month is kept',
    ],
    [
      '--imports <age>',
      'such as 30d: delete older imported files and reconciled lists with their results; what they registered stays',
    ],
    ['--webhooks <age>', 'such as 30d: delete older events of webhooks with their deliveries; those that wait stay'],
    [
      '--campaigns <age>',
      'such as 800d: metrics of older days no longer name campaigns; their totals stay, as (other)',
    ],
    ['--dry-run', 'only count'],
  ],
  input: z.object({
    leads: daysOf(...periodsMin.leads).optional(),
    attempts: daysOf(...periodsMin.attempts).optional(),
    imports: daysOf(...periodsMin.imports).optional(),
    webhooks: daysOf(...periodsMin.webhooks).optional(),
    campaigns: daysOf(...periodsMin.campaigns).optional(),
    dryRun: z.boolean().default(false),
  }),
  async run({ leads, attempts, imports, webhooks, campaigns, dryRun }, { pool, progress }) {
    if ([leads, attempts, imports, webhooks, campaigns].every((days) => days === undefined)) {
      throw new OperatorError(
        'nothing to apply: give --leads 400d, --attempts 90d, --imports 30d, --webhooks 30d, --campaigns 800d, or several of them',
      );
    }
    const applied = await apply(pool, {
      leadsDays: leads,
      attemptsDays: attempts,
      importsDays: imports,
      webhooksDays: webhooks,
      campaignsDays: campaigns,
      isDryRun: dryRun,
      tell: (table, counts) => progress(`${table}: ${JSON.stringify(counts)}`),
    });
    if (applied.kind === 'running-elsewhere') {
      throw new OperatorError('another `retention apply` is running on this database; wait until it ends');
    }
    if (applied.kind === 'not-the-owner') {
      throw new OperatorError(
        `cannot create or drop partitions as ${applied.user}: set DATABASE_URL to ${applied.owner}, the owner of the tables`,
      );
    }
    const { partitions, rows } = applied;
    return { dryRun, partitionsMade: partitions.made, partitionsDropped: partitions.dropped, ...rows };
  },
});

const periodOf = (name: (typeof retentionPeriods)[number]) =>
  z
    .string()
    .regex(/^(\d{1,5}d|never)$/, 'expected days, such as 400d, or never')
    .transform((age) => (age === 'never' ? null : Number(age.slice(0, -1))))
    .refine((days) => days === null || days >= periodsMin[name][0], `at least ${periodsMin[name].join('d: ')}`)
    .optional();

const readPeriods = async (em: EntityManager) => {
  const found = await em.find(RetentionPeriod, {});
  return retentionPeriods.map((name) => {
    const days = found.find((period) => period.name === name)?.days;
    return { period: name, deletedAfter: days === undefined ? 'never' : `${days}d` };
  });
};

export const showRetention = command({
  name: 'retention show',
  summary: 'print after how many days an api deletes what, once a day',
  columns: ['period', 'deletedAfter'],
  input: z.object({}),
  run: (_input, { em }) => readPeriods(em),
});

export const setRetention = command({
  name: 'retention set',
  summary:
    'set after how many days an api deletes what, once a day; what is not named stays as it is, and `retention apply --dry-run` counts it first',
  columns: ['period', 'deletedAfter'],
  options: [
    ['--leads <age>', 'such as 400d, or never: see `retention apply`'],
    ['--attempts <age>', 'such as 90d, which is the default, or never'],
    ['--imports <age>', 'such as 30d, or never'],
    ['--webhooks <age>', 'such as 30d, or never'],
    ['--campaigns <age>', 'such as 800d, or never'],
  ],
  input: z.object({
    leads: periodOf('leads'),
    attempts: periodOf('attempts'),
    imports: periodOf('imports'),
    webhooks: periodOf('webhooks'),
    campaigns: periodOf('campaigns'),
  }),
  async run(periods, { em, actor }) {
    const wanted = retentionPeriods.flatMap((name) => {
      const days = periods[name];
      return days === undefined ? [] : [{ name, days }];
    });
    if (wanted.length === 0) {
      throw new OperatorError(
        'nothing to set: give --leads 400d, --attempts 90d, --imports 30d, --webhooks 30d, --campaigns 800d, or several of them; never instead of days keeps them',
      );
    }
    return transaction(em, async (tx) => {
      for (const { name, days } of wanted) {
        if (days === null) await tx.nativeDelete(RetentionPeriod, { name });
        else await tx.upsert(RetentionPeriod, { name, days });
      }
      const details = Object.fromEntries(wanted.map(({ name, days }) => [name, days]));
      await audit(tx, { actor, action: 'retention.change', target: 'retention', details });
      return readPeriods(tx);
    });
  },
});

export const migrateDatabase = command({
  name: 'database migrate',
  summary: 'migrate the database; run it before you deploy new apps',
  input: z.object({}),
  run: async (_input, { databaseUrl }) => ({ migrations: await migrate(databaseUrl) }),
});

const inputSchema = z.object({ app: z.enum(keyedApps).optional() });

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
    'print the SECRETS_KEY of one app, or a line for each. It has the keys for what that app does; the others cannot be computed from it. Needs SECRETS_KEY alone; docs/security.md',
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

export const replayLeads = command({
  name: 'lead replay',
  summary: 'store dead-lettered leads after you fixed the cause; needs the AMQP_URL of the user operator',
  input: z.object({}),
  async run(_input, { amqpUrl }) {
    const url = requireSetting('AMQP_URL', amqpUrl);
    const replayed = await replayDeadLeads(url).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(
        `cannot replay leads: ${reason}\nNo lead is lost. Check that AMQP_URL names the user operator and that a landing app has declared its queues, then run \`doctor\`.`,
      );
    });
    const next = replayed === 0 ? null : 'Run `doctor` in a minute: it reports leads that could not be stored again.';
    return { replayed, next };
  },
});

const named = ({ id, accountId }: CredentialsOwner) => `connection ${id} (account ${accountId})`;

const nextStep = (keys: number) =>
  keys === 1
    ? 'SECRETS_KEY has one key, and all credentials and account keys are encrypted with it. A rotation begins with a second key: docs/security.md.'
    : 'All credentials and account keys are encrypted with the first key of SECRETS_KEY. Remove the other keys when `doctor` reports no credentials and account keys of another key and no buffered leads: docs/security.md.';

export const rotateSecrets = command({
  name: 'secrets rotate',
  summary:
    're-encrypt all credentials, secrets of sources, keys of accounts, names in asked erasures and second factors with the first key of SECRETS_KEY, while everything runs. docs/security.md has the steps before and after',
  input: z.object({}),
  async run(_input, { em, pool, secretsKeys, progress }) {
    const keys = requireSetting('SECRETS_KEY', secretsKeys);
    const {
      reEncrypted: resealed,
      kept,
      undecryptable: unopened,
    } = await reEncryptCredentials(pool, keys, (done) => progress(`${done} connections done`));
    if (unopened.length > 0) {
      throw new OperatorError(
        `${resealed} re-encrypted, ${kept} up to date; cannot decrypt ${unopened.map(named).join(', ')}: the key is not in SECRETS_KEY. ` +
          'Restore the key and run `secrets rotate` again, or run `connection change` with all credentials.',
      );
    }
    const sources = await reEncryptSourceSecrets(pool, keys);
    if (sources.undecryptable.length > 0) {
      throw new OperatorError(
        `cannot decrypt the secrets of source ${sources.undecryptable.map(({ id }) => id).join(', ')}: the key is not in SECRETS_KEY. ` +
          'Restore the key and run `secrets rotate` again, or delete the source and create it again.',
      );
    }
    const people = await reEncryptSecondFactors(em, secondFactorKeys(keys));
    if (people.undecryptable.length > 0) {
      throw new OperatorError(
        `cannot decrypt the second factor of ${people.undecryptable.join(', ')}: the key is not in SECRETS_KEY. ` +
          'Restore the key and run `secrets rotate` again, or run `user invite` for them, which gives them a new one.',
      );
    }
    const accounts = await reEncryptAccountKeys(pool, accountMasterKeys(keys));
    if (accounts.undecryptable.length > 0) {
      throw new OperatorError(
        `cannot decrypt the key of account ${accounts.undecryptable.map(({ id }) => id).join(', ')}: the key is not in SECRETS_KEY. ` +
          'Restore the key and run `secrets rotate` again.',
      );
    }
    return {
      resealed,
      kept,
      sources: sources.reEncrypted,
      secondFactors: people.reEncrypted,
      accountKeys: accounts.reEncrypted,
      askedErasures: await reEncryptAskedErasures(pool, erasureKeys(keys)),
      next: nextStep(keys.length),
    };
  },
});
