import { migrate } from '@leadback/db';
import { z } from 'zod';
import { command } from '../command.ts';

export const migrateDatabase = command({
  name: 'database migrate',
  summary: 'bring the database up to date; before new apps are deployed',
  input: z.object({}),
  run: async (_input, { databaseUrl }) => ({ migrations: await migrate(databaseUrl) }),
});
