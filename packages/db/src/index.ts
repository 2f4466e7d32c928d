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
export { Account, ApiKey, IdempotencyRecord, Installation } from './entities/account.ts';
export {
  AuditEntry,
  ConsoleTask,
  Invitation,
  Membership,
  Passkey,
  Person,
  PersonIdentity,
  PersonSession,
} from './entities/console.ts';
export { Client, Erasure } from './entities/client.ts';
export {
  Conversion,
  ConversionAdjustment,
  Import,
  importStates,
  importSubjects,
  Reconciliation,
  ReconciliationRow,
} from './entities/conversion.ts';
export { Delivery, DeliveryAttempt, DeliveryDue, PlatformRequest, WebhookEvent } from './entities/delivery.ts';
export { LandingImage, LandingPage } from './entities/page.ts';
export { Lead } from './entities/lead.ts';
export { PlatformConnection } from './entities/connection.ts';
export { eraseAlone, recordBesideErasures } from './erasure-lock.ts';
export { grantToApps, prepareGrants } from './grant-to-apps.ts';
export { type CellCreation, type CellRefusal, createCell } from './cells/create-cell.ts';
export { cellNumberMax, idRangeOf } from './cells/id-range.ts';
export { cellsOf, type IdSequence, readIdSequences } from './cells/id-sequences.ts';
export { inCell } from './cells/keep-ids-in-cell.ts';
export { migrate } from './migrate.ts';
export { type AppRole, appRoles } from './privileges-of-apps.ts';
export { tryAdvisoryLock } from './advisory-lock.ts';
export { boundedPool } from './bounded-pool.ts';
export { inTransaction, inTransactionRolledBack } from './in-transaction.ts';
export { preparedStatement, type Queryable } from './prepared-statement.ts';
export {
  type AccountContacts,
  type Contacts,
  type EncryptedContact,
  openContacts,
} from './contacts.ts';
export { changeWithLockRetry } from './change-with-lock-retry.ts';
export { assertMigrated } from './assert-migrated.ts';
export { assertSecretsKey } from './assert-secrets-key.ts';
export { type MigrationFacts, readMigrationFacts } from './migration-facts.ts';
export type { Pool, PoolClient } from 'pg';
