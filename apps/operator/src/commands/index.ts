import type { Command } from '../command.ts';
import { applyRetention } from './apply-retention.ts';
import { changeAccount } from './change-account.ts';
import { changeConnection } from './change-connection.ts';
import { changePage } from './change-page.ts';
import { checkConnection } from './check-connection.ts';
import { createAccount } from './create-account.ts';
import { createCell } from './create-cell.ts';
import { createConnection } from './create-connection.ts';
import { createImport } from './create-import.ts';
import { createPage } from './create-page.ts';
import { doctor } from './doctor.ts';
import { encryptSecrets } from './encrypt-secrets.ts';
import { allowClient } from './allow-client.ts';
import { eraseClient } from './erase-client.ts';
import { forgetAccount } from './forget-account.ts';
import { disableUser } from './disable-user.ts';
import { signOutUser } from './sign-out-user.ts';
import { inviteUser } from './invite-user.ts';
import { issueKey } from './issue-key.ts';
import { listAccounts } from './list-accounts.ts';
import { listCells } from './list-cells.ts';
import { listConnections } from './list-connections.ts';
import { listAuditEntries } from './list-audit.ts';
import { listFeedback } from './list-feedback.ts';
import { listImports } from './list-imports.ts';
import { listKeys } from './list-keys.ts';
import { listPages } from './list-pages.ts';
import { listWebhooks } from './list-webhooks.ts';
import { listUsers } from './list-users.ts';
import { migrateDatabase } from './migrate-database.ts';
import { pauseConnection } from './pause-connection.ts';
import { previewPage } from './preview-page.ts';
import { renamePage } from './rename-page.ts';
import { printAppKeys } from './print-app-keys.ts';
import { printCellBroker } from './print-cell-broker.ts';
import { reconcile } from './reconcile.ts';
import { replayLeads } from './replay-leads.ts';
import { resumeConnection } from './resume-connection.ts';
import { retryFeedback } from './retry-feedback.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { activateAccount, suspendAccount } from './set-account-status.ts';
import { showFeedback } from './show-feedback.ts';
import { showImport } from './show-import.ts';
import { showMetrics } from './show-metrics.ts';
import { showReceipt } from './show-receipt.ts';
import { showQuality } from './show-quality.ts';
import { verifyReceipt } from './verify-receipt.ts';
import { switchPageOff, switchPageOn } from './switch-page.ts';

export const commands: readonly Command[] = [
  createAccount,
  changeAccount,
  listAccounts,
  suspendAccount,
  activateAccount,
  forgetAccount,
  issueKey,
  listKeys,
  revokeKey,
  createPage,
  changePage,
  renamePage,
  listPages,
  switchPageOff,
  switchPageOn,
  previewPage,
  createConnection(),
  changeConnection(),
  listConnections,
  checkConnection,
  listWebhooks,
  pauseConnection,
  resumeConnection,
  listFeedback,
  showFeedback,
  retryFeedback,
  showMetrics,
  createImport,
  listImports,
  showImport,
  showQuality,
  reconcile,
  inviteUser,
  listUsers,
  disableUser,
  signOutUser,
  listAuditEntries,
  eraseClient,
  allowClient,
  showReceipt,
  verifyReceipt,
  applyRetention,
  replayLeads,
  doctor,
  migrateDatabase,
  createCell,
  printCellBroker,
  listCells,
  printAppKeys,
  rotateSecrets,
  encryptSecrets,
];
