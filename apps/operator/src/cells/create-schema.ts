import { openPool } from '@leadback/db';
import { schemaOf } from './cell-name.ts';

/** Creates the schema of a cell, if it is missing. Returns how to connect to it, besides with these `options`. */
export const createSchema = async (
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
