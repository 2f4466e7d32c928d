export {
  type ConnectionPool,
  type Database,
  type DatabaseOptions,
  type EntityManager,
  openDatabase,
  openPool,
} from './database.ts';
export { databaseAddress } from './database-server.ts';
export {
  databaseErrorCode,
  isDatabaseUnavailable,
  isPermissionDenied,
  isLockTimeout,
  isDataError,
  isQueryTimeout,
  isStatementTimeout,
  failureScopeOf,
} from './database-failure.ts';
export { Account } from './entities/account.ts';
export { AuditEntry } from './entities/audit-entry.ts';
export { ConsoleTask } from './entities/console-task.ts';
export { Invitation } from './entities/invitation.ts';
export { Membership } from './entities/membership.ts';
export { Passkey } from './entities/passkey.ts';
export { Person } from './entities/person.ts';
export { PersonIdentity } from './entities/person-identity.ts';
export { PersonSession } from './entities/person-session.ts';
export { ApiKey } from './entities/api-key.ts';
export { Client } from './entities/client.ts';
export { Conversion } from './entities/conversion.ts';
export { ConversionAdjustment } from './entities/conversion-adjustment.ts';
export { Erasure } from './entities/erasure.ts';
export { Feedback } from './entities/feedback.ts';
export { FeedbackAttempt } from './entities/feedback-attempt.ts';
export { FeedbackDue } from './entities/feedback-due.ts';
export { IdempotencyRecord } from './entities/idempotency-record.ts';
export { Import, importStates, importSubjects } from './entities/import.ts';
export { Installation } from './entities/installation.ts';
export { LandingImage } from './entities/landing-image.ts';
export { LandingPage } from './entities/landing-page.ts';
export { Lead } from './entities/lead.ts';
export { PlatformConnection } from './entities/platform-connection.ts';
export { PlatformRequest } from './entities/platform-request.ts';
export { Reconciliation } from './entities/reconciliation.ts';
export { ReconciliationRow } from './entities/reconciliation-row.ts';
export { WebhookEvent } from './entities/webhook-event.ts';
export { eraseAlone, recordBesideErasures } from './erasure-lock.ts';
export { grantToApps, prepareGrants } from './grant-to-apps.ts';
export { type CellCreation, type CellRefusal, createCell } from './cells/create-cell.ts';
export { cellNumberMax, idRangeOf } from './cells/id-range.ts';
export { cellsOf, type IdSequence, readIdSequences } from './cells/id-sequences.ts';
export { migrate } from './migrate.ts';
export { type AppRole, appRoles } from './privileges-of-apps.ts';
export { tryAdvisoryLock } from './advisory-lock.ts';
export { boundedPool } from './bounded-pool.ts';
export { inTransaction, inTransactionRolledBack } from './in-transaction.ts';
export { preparedStatement, type Queryable } from './prepared-statement.ts';
export {
  type AccountContacts,
  accountContactsAgeMaxMs,
  type Contacts,
  type EncryptedContact,
  openContacts,
} from './contacts.ts';
export { ensureAccountKey } from './ensure-account-key.ts';
export { leadEmail } from './lead-email.ts';
export { changeWithLockRetry } from './change-with-lock-retry.ts';
export { assertMigrated } from './assert-migrated.ts';
export { assertSecretsKey } from './assert-secrets-key.ts';
export { type MigrationFacts, readMigrationFacts } from './migration-facts.ts';
export type { Pool, PoolClient } from 'pg';
