import { accountMasterKeys, reEncryptAccountKey } from '@leadback/domain/keys';
import {
  statement,
  databaseErrorCode,
  cellsOf,
  idRangeOf,
  readIdSequences,
  readMigrationFacts,
  periodicJobs,
  type Pool,
} from '@leadback/db';
import { readPeriodicRuns } from '@leadback/core/periodic';
import { z } from 'zod';
import { allAccountKeys } from '../upkeep/rotation.ts';
import { type Check, type Found, fail, ok, warn, pluralize, truncateList, formatDuration } from './check.ts';

export const checkAccountKeys: Check = async ({ pool, secretsKeys }) => {
  if (secretsKeys === undefined) {
    return warn('not checked: SECRETS_KEY is not set', 'Run `doctor` with the SECRETS_KEY of the apps.');
  }
  const keys = accountMasterKeys(secretsKeys);
  const undecryptable: string[] = [];
  const counts = { first: 0, another: 0 };
  for await (const { id, encrypted } of allAccountKeys(pool)) {
    const reEncrypted = reEncryptAccountKey(keys, id, encrypted);
    if (reEncrypted === undefined) undecryptable.push(`account ${id}`);
    else counts[reEncrypted === encrypted ? 'first' : 'another'] += 1;
  }
  const findings: Found[] = [];
  if (undecryptable.length > 0) {
    findings.push(
      fail(
        `cannot decrypt the key of ${truncateList(undecryptable)}: the key is not in SECRETS_KEY`,
        'Apps with these keys cannot read encrypted contact data of these accounts. Restore the key in every SECRETS_KEY (docs/security.md).',
      ),
    );
  }
  if (counts.another > 0) {
    findings.push(
      warn(
        `the keys of ${pluralize(counts.another, 'account')} are not encrypted with the first key of SECRETS_KEY`,
        'Run `secrets rotate` to re-encrypt them; keep the other keys until then.',
      ),
    );
  }
  if (findings.length > 0) return findings;
  return ok(`all ${counts.first.toLocaleString('en')} are encrypted with the first key of SECRETS_KEY`);
};

interface ServerFacts {
  readonly version: string;
  readonly majorVersion: number;
  /** The role of this connection. */
  readonly role: string;
  /** Whether nothing can be written: a standby, or configured so. */
  readonly isReadOnly: boolean;
  /** The server's clock, in milliseconds since 1970. */
  readonly nowMs: number;
}

const readFacts = statement<ServerFacts>(
  `select current_setting('server_version') as version,
     current_setting('server_version_num')::int / 10000 as "majorVersion", current_user as role,
     pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "isReadOnly",
     (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`,
);

const readServerFacts = async (pool: Pool): Promise<ServerFacts> => {
  const [facts] = await readFacts(pool, []);
  if (!facts) throw new Error('PostgreSQL said nothing of itself');
  return facts;
};

/** The roles that apps are connected as now, and whether those may change the schema. */
const readAppRoles = statement<{ role: string; apps: string[]; mayChangeSchema: boolean }>(
  `select a.usename as role,
     json_agg(distinct substring(a.application_name from '^leadback [a-z-]+')) as apps,
     pg_has_role(a.usesysid, owner.oid, 'member') as "mayChangeSchema"
   from pg_stat_activity a
   join pg_class delivery on delivery.oid = 'delivery'::regclass
   join pg_roles owner on owner.oid = delivery.relowner
   where a.datname = current_database()
     and a.application_name ~ '^leadback (landing|api|feedback-worker|console)( |$)'
   group by a.usename, a.usesysid, owner.oid order by a.usename`,
);

/** The host and port; the path of a socket as one writes it. */
const placeOf = ({ host }: URL): string => decodeURIComponent(host);

// the role of the apps may not, and that of the console may
const ofConsole = `'person', 'membership', 'invitation', 'person_session', 'person_identity', 'passkey', 'sign_in_challenge', 'retry_task',
  'retention_period', 'audit_entry'`;

/**
 * The tables, but those of the console, that this role cannot both read and write. Partitions need no privileges of their
 * own, and only retention deletes everywhere, as the owner.
 */
const tablesWithoutRights = statement<{ name: string }>(
  `select c.relname as name
   from pg_class delivery join pg_class c on c.relnamespace = delivery.relnamespace
   where delivery.oid = 'delivery'::regclass and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname not in ('mikro_orm_migrations', 'installation', ${ofConsole})
     and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
          and has_any_column_privilege(c.oid, 'update'))
   order by c.relname`,
);

const versionMin = 15;

const meanwhile =
  'Meanwhile the api responds with 503, leads are buffered in RabbitMQ and on disk, and no accepted data is lost.';

const unreached = (url: URL, error: unknown): Found => {
  const code = databaseErrorCode(error) ?? 'no response';
  if (code === '3D000') {
    return fail(
      `there is no database ${url.pathname.slice(1)} at ${placeOf(url)}`,
      'Run `database migrate` to create it.',
    );
  }
  if (/^(28|42501)/.test(code)) {
    return fail(
      `PostgreSQL at ${placeOf(url)} rejected the role ${url.username} (${code})`,
      'Check the role and password in DATABASE_URL, and that pg_hba.conf allows this machine.',
    );
  }
  return fail(
    `PostgreSQL at ${placeOf(url)} cannot be reached (${code})`,
    `Check DATABASE_URL and that the server is running. ${meanwhile}`,
  );
};

export const checkDatabase = async (pool: Pool, databaseUrl: string): Promise<Found> => {
  const url = new URL(databaseUrl);
  try {
    const { version, majorVersion, role, isReadOnly } = await readServerFacts(pool);
    const found = `PostgreSQL ${version} at ${placeOf(url)} responds; the role is ${role}`;
    if (isReadOnly) {
      return fail(
        `${found}; the server is read-only: a standby, or set to read only`,
        `Set DATABASE_URL to the primary. ${meanwhile}`,
      );
    }
    if (majorVersion < versionMin) {
      return warn(found, `Leadback is tested with PostgreSQL ${versionMin} and newer: plan an upgrade.`);
    }
    return ok(found);
  } catch (error) {
    return unreached(url, error);
  }
};

const warnShare = 0.8;

export const checkIds: Check = async ({ pool }) => {
  const sequences = await readIdSequences(async (sql) => (await pool.query(sql)).rows);
  const [cell, ...others] = cellsOf(sequences);
  if (cell === undefined) return ok('this database is not a cell: its ids have no range');
  if (others.length > 0) {
    const cells = [cell, ...others].join(' and ');
    return warn(
      `tables have ids of the cells ${cells}, so some may be the same as in another cell`,
      'See which cell this is with `cell list`, and give the other sequences its range with `alter sequence`.',
    );
  }
  const without = sequences.filter((sequence) => sequence.cell === undefined).map(({ table }) => table);
  if (without.length > 0) {
    return warn(
      `the ids of ${truncateList(without)} have no range, and those of other tables have that of cell ${cell}`,
      `Run \`cell create NAME --number ${cell}\` as leadback_owner.`,
    );
  }
  const { first, last } = idRangeOf(cell);
  const short = sequences.filter(({ position }) => (position - first) / (last - first) > warnShare);
  if (short.length > 0) {
    const names = truncateList(short.map(({ table }) => table));
    return warn(
      `more than 80 % of the ids of cell ${cell} are used in ${names}`,
      'Plan another cell, and move accounts to it.',
    );
  }
  return ok(`all tables have the ids of cell ${cell}, ${first} to ${last}`);
};

export const checkMigrations: Check = async ({ em }) => {
  const { pending, unknown } = await readMigrationFacts(em);
  if (pending.length > 0) {
    return fail(
      `${pluralize(pending.length, 'migration has', 'migrations have')} not run: ${truncateList(pending)}`,
      'Run `database migrate` with the DATABASE_URL of the role that owns the tables, before you deploy new apps.',
    );
  }
  if (unknown.length > 0) {
    return warn(
      `the database is newer than this operator; unknown migrations: ${truncateList(unknown)}`,
      'Expected while newer apps are being deployed. Use the operator of the same version.',
    );
  }
  return ok('all have run');
};

const partitionsTodo =
  'Any api that is up makes them once a day: see "periodic jobs". At once: `retention apply --attempts 90d` as leadback_owner.';

interface PartitionsAhead {
  /** Whole months after the current one with a partition; -1: the current month has none. */
  readonly monthsAhead: number;
  /** Attempts in the default partition, because their month has none: only that one comes after the last. */
  readonly rowsInDefault: number;
}

const partitionsAhead = statement<PartitionsAhead>(
  `select (select count(*)::int - 1 from (
             select bool_and(exists (select from attempt_partitions() p
               where month < p.until and (p.since is null or month >= p.since))) over (order by month) as is_covered
             from (select date_trunc('month', now() at time zone 'utc') at time zone 'utc' + ahead * interval '1 month' as month
                   from generate_series(0, 24) ahead) months
           ) so_far where is_covered) as "monthsAhead",
          (select count(*)::int from delivery_attempt
           where created_at >= coalesce((select max(until) from attempt_partitions()), '-infinity')) as "rowsInDefault"`,
);

/** Needs only read access to attempts, of which it reads those in the default partition. */
export const attemptPartitionsAhead = async (pool: Pool): Promise<PartitionsAhead> => {
  const [ahead] = await partitionsAhead(pool, []);
  if (!ahead) throw new Error('PostgreSQL said nothing of its partitions');
  return ahead;
};

export const checkPartitions: Check = async ({ pool }) => {
  const { monthsAhead, rowsInDefault } = await attemptPartitionsAhead(pool);
  if (rowsInDefault > 0) {
    return warn(
      `${pluralize(rowsInDefault, 'attempt is', 'attempts are')} in the default partition; none is lost`,
      partitionsTodo,
    );
  }
  if (monthsAhead < 1) return warn('there is none for the coming month', partitionsTodo);
  return ok(`they exist for the next ${pluralize(monthsAhead, 'month')}`);
};

const periodicTodo =
  'An api that is up runs each job once a day (docs/privacy.md). See its log for "daily job failed", and whether one is running.';

/** A line for each daily job: when it last ran. */
export const checkPeriodicJobs: Check = async ({ pool }) => {
  const runs = await readPeriodicRuns(pool);
  return periodicJobs.map((name) => {
    const run = runs.find((one) => one.name === name);
    if (run === undefined) return warn(`${name} has never run`, periodicTodo);
    const { finishedAt, failedAt, isLate, outcome } = run;
    const failed = failedAt === null ? '' : `; the try of ${failedAt.toISOString()} failed`;
    if (finishedAt === null) {
      const begun = `${name} has begun and not ended yet${failed}`;
      return isLate || failedAt !== null ? warn(begun, periodicTodo) : ok(begun);
    }
    const counts = Object.entries(outcome ?? {}).filter(([, count]) => count > 0);
    const did = counts.length === 0 ? 'nothing was to be done' : counts.map(([what, n]) => `${what} ${n}`).join(', ');
    const finding = `${name} last ended at ${finishedAt.toISOString()}: ${did}${failed}`;
    return isLate ? warn(finding, periodicTodo) : ok(finding);
  });
};

export const checkRoles: Check = async ({ pool }) => {
  const [roles, closed] = await Promise.all([readAppRoles(pool, []), tablesWithoutRights(pool, [])]);
  const findings: Found[] = [];
  if (closed.length > 0) {
    findings.push(
      fail(
        `the role in DATABASE_URL may not select, insert and update in ${truncateList(closed.map(({ name }) => name))}`,
        'Use leadback_console: `database migrate`, run by the owner, grants it these privileges.',
      ),
    );
  }
  const sharedRoles = roles.filter(({ apps }) => apps.length > 1);
  if (sharedRoles.length > 0) {
    const named = sharedRoles.map(({ role, apps }) => `${apps.join(', ')} as ${role}`).join('; ');
    findings.push(
      warn(
        `several apps share a role, so each may do what the others need: ${named}`,
        'Give each app its own role: leadback_landing, leadback_api, leadback_feedback_worker, leadback_console.',
      ),
    );
  }
  const schemaRoles = roles.filter(({ mayChangeSchema }) => mayChangeSchema);
  if (schemaRoles.length > 0) {
    const named = schemaRoles.map(({ role, apps }) => `${apps.join(', ')} as ${role}`).join('; ');
    findings.push(
      warn(
        `apps are connected with a role that may change the schema: ${named}`,
        'Give each app its own role, which may only read and write rows, and use the owner only to migrate.',
      ),
    );
  }
  const names = roles.flatMap(({ apps }) => apps);
  if (!names.includes('leadback api')) {
    const without = warn('no api is connected to this database', 'Start it: the api also publishes due deliveries.');
    findings.push({ ...without, check: 'api' });
  }
  return findings.length > 0 ? findings : ok('apps may read and write rows but not change the schema');
};

/** How long `doctor` shows a failover. */
const shownDays = 7;

const find = statement(
  `select at, action, account_id as "accountId", details from audit_entry
   where at > now() - $1 * interval '1 day' and actor = 'leadback'
     and action in ('database.promoted', 'registration.lose', 'registration.compare')
   order by at, id limit 1000`,
);

const entriesSchema = z.array(
  z.discriminatedUnion('action', [
    z.object({ at: z.date(), action: z.literal('database.promoted'), details: z.object({ after: z.string() }) }),
    z.object({
      at: z.date(),
      action: z.literal('registration.compare'),
      details: z.object({ server: z.string(), compared: z.number(), lost: z.number() }),
    }),
    z.object({
      at: z.date(),
      action: z.literal('registration.lose'),
      accountId: z.number(),
      details: z.object({
        server: z.string(),
        // entries of 1.0.0 have none
        leads: z.string().default(''),
        clients: z.string(),
        conversions: z.string(),
        adjustments: z.string(),
        count: z.number(),
        from: z.string(),
        to: z.string(),
      }),
    }),
  ]),
);

type FailoverEntry = z.infer<typeof entriesSchema>[number];

/** What the audit log has of failovers, oldest first. */
const findFailoverEntries = async (pool: Pool): Promise<FailoverEntry[]> =>
  entriesSchema.parse(await find(pool, [shownDays]));

const document = 'docs/upgrade-and-restore.md, "After a failover"';

type Lost = Extract<FailoverEntry, { action: 'registration.lose' }>;

const findingOfLost = ({ accountId, details }: Lost): Found => {
  const { count, from, to } = details;
  const kinds = (['leads', 'clients', 'conversions', 'adjustments'] as const).filter((kind) => details[kind] !== '');
  const named = kinds.map((kind) => `${kind} ${details[kind]}`).join('; ');
  return fail(
    `a failover lost ${pluralize(count, 'registration')} of account ${accountId}, accepted from ${from} to ${to}: ${named}`,
    `Let the partner send them again, with the same references (${document}). Use a synchronous standby.`,
  );
};

const findingOfUncompared = (at: Date): Found =>
  warn(
    `PostgreSQL was promoted at ${at.toISOString()}, and no api has compared what it accepted before: none has run since before it`,
    `If the standby was not synchronous, let partners compare their sales with \`POST /reconciliation\` (${document}).`,
  );

/** Lists what the apis accepted and a promoted server lacks. */
export const checkFailovers: Check = async ({ pool }) => {
  const entries = await findFailoverEntries(pool);
  const promotions = entries.filter((entry) => entry.action === 'database.promoted');
  if (promotions.length === 0) return ok(`none within ${shownDays} days`);
  const compared = entries.filter((entry) => entry.action === 'registration.compare');
  const findings = [
    ...entries.filter((entry) => entry.action === 'registration.lose').map(findingOfLost),
    ...promotions
      .filter(({ details }) => !compared.some((one) => one.details.server === details.after))
      .map(({ at }) => findingOfUncompared(at)),
  ];
  if (findings.length > 0) return findings;
  const count = compared.reduce((sum, { details }) => sum + details.compared, 0);
  return ok(
    `${pluralize(promotions.length, 'promotion')} within ${shownDays} days; of ${pluralize(count, 'registration')} that the apis accepted before, none is missing`,
  );
};

const warnMs = 2_000;
const errorMs = 60_000;

export const checkClocks: Check = async ({ pool }) => {
  const before = Date.now();
  const { nowMs } = await readServerFacts(pool);
  const after = Date.now();
  // a lower bound: the server read its clock somewhere in between
  const apartMs = Math.max(0, nowMs - after, before - nowMs);
  if (apartMs < warnMs) return ok(`the clocks of this machine and PostgreSQL differ by less than ${warnMs / 1_000} s`);
  const found = `the clock of this machine is ${formatDuration(apartMs / 1_000)} ${nowMs > after ? 'behind' : 'ahead of'} PostgreSQL's`;
  const todo =
    'Synchronise both with NTP (`timedatectl`). Due times use the clock of PostgreSQL; buffered leads keep the time of the landing app. Platforms reject events in the future.';
  return [apartMs < errorMs ? warn(found, todo) : fail(found, todo)];
};
