import type { Command } from '../command.ts';
import { createAccount } from './create-account.ts';
import { createConnection } from './create-connection.ts';
import { createPage } from './create-page.ts';
import { issueKey } from './issue-key.ts';
import { listAccounts } from './list-accounts.ts';
import { listConnections } from './list-connections.ts';
import { listFeedback } from './list-feedback.ts';
import { listKeys } from './list-keys.ts';
import { migrateDatabase } from './migrate-database.ts';
import { resumeConnection } from './resume-connection.ts';
import { revokeKey } from './revoke-key.ts';
import { activateAccount, suspendAccount } from './set-account-status.ts';

export const commands: readonly Command[] = [
  createAccount,
  listAccounts,
  suspendAccount,
  activateAccount,
  issueKey,
  listKeys,
  revokeKey,
  createPage,
  createConnection,
  listConnections,
  resumeConnection,
  listFeedback,
  migrateDatabase,
];
