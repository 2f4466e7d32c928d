export {
  type ConnectionPool,
  type Database,
  type DatabaseOptions,
  type EntityManager,
  openDatabase,
  openPool,
  databaseAddress,
  boundedPool,
} from './connect.ts';
export {
  databaseErrorCode,
  isDatabaseUnavailable,
  isPermissionDenied,
  isLockTimeout,
  isDataError,
  isQueryTimeout,
  isStatementTimeout,
  failureScopeOf,
} from './failure.ts';
export { Account, ApiKey, IdempotencyRecord, Installation } from './entities/account.ts';
export {
  AuditEntry,
  RetryTask,
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
export { OwnDomain } from './entities/domain.ts';
export { LandingImage, LandingPage, LandingSlug } from './entities/page.ts';
export { clickIdFor, hasClickId, Lead } from './entities/lead.ts';
export { PlatformConnection } from './entities/connection.ts';
export { Source, SourceEvent } from './entities/source.ts';
export { type PeriodicJob, periodicJobs, RetentionPeriod, retentionPeriods } from './entities/periodic.ts';
export {
  byteaText,
  eraseAlone,
  recordBesideErasures,
  tryAdvisoryLock,
  preparedStatement,
  statement,
  type Queryable,
  transaction,
  transactionOn,
  rolledBack,
  afterCommit,
  withLockRetry,
} from './transaction.ts';
export { grantToApps, prepareGrants } from './grant-to-apps.ts';
export { type CellCreation, type CellRefusal, createCell } from './cells/create-cell.ts';
export { cellNumberMax, idRangeOf, cellsOf, type IdSequence, readIdSequences, inCell } from './cells/cells.ts';
export { migrate, assertMigrated, assertSecretsKey, type MigrationFacts, readMigrationFacts } from './migrate.ts';
export { type AppRole, appRoles } from './privileges-of-apps.ts';
export {
  type AccountContacts,
  type ContactCipher,
  type EncryptedContact,
  contactCipher,
} from './contacts.ts';
export type { Pool, PoolClient } from 'pg';
