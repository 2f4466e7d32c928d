import { z } from 'zod';

/** Part of host names, and the name of the virtual host. PostgreSQL keeps schemas that begin with pg_ for itself. */
export const cellNameSchema = z
  .string()
  .regex(
    /^(?!pg-)[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/,
    'expected up to 40 lower-case letters, digits and hyphens, with a letter first, such as zapatos-2',
  );

/** The schema of a cell, in SQL and in a `search_path` without quotes. */
export const schemaOf = (name: string): string => name.replaceAll('-', '_');
