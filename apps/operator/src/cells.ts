import { z } from 'zod';
import { databaseAddress, type Database, databaseErrorCode, openDatabase } from '@leadback/db';
import { parseEnv, refuseUnsafe, serverAllowances } from '@leadback/server/app';
import { OperatorError } from './options.ts';
import { readFileText } from './read-secrets.ts';
import { checkDatabase } from './doctor/database.ts';
import { entities } from './entities.ts';

/** Part of host names, and the name of the virtual host. PostgreSQL keeps schemas that begin with pg_ for itself. */
export const cellNameSchema = z
  .string()
  .regex(
    /^(?!pg-)[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/,
    'expected up to 40 lower-case letters, digits and hyphens, with a letter first, such as zapatos-2',
  );

/** The schema of a cell, in SQL and in a `search_path` without quotes. */
export const schemaOf = (name: string): string => name.replaceAll('-', '_');

const settingsSchema = z.object({
  /** The cells, with the URLs of their databases. */
  CELLS_FILE: z.string().optional(),
  ...serverAllowances,
});

export const cellsOptionHelp =
  'JSON file of cells: {"zapatos": {"databaseUrl": "postgres://…", "options": "-c search_path=zapatos"}}, with options only for a schema; ${NAME} stands for a variable of the environment. Default: CELLS_FILE';

interface ListedCell {
  readonly name: string;
  readonly databaseUrl: string;
}

/** Replaces `${NAME}` with the variable of the environment, so that a file need not have passwords. */
const fillIn =
  (env: NodeJS.ProcessEnv) =>
  (text: string, context: z.RefinementCtx): string =>
    text.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => {
      const value = env[name];
      if (!value) context.addIssue(`${name} is not set`);
      return encodeURIComponent(value ?? '');
    });

const withOptions = (databaseUrl: string, options: string | undefined): string => {
  const url = new URL(databaseUrl);
  // the options of this process are of its own database
  url.searchParams.set('options', options ?? url.searchParams.get('options') ?? '');
  return url.href;
};

const refuse = refuseUnsafe({ DATABASE_URL: databaseAddress });

const fileSchema = (env: NodeJS.ProcessEnv, allowances: z.infer<z.ZodObject<typeof serverAllowances>>) =>
  z.record(
    cellNameSchema,
    z
      .strictObject({ databaseUrl: z.string().transform(fillIn(env)).pipe(z.url()), options: z.string().optional() })
      .transform(({ databaseUrl, options }) => withOptions(databaseUrl, options))
      .superRefine((databaseUrl, context) => refuse({ DATABASE_URL: databaseUrl, ...allowances }, context)),
  );

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The cells of a file, default: of CELLS_FILE. The file has passwords, so no error shows its content. */
export const readCells = async (env: NodeJS.ProcessEnv, path?: string): Promise<readonly ListedCell[]> => {
  const settings = parseEnv(settingsSchema, env);
  if (typeof settings === 'string') throw new OperatorError(settings);
  const file = path ?? settings.CELLS_FILE;
  if (!file) throw new OperatorError('there is no list of cells; give --cells FILE, or set CELLS_FILE');
  const content = readJson(await readFileText('cells', file));
  const { success, data, error } = fileSchema(env, settings).safeParse(content);
  if (!success) throw new OperatorError(`--cells: ${file} is not a list of cells:\n${z.prettifyError(error)}`);
  return Object.entries(data).map(([name, databaseUrl]) => ({ name, databaseUrl }));
};

/** What was read from a cell, or why it was not. */
export type Reading<Result> =
  | { readonly name: string; readonly result: Result }
  | { readonly name: string; readonly problem: string };

const statementMaxMs = 10_000;

const readCell = async <Result>(
  { name, databaseUrl }: ListedCell,
  read: (database: Database) => Promise<Result>,
): Promise<Reading<Result>> => {
  await using database = await openDatabase({
    url: databaseUrl,
    applicationName: 'leadback operator',
    connectionsMax: 1,
    statementMaxMs,
    entities,
  });
  const reached = await checkDatabase(database.pool, databaseUrl);
  if (reached.state === 'error') return { name, problem: reached.finding };
  try {
    return { name, result: await read(database) };
  } catch (error) {
    return { name, problem: `cannot read it (${databaseErrorCode(error) ?? String(error)}); run doctor for this cell` };
  }
};

/** Reads from all cells at once. */
export const overCells = <Result>(
  cells: readonly ListedCell[],
  read: (database: Database) => Promise<Result>,
): Promise<Reading<Result>[]> => Promise.all(cells.map((cell) => readCell(cell, read)));
