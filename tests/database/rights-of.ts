import type { Pool } from '@leadback/db';

const isAllowed = async (pool: Pool, statement: string): Promise<boolean> => {
  try {
    // checks the privileges as the statement itself would, and changes nothing
    await pool.query(`explain ${statement}`);
    return true;
  } catch (error) {
    if (Object(error).code === '42501') return false;
    throw error;
  }
};

const hasSomeColumn = async (pool: Pool, table: string, verb: string): Promise<boolean> => {
  const { rows } = await pool.query('select has_any_column_privilege($1, $2) as some', [table, verb]);
  return Object(rows[0]).some === true;
};

type OnColumns = (columns: readonly string[]) => string;

const statements = (table: string): Readonly<Record<'select' | 'insert' | 'update', OnColumns>> => ({
  select: (columns) => `select ${columns.join(', ')} from ${table}`,
  insert: (columns) =>
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => 'default').join(', ')})`,
  update: (columns) => `update ${table} set ${columns.map((column) => `${column} = default`).join(', ')}`,
});

/** What a role may do with a table: tries every verb, and every column of those that are denied on all and not on each. */
export const rightsOf = async (pool: Pool, table: string, names: readonly string[]): Promise<string> => {
  const quoted = `"${table}"`;
  const columns = names.map((name) => `"${name}"`);
  const verbs: string[] = [];
  for (const [verb, statement] of Object.entries(statements(quoted))) {
    if (await isAllowed(pool, statement(columns))) verbs.push(verb);
    else if (await hasSomeColumn(pool, quoted, verb)) {
      const allowed: string[] = [];
      for (const name of names) if (await isAllowed(pool, statement([`"${name}"`]))) allowed.push(name);
      verbs.push(`${verb}(${allowed.join(',')})`);
    }
  }
  if (await isAllowed(pool, `delete from ${quoted}`)) verbs.push('delete');
  const every = verbs.join(' ');
  return every === 'select insert update delete' ? 'all' : every;
};
