import { type Database, openDatabase } from '@leadback/db';
import type { TestDatabase } from '@leadback/testing';
import { inject } from 'vitest';
import { z } from 'zod';

/** A node of an executed plan, as PostgreSQL describes it. */
export interface PlanNode {
  readonly type: string;
  readonly table: string | undefined;
  readonly index: string | undefined;
  readonly isBounded: boolean;
  /** Rows that it read, returned or not, in all its executions. */
  readonly rowsRead: number;
}

/** An executed statement, also one of a trigger or a foreign key. */
export interface ExecutedPlan {
  readonly text: string;
  readonly milliseconds: number;
  /** Pages that were read. */
  readonly pages: number;
  readonly nodes: readonly PlanNode[];
}

const nodeSchema = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Index Cond': z.string().optional(),
  'TID Cond': z.string().optional(),
  'Actual Rows': z.number().default(0),
  'Actual Loops': z.number().default(0),
  'Rows Removed by Filter': z.number().default(0),
  'Rows Removed by Index Recheck': z.number().default(0),
  'Rows Removed by Join Filter': z.number().default(0),
  'Shared Hit Blocks': z.number().default(0),
  'Shared Read Blocks': z.number().default(0),
  get Plans() {
    return z.array(nodeSchema).optional();
  },
});
const planSchema = z.object({ 'Query Text': z.string(), Plan: nodeSchema });

const nodesOf = (facts: z.infer<typeof nodeSchema>): PlanNode[] => {
  const removed = (['Filter', 'Index Recheck', 'Join Filter'] as const).map((by) => facts[`Rows Removed by ${by}`]);
  const rowsPerLoop = removed.reduce((sum, rows) => sum + rows, facts['Actual Rows']);
  const own = {
    type: facts['Node Type'],
    table: facts['Relation Name'],
    index: facts['Index Name'],
    isBounded: facts['Index Cond'] !== undefined || facts['TID Cond'] !== undefined,
    rowsRead: Math.round(rowsPerLoop * facts['Actual Loops']),
  };
  return [own, ...(facts.Plans ?? []).flatMap(nodesOf)];
};

const notice = /^duration: ([\d.]+) ms {2}plan:\n(.*)$/s;

const executedPlan = (message: string): ExecutedPlan[] => {
  const [, milliseconds, json = ''] = notice.exec(message) ?? [];
  if (milliseconds === undefined) return [];
  const { 'Query Text': text, Plan: root } = planSchema.parse(JSON.parse(json));
  return [
    {
      text,
      milliseconds: Number(milliseconds),
      pages: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
      nodes: nodesOf(root),
    },
  ];
};

/** Opens a database as the administrator of the server, with one connection. */
export const openAsAdministrator = ({ url }: Pick<TestDatabase, 'url'>): Promise<Database> => {
  const own = new URL(inject('postgresUrl'));
  own.pathname = new URL(url).pathname;
  return openDatabase({ url: own.href, applicationName: 'test', connectionsMax: 1, hasNoStatementTimeout: true });
};

/** Lets later sessions of a database ask PostgreSQL for the plan of each statement that they have executed. */
export const recordPlans = async (database: Pick<TestDatabase, 'url'>): Promise<void> => {
  await using administrator = await openAsAdministrator(database);
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_parameter_max_length': '0',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  };
  const name = new URL(database.url).pathname.slice(1);
  for (const [setting, value] of Object.entries(settings)) {
    await administrator.pool.query(`alter database "${name}" set ${setting} = '${value}'`);
  }
  // in all databases of the server, where it fails if another does it at the same time
  await administrator.pool.query(
    `begin; lock pg_parameter_acl; grant set on parameter auto_explain.log_min_duration to leadback_console; commit`,
  );
};

export interface ExplainedDatabase extends Database {
  /** The plans of all statements that have been executed since the last call. */
  takePlans(): ExecutedPlan[];
}

/**
 * Opens a database as the console does, which may read all that the other apps may, after `recordPlans`, with one
 * connection. `planCacheMode`: whether its prepared statements are planned once and for all.
 */
export const openExplained = async (
  { url }: Pick<TestDatabase, 'url'>,
  planCacheMode: 'force_generic_plan' | 'force_custom_plan',
): Promise<ExplainedDatabase> => {
  const own = new URL(url);
  own.searchParams.set('options', `-c plan_cache_mode=${planCacheMode} -c auto_explain.log_min_duration=0`);
  const database = await openDatabase({ url: own.href, applicationName: 'test', connectionsMax: 1 });
  const plans: ExecutedPlan[] = [];
  database.pool.on('connect', (client) => {
    client.on('notice', ({ message }) => {
      plans.push(...executedPlan(message ?? ''));
    });
  });
  return { ...database, takePlans: () => plans.splice(0) };
};

/** What apps do again and again, and how much of the tables it may read. */
export interface Operation {
  readonly name: string;
  /** Changes what it finds, through the database whose plans are told. */
  readonly run: (on: ExplainedDatabase) => Promise<unknown>;
  /** The most rows that one node of a plan may read. */
  readonly rowsMax: number;
  /** The most pages that one statement may read. */
  readonly pagesMax?: number;
}
