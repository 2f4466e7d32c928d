import { migrate } from '@leadback/db';
import { z } from 'zod';
import { command } from '../command.ts';

export const migrateDatabase = command({
  name: 'database migrate',
  summary: 'migrate the database; run it before you deploy new apps',
  input: z.object({}),
  run: async (_input, { databaseUrl }) => ({ migrations: await migrate(databaseUrl) }),
});
