import type { Command } from '../command.ts';
import {
  applyRetention,
  migrateDatabase,
  printAppKeys,
  replayLeads,
  rotateSecrets,
  setRetention,
  showRetention,
} from './upkeep.ts';
import {
  changeAccount,
  createAccount,
  forgetAccount,
  listAccounts,
  activateAccount,
  suspendAccount,
} from './account.ts';
import {
  backfillConnection,
  changeConnection,
  checkConnection,
  createConnection,
  deleteConnection,
  listConnections,
  listWebhooks,
  pauseConnection,
  resumeConnection,
} from './connection.ts';
import {
  changePage,
  createPage,
  listPages,
  previewPage,
  renamePage,
  showPage,
  switchPageOff,
  switchPageOn,
} from './page.ts';
import { confirmSecrets, recordBackup } from './backup.ts';
import { createCell, listCells, printCellBroker } from './cell.ts';
import { createImport, previewImport, listImports, reconcile, showImport } from './file.ts';
import { doctor } from './doctor.ts';
import { addDomain, checkDomain, listDomains, removeDomain } from './domain.ts';
import { allowClient, eraseClient, showReceipt, verifyReceipt } from './client.ts';
import { disableUser, signOutUser, inviteUser, listAuditEntries, listUsers } from './person.ts';
import { issueKey, listKeys, revokeKey } from './key.ts';
import { checkPlatforms } from './platform.ts';
import { listDeliveries, retryDeliveries, showDelivery } from './delivery.ts';
import { showMetrics, showQuality } from './metrics.ts';

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
  showPage,
  switchPageOff,
  switchPageOn,
  previewPage,
  addDomain,
  listDomains,
  checkDomain,
  removeDomain,
  createConnection(),
  changeConnection(),
  listConnections,
  checkConnection,
  listWebhooks,
  pauseConnection,
  resumeConnection,
  deleteConnection,
  backfillConnection,
  checkPlatforms,
  listDeliveries,
  showDelivery,
  retryDeliveries,
  showMetrics,
  createImport,
  previewImport,
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
  setRetention,
  showRetention,
  replayLeads,
  doctor,
  migrateDatabase,
  createCell,
  printCellBroker,
  listCells,
  recordBackup,
  printAppKeys,
  rotateSecrets,
  confirmSecrets,
];
