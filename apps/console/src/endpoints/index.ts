import { activateAccount, changeAccount, createAccount, listAccounts, suspendAccount } from './accounts.ts';
import { readAudit, readAuditOfAccount } from './audit.ts';
import { connectionEndpoints } from './connections.ts';
import { listDeliveries, previewPayload, readDelivery, retryDeliveries } from './deliveries.ts';
import { allowPerson, confirmErasure, countErasure, listErasures, startErasure } from './erasures.ts';
import { checkDownload } from './files.ts';
import { find, readStory } from './find.ts';
import { acrossAccounts, forEverybody, forSession, type GuardedEndpoint, ofAccount } from './guard.ts';
import { confirmGuessedCodes } from './guessed-codes.ts';
import {
  createImport,
  listImports,
  listToldRows,
  readImport,
  readImportResult,
  readImportTemplate,
  registerImport,
} from './imports.ts';
import { acceptInvitation, choosePassword, readInvitation } from './invitation.ts';
import { issueKey, listKeys, revokeKey } from './keys.ts';
import {
  changePage,
  checkPage,
  createPage,
  listPages,
  previewPage,
  readPage,
  switchPage,
  uploadPageImage,
} from './pages.ts';
import { signInOptions, signInWithPasskey, stepUpOptions, stepUpWithPasskey } from './passkey-sign-in.ts';
import { changeAccess, disablePerson, inviteAgain, invitePerson, listPeople, signOutPerson } from './people.ts';
import { beginProvider, finishProvider, finishProviderByCode } from './provider-sign-in.ts';
import { readSession } from './read-session.ts';
import {
  createReconciliation,
  listListedRows,
  listReconciliations,
  readListedFile,
  readReconciliation,
  replayReconciliation,
} from './reconciliations.ts';
import { readOverview, readQuality } from './results.ts';
import {
  addPasskey,
  changePassword,
  creationOptions,
  endSessions,
  readSecurity,
  removePasskey,
  renamePasskey,
} from './security.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { stepUp } from './step-up.ts';
import { countRetry, listTasks, readTask, readUndelivered, retryUndelivered } from './undelivered.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  readWebhook,
  retryWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
} from './webhooks.ts';

/** Every endpoint of the console, with who may call it. */
export const endpoints: readonly GuardedEndpoint[] = [
  forEverybody(readSession, 'reads'),
  forEverybody(signIn, 'proves'),
  forEverybody(signInOptions, 'proves'),
  forEverybody(signInWithPasskey, 'proves'),
  forEverybody(beginProvider, 'proves'),
  forEverybody(finishProvider, 'proves'),
  forEverybody(finishProviderByCode, 'proves'),
  forEverybody(signOut, 'ends-access'),
  forSession(stepUp, 'proves'),
  forSession(stepUpOptions, 'proves'),
  forSession(stepUpWithPasskey, 'proves'),
  forSession(confirmGuessedCodes, 'takes-note'),
  forEverybody(readInvitation, 'reads'),
  forEverybody(choosePassword, 'proves'),
  forEverybody(acceptInvitation, 'proves'),
  forSession(readSecurity, 'reads'),
  forSession(creationOptions, 'fresh'),
  forSession(addPasskey, 'fresh'),
  forSession(renamePasskey, 'fresh'),
  forSession(removePasskey, 'fresh'),
  forSession(endSessions, 'ends-access'),
  forSession(changePassword, 'fresh'),
  ofAccount(readOverview, 'read', 'reads'),
  ofAccount(readUndelivered, 'read', 'reads'),
  ofAccount(countRetry, 'retry', 'reads'),
  ofAccount(retryUndelivered, 'retry', 'repeats'),
  ofAccount(listTasks, 'read', 'reads'),
  ofAccount(readTask, 'read', 'reads'),
  ofAccount(listDeliveries, 'read', 'reads'),
  ofAccount(retryDeliveries, 'retry', 'repeats'),
  ofAccount(readDelivery, 'read', 'reads'),
  ...connectionEndpoints,
  ofAccount(listKeys, 'read', 'reads'),
  ofAccount(issueKey, 'manage-keys', 'fresh'),
  ofAccount(revokeKey, 'manage-keys', 'fresh'),
  acrossAccounts(listPeople, 'manage-people', 'reads'),
  acrossAccounts(invitePerson, 'manage-people', 'fresh'),
  acrossAccounts(inviteAgain, 'manage-people', 'fresh'),
  acrossAccounts(changeAccess, 'manage-people', 'fresh'),
  acrossAccounts(disablePerson, 'manage-people', 'fresh'),
  acrossAccounts(signOutPerson, 'manage-people', 'fresh'),
  acrossAccounts(listAccounts, 'manage-accounts', 'reads'),
  acrossAccounts(createAccount, 'manage-accounts', 'fresh'),
  // these also when it is suspended
  ofAccount(changeAccount, 'manage-accounts', 'fresh', { changes: false }),
  ofAccount(suspendAccount, 'manage-accounts', 'fresh', { changes: false }),
  ofAccount(activateAccount, 'manage-accounts', 'fresh', { changes: false }),
  ofAccount(readAuditOfAccount, 'read-audit', 'reads'),
  acrossAccounts(readAudit, 'manage-accounts', 'reads'),
  ofAccount(checkDownload, 'see-personal-data', 'fresh', { changes: false }),
  ofAccount(createImport, 'import-sales', 'fresh'),
  ofAccount(listImports, 'read', 'reads'),
  ofAccount(readImportTemplate, 'read', 'reads'),
  ofAccount(readImport, 'read', 'reads'),
  ofAccount(listToldRows, 'read', 'reads'),
  ofAccount(registerImport, 'import-sales', 'fresh'),
  ofAccount(readImportResult, 'see-personal-data', 'fresh'),
  ofAccount(createReconciliation, 'import-sales', 'has-no-effect-yet'),
  ofAccount(listReconciliations, 'read', 'reads'),
  ofAccount(readReconciliation, 'read', 'reads'),
  ofAccount(listListedRows, 'read', 'reads'),
  ofAccount(readListedFile, 'see-personal-data', 'fresh'),
  ofAccount(replayReconciliation, 'import-sales', 'fresh'),
  ofAccount(readQuality, 'read', 'reads'),
  ofAccount(listWebhooks, 'read', 'reads'),
  ofAccount(createWebhook, 'manage-webhooks', 'fresh'),
  ofAccount(readWebhook, 'read', 'reads'),
  ofAccount(changeWebhook, 'manage-webhooks', 'fresh'),
  ofAccount(rotateWebhookSecret, 'manage-webhooks', 'fresh'),
  ofAccount(deleteWebhook, 'manage-webhooks', 'fresh'),
  ofAccount(testWebhook, 'manage-webhooks', 'tests'),
  ofAccount(listWebhookDeliveries, 'read', 'reads'),
  ofAccount(retryWebhookDelivery, 'manage-webhooks', 'repeats'),
  ofAccount(listPages, 'read', 'reads'),
  ofAccount(createPage, 'edit-pages', 'fresh'),
  ofAccount(checkPage, 'read', 'reads', { changes: false }),
  ofAccount(previewPage, 'read', 'reads', { changes: false }),
  ofAccount(uploadPageImage, 'edit-pages', 'has-no-effect-yet'),
  ofAccount(readPage, 'read', 'reads'),
  ofAccount(changePage, 'edit-pages', 'fresh'),
  ofAccount(switchPage, 'edit-pages', 'fresh'),
  ofAccount(previewPayload, 'read', 'reads'),
  ofAccount(find, 'read', 'reads', { changes: false }),
  ofAccount(readStory, 'read', 'reads'),
  ofAccount(countErasure, 'erase', 'reads', { changes: false }),
  ofAccount(startErasure, 'erase', 'fresh'),
  ofAccount(confirmErasure, 'erase', 'fresh'),
  ofAccount(allowPerson, 'erase', 'fresh'),
  ofAccount(listErasures, 'erase', 'reads'),
];
