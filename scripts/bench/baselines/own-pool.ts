import { Pool } from 'pg';

/** Ten connections, as many as an app has. */
export const ownPool = (): Pool =>
  new Pool({ connectionString: process.env['DATABASE_URL'], max: 10, application_name: 'baseline' });
