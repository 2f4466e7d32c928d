import { connectionEndpoints } from './connection-endpoints.ts';
import { activateAccount, changeAccount, createAccount, listAccounts, suspendAccount } from './accounts.ts';
import { readAudit, readAuditOfAccount } from './audit.ts';
import { changePage, switchPage, uploadPageImage } from './change-page.ts';
import { listDeliveries, readDelivery, retryDeliveries } from './deliveries.ts';
import { acrossAccounts, forEverybody, forSession, type GuardedEndpoint, ofAccount } from './guard.ts';
import { checkDownload } from './check-download.ts';
import { readImportResult, readImportTemplate } from './import-files.ts';
import { createImport, listImports, listToldRows, readImport, registerImport } from './imports.ts';
import { acceptInvitation, choosePassword, readInvitation } from './invitation.ts';
import { issueKey, listKeys, revokeKey } from './keys.ts';
import { changeAccess, disablePerson, inviteAgain, invitePerson, listPeople } from './people.ts';
import { checkPage, createPage, listPages, readPage } from './pages.ts';
import { previewPage } from './preview-page.ts';
import { confirmErasure, countErasure, listErasures, startErasure } from './erasures.ts';
import { find, readStory } from './find.ts';
import { previewPayload } from './preview-payload.ts';
import { signInOptions, signInWithPasskey, stepUpOptions, stepUpWithPasskey } from './passkey-sign-in.ts';
import { addPasskey, creationOptions, removePasskey, renamePasskey } from './passkeys.ts';
import { beginProvider, finishProvider, finishProviderByCode } from './provider-sign-in.ts';
import { readOverview } from './read-overview.ts';
import { readQuality } from './read-quality.ts';
import { readSession } from './read-session.ts';
import {
  createReconciliation,
  listListedRows,
  listReconciliations,
  readListedFile,
  readReconciliation,
  replayReconciliation,
} from './reconciliations.ts';
import { changePassword, endSessions, readSecurity } from './security.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { stepUp } from './step-up.ts';
import { listTasks, readTask } from './tasks.ts';
import { countRetry, readUndelivered, retryUndelivered } from './undelivered.ts';
import { listWebhookDeliveries, retryWebhookDelivery, testWebhook } from './webhook-deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhookSecret,
} from './webhooks.ts';

/** Every endpoint of the console, with who may call it. */
export const endpoints: readonly GuardedEndpoint[] = [
  forEverybody(readSession),
  forEverybody(signIn),
  forEverybody(signInOptions),
  forEverybody(signInWithPasskey),
  forEverybody(beginProvider),
  forEverybody(finishProvider),
  forEverybody(finishProviderByCode),
  forEverybody(signOut),
  forSession(stepUp),
  forSession(stepUpOptions),
  forSession(stepUpWithPasskey),
  forEverybody(readInvitation),
  forEverybody(choosePassword),
  forEverybody(acceptInvitation),
  forSession(readSecurity),
  forSession(creationOptions, { secondFactor: true }),
  forSession(addPasskey, { secondFactor: true }),
  forSession(renamePasskey),
  forSession(removePasskey, { secondFactor: true }),
  forSession(endSessions),
  forSession(changePassword, { secondFactor: true }),
  ofAccount(readOverview, 'read'),
  ofAccount(readUndelivered, 'read'),
  ofAccount(countRetry, 'retry'),
  ofAccount(retryUndelivered, 'retry'),
  ofAccount(listTasks, 'read'),
  ofAccount(readTask, 'read'),
  ofAccount(listDeliveries, 'read'),
  ofAccount(retryDeliveries, 'retry'),
  ofAccount(readDelivery, 'read'),
  ...connectionEndpoints,
  ofAccount(listKeys, 'read'),
  ofAccount(issueKey, 'manage-keys', { secondFactor: true }),
  ofAccount(revokeKey, 'manage-keys', { secondFactor: true }),
  acrossAccounts(listPeople, 'manage-people'),
  acrossAccounts(invitePerson, 'manage-people', { secondFactor: true }),
  acrossAccounts(inviteAgain, 'manage-people', { secondFactor: true }),
  acrossAccounts(changeAccess, 'manage-people', { secondFactor: true }),
  acrossAccounts(disablePerson, 'manage-people', { secondFactor: true }),
  acrossAccounts(listAccounts, 'manage-accounts'),
  acrossAccounts(createAccount, 'manage-accounts'),
  // these also when it is suspended
  ofAccount(changeAccount, 'manage-accounts', { changes: false }),
  ofAccount(suspendAccount, 'manage-accounts', { changes: false }),
  ofAccount(activateAccount, 'manage-accounts', { changes: false }),
  ofAccount(readAuditOfAccount, 'read-audit'),
  acrossAccounts(readAudit, 'manage-accounts'),
  ofAccount(checkDownload, 'see-personal-data', { secondFactor: true, changes: false }),
  ofAccount(createImport, 'import-sales'),
  ofAccount(listImports, 'read'),
  ofAccount(readImportTemplate, 'read'),
  ofAccount(readImport, 'read'),
  ofAccount(listToldRows, 'read'),
  ofAccount(registerImport, 'import-sales'),
  ofAccount(readImportResult, 'see-personal-data', { secondFactor: true }),
  ofAccount(createReconciliation, 'import-sales'),
  ofAccount(listReconciliations, 'read'),
  ofAccount(readReconciliation, 'read'),
  ofAccount(listListedRows, 'read'),
  ofAccount(readListedFile, 'see-personal-data', { secondFactor: true }),
  ofAccount(replayReconciliation, 'import-sales'),
  ofAccount(readQuality, 'read'),
  ofAccount(listWebhooks, 'read'),
  ofAccount(createWebhook, 'manage-webhooks', { secondFactor: true }),
  ofAccount(readWebhook, 'read'),
  ofAccount(changeWebhook, 'manage-webhooks'),
  ofAccount(rotateWebhookSecret, 'manage-webhooks', { secondFactor: true }),
  ofAccount(deleteWebhook, 'manage-webhooks'),
  ofAccount(testWebhook, 'manage-webhooks'),
  ofAccount(listWebhookDeliveries, 'read'),
  ofAccount(retryWebhookDelivery, 'manage-webhooks'),
  ofAccount(listPages, 'read'),
  ofAccount(createPage, 'edit-pages'),
  ofAccount(checkPage, 'read', { changes: false }),
  ofAccount(previewPage, 'read', { changes: false }),
  ofAccount(uploadPageImage, 'edit-pages'),
  ofAccount(readPage, 'read'),
  ofAccount(changePage, 'edit-pages'),
  ofAccount(switchPage, 'edit-pages'),
  ofAccount(previewPayload, 'read'),
  ofAccount(find, 'read', { changes: false }),
  ofAccount(readStory, 'read'),
  ofAccount(countErasure, 'erase', { changes: false }),
  ofAccount(startErasure, 'erase', { secondFactor: true }),
  ofAccount(confirmErasure, 'erase', { secondFactor: true }),
  ofAccount(listErasures, 'erase'),
];
