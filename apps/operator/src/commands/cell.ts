import {
  openPool,
  type CellRefusal,
  cellNumberMax,
  createCell as create,
  idRangeOf,
  cellsOf,
  type Database,
  readIdSequences,
  readMigrationFacts,
} from '@leadback/db';
import { z } from 'zod';
import { measureBacklog } from '@leadback/core/delivery/due';
import { readTotals } from '@leadback/core/metrics/metrics';
import { schemaOf, cellNameSchema, cellsOptionHelp, readCells, overCells, type Reading } from '../cells.ts';
import { command } from '../command.ts';
import { OperatorError } from '../options.ts';
import { formatDuration } from '../doctor/check.ts';
import type { Terminal } from '../read-secrets.ts';
import deployed from '../../../../deploy/rabbitmq/definitions.json' with { type: 'json' };

/** What is left to do for a cell that has a database; `pgOptions` if it has a schema of one. */
const nextStepsOf = (cell: string, pgOptions?: string) => [
  {
    for: 'RabbitMQ',
    do: `cell broker ${cell} > ${cell}.json, then rabbitmqctl import_definitions ${cell}.json`,
  },
  {
    for: 'every app and command of the cell',
    do: [
      ...(pgOptions === undefined ? [] : [`PGOPTIONS='${pgOptions}'`]),
      `DATABASE_URL of this database, AMQP_URL=amqps://…/${cell}, and preferably its own SECRETS_KEY`,
    ].join(', '),
  },
  {
    for: 'the load balancer',
    do: `landing-${cell}.example.com and api-${cell}.example.com to the apps of the cell; LANDING_URL is the former`,
  },
  { for: 'the list of cells', do: 'an entry in CELLS_FILE, for cell list' },
];

/** Creates the schema of a cell, if it is missing. Returns how to connect to it, besides with these `options`. */
const createSchema = async (
  databaseUrl: string,
  cell: string,
  options = '',
): Promise<{ readonly url: string; readonly pgOptions: string }> => {
  await using database = await openPool({
    url: databaseUrl,
    applicationName: 'leadback operator',
    connectionsMax: 1,
    createsDatabase: true,
  });
  await database.pool.query(`create schema if not exists ${schemaOf(cell)}`);
  const url = new URL(databaseUrl);
  const pgOptions = `-c search_path=${schemaOf(cell)}`;
  // options of a URL count instead of PGOPTIONS
  const others = url.searchParams.get('options') ?? options;
  url.searchParams.set('options', `${others} ${pgOptions}`.trim());
  return { url: url.href, pgOptions };
};

const whyRefused = (refusal: CellRefusal, number: number): string => {
  if (refusal.kind === 'other-cell') {
    return `this database is cell ${refusal.cell}, and a cell keeps its number. Give --number ${refusal.cell}, or the DATABASE_URL of another database.`;
  }
  const { first, last } = idRangeOf(number);
  const { table, ids } = refusal;
  return (
    `the table ${table} has ids from ${ids.first} to ${ids.last}, and those of cell ${number} are from ${first} to ${last}. ` +
    'Nothing was changed. Create the cell in an empty database or schema; an installation that was not created as a cell is number 0.'
  );
};

export const createCell = command({
  name: 'cell create',
  summary:
    'create a cell, or make this installation cell 0: migrate the database and give all its ids a range that no other cell has. Run it as leadback_owner, before the apps of a new cell start; it is safe to run again. See docs/production.md',
  argument: '<name>',
  options: [
    ['--number <n>', `which of the ranges of 10^12 ids, 0 to ${cellNumberMax}; each cell has its own, for ever`],
    ['--schema', 'create a schema for the cell in the database, instead of using all of the database'],
  ],
  input: z.object({
    id: cellNameSchema,
    number: z.coerce
      .number(`expected a whole number from 0 to ${cellNumberMax}`)
      .refine((number) => Number.isInteger(number) && number >= 0 && number <= cellNumberMax, {
        error: `expected a whole number from 0 to ${cellNumberMax}`,
      }),
    schema: z.boolean().default(false),
  }),
  async run({ id: name, number, schema: hasSchema }, { databaseUrl, env }) {
    const { url, pgOptions } = hasSchema
      ? await createSchema(databaseUrl, name, env['PGOPTIONS'])
      : { url: databaseUrl };
    const creation = await create(url, number);
    if (creation.kind !== 'created') throw new OperatorError(whyRefused(creation, number));
    const { ids, migrations } = creation;
    return {
      cell: name,
      number,
      firstId: ids.first,
      lastId: ids.last,
      migrations: migrations.length,
      next: nextStepsOf(name, pgOptions),
    };
  },
});

/** What `cell list` says about a cell. */
interface CellFacts {
  /** Null if its ids have no range of their own, or several. */
  readonly number: number | null;
  /** The newest migration that has run. */
  readonly schema: string;
  readonly activeAccounts: number | null;
  readonly accounts: number | null;
  /** For how long the delivery that waits longest could have been sent. */
  readonly oldestDueSeconds: number | null;
  /** In UTC, without tests. */
  readonly conversionsYesterday: number | null;
  readonly conversionsToday: number | null;
}

const unknownFacts: CellFacts = {
  number: null,
  schema: '',
  activeAccounts: null,
  accounts: null,
  oldestDueSeconds: null,
  conversionsYesterday: null,
  conversionsToday: null,
};

const readCellFacts = async (database: Database): Promise<CellFacts> => {
  const { newest } = await readMigrationFacts(database.em());
  if (newest === undefined) return { ...unknownFacts, schema: 'not migrated' };
  const [number, ...others] = cellsOf(await readIdSequences(async (sql) => (await database.pool.query(sql)).rows));
  const { parts } = await measureBacklog(database.pool);
  return {
    ...unknownFacts,
    number: others.length > 0 ? null : (number ?? null),
    schema: newest,
    ...(await readTotals(database.pool)),
    oldestDueSeconds: Math.max(0, ...parts.map(({ freeSeconds }) => freeSeconds)),
  };
};

const listCellsInput = z.object({ cells: z.string().optional() });

interface CellRow extends CellFacts {
  readonly [column: string]: unknown;
  readonly cell: string;
  /** What is wrong; null if nothing is. */
  readonly problem: string | null;
}

const rowOf = (reading: Reading<CellFacts>): CellRow =>
  'problem' in reading
    ? { cell: reading.name, ...unknownFacts, problem: reading.problem }
    : { cell: reading.name, ...reading.result, problem: null };

/** Ids of two cells with the same number, or without one, are the same sooner or later. */
const idProblem = (row: CellRow, rows: readonly CellRow[]): string | null => {
  if (row.schema === 'not migrated') return 'not migrated; run `cell create` for it';
  if (row.number === null) return 'its ids have no range of their own; run `cell create` for it';
  const other = rows.find(({ cell, number }) => number === row.number && cell !== row.cell);
  return other === undefined ? null : `it has the ids of cell ${other.cell}: both are number ${row.number}`;
};

const listed = async ({ cells }: z.output<typeof listCellsInput>, { env }: Pick<Terminal, 'env'>) => {
  const rows = (await overCells(await readCells(env, cells), readCellFacts)).map(rowOf);
  return rows.map((row) => ({ ...row, problem: row.problem ?? idProblem(row, rows) }));
};

export const listCells = command({
  name: 'cell list',
  summary:
    'list the cells with their numbers, schema, accounts, backlog and conversions; needs no other settings. Exit status 1 if a cell does not respond or its ids are not apart',
  options: [['--cells <file>', cellsOptionHelp]],
  columns: [
    'cell',
    'number',
    'schema',
    'activeAccounts',
    'accounts',
    'oldestDueSeconds',
    'conversionsYesterday',
    'conversionsToday',
    'problem',
  ],
  input: listCellsInput,
  runOffline: listed,
  run: listed,
  shown: (rows) =>
    rows.map(({ oldestDueSeconds, ...row }) => ({
      ...row,
      oldestDueSeconds: oldestDueSeconds === null ? null : formatDuration(oldestDueSeconds),
    })),
  isBad: ({ problem }) => problem !== null,
});

const perHost = ['permissions', 'exchanges', 'queues', 'bindings', 'policies'] as const;

// as start.sh reads them, which inserts them into the same file
const passwordSchema = z
  .string()
  .regex(/^[A-Za-z0-9._~-]+$/, 'has a character that would need escaping in a URL')
  .optional();

const passwordOf = (placeholder: string, env: NodeJS.ProcessEnv): string | undefined => {
  const name = placeholder.replace(/^\$\{(\w+)\}$/, '$1');
  const { success, data, error } = passwordSchema.safeParse(env[name] === '' ? undefined : env[name]);
  if (!success) throw new OperatorError(`${name} ${error.issues.map(({ message }) => message).join()}`);
  return data;
};

type User = (typeof deployed)['users'][number];

/**
 * The definitions of deploy/rabbitmq for another virtual host. Users have the passwords of the environment; those without
 * one are left out, because an import would give existing users the placeholder as their password.
 */
const brokerDefinitions = (vhost: string, env: NodeJS.ProcessEnv) => ({
  vhosts: [{ name: vhost }],
  users: deployed.users.flatMap((user): User[] => {
    const password = passwordOf(user.password, env);
    return password === undefined ? [] : [{ ...user, password }];
  }),
  ...Object.fromEntries(perHost.map((kind) => [kind, deployed[kind].map((entry) => ({ ...entry, vhost }))])),
});

const printCellBrokerInput = z.object({ id: cellNameSchema });

const definitions = async ({ id }: z.output<typeof printCellBrokerInput>, { env }: Pick<Terminal, 'env'>) =>
  brokerDefinitions(id, env);

export const printCellBroker = command({
  name: 'cell broker',
  summary:
    'print the RabbitMQ definitions of a cell, with a virtual host of its name, for `rabbitmqctl import_definitions`; needs neither settings nor the database. It creates the users whose passwords are in RABBITMQ_LANDING_PASSWORD, RABBITMQ_API_PASSWORD, RABBITMQ_FEEDBACK_WORKER_PASSWORD and RABBITMQ_OPERATOR_PASSWORD; the others must exist',
  argument: '<name>',
  input: printCellBrokerInput,
  runOffline: definitions,
  run: definitions,
  shown: (output) => JSON.stringify(output, undefined, 2),
});
