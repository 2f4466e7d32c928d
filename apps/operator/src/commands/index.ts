import type { Command } from '../command.ts';
import { createAccount } from './create-account.ts';
import { createConnection } from './create-connection.ts';
import { createPage } from './create-page.ts';
import { issueKey } from './issue-key.ts';
import { listConnections } from './list-connections.ts';
import { listFeedback } from './list-feedback.ts';
import { migrateDatabase } from './migrate-database.ts';
import { resumeConnection } from './resume-connection.ts';

export const commands: readonly Command[] = [
  createAccount,
  issueKey,
  createPage,
  createConnection,
  listConnections,
  resumeConnection,
  listFeedback,
  migrateDatabase,
];
