export { type Database, type EntityManager, openDatabase } from './database.ts';
export {
  databaseErrorCode,
  isDatabaseUnavailable,
  isPermissionDenied,
  isLockTimeout,
  isDataError,
} from './database-failure.ts';
export { Account } from './entities/account.ts';
export { ApiKey } from './entities/api-key.ts';
export { Client } from './entities/client.ts';
export { Conversion } from './entities/conversion.ts';
export { Feedback } from './entities/feedback.ts';
export { FeedbackAttempt } from './entities/feedback-attempt.ts';
export { IdempotencyRecord } from './entities/idempotency-record.ts';
export { LandingImage } from './entities/landing-image.ts';
export {
  type AskedField,
  askedFields,
  LandingPage,
  landingPageModes,
  type PageImage,
} from './entities/landing-page.ts';
export { Lead } from './entities/lead.ts';
export { PlatformConnection } from './entities/platform-connection.ts';
export { PlatformRequest } from './entities/platform-request.ts';
export { batch } from './batch.ts';
export type { Answered } from './idempotent.ts';
export { migrate } from './migrate.ts';
export { type FeedbackClaim, feedbackClaimer } from './queries/claim-feedback.ts';
export { claimMoreFeedback } from './queries/claim-more-feedback.ts';
export type { ClaimedFeedback } from './queries/claimed-feedback.ts';
export { closePlatformRequest, type RequestStatusEffect } from './queries/close-platform-request.ts';
export type { ConversionRegistration, NewConversion } from './queries/conversion-registration.ts';
export { countWaitingFeedback } from './queries/count-waiting-feedback.ts';
export { eraseClient } from './queries/erase-client.ts';
export { apiKeyFinder, type FoundApiKey, noteApiKeyUse } from './queries/find-api-key.ts';
export { rollUpMetricChanges } from './queries/roll-up-metric-changes.ts';
export { deleteExpiredResponses } from './queries/idempotency-records.ts';
export {
  forgetLandingInstance,
  leadUnnoticedMs,
  noteLandingInstance,
  readLandingFacts,
} from './queries/landing-instances.ts';
export { leaseSeconds } from './queries/lease.ts';
export { type Backlog, type BacklogPart, measureBacklog, waitReasons } from './queries/measure-backlog.ts';
export { type MigrationFacts, readMigrationFacts } from './queries/migration-facts.ts';
export { feedbackParker } from './queries/park-feedback.ts';
export { pauseConnection } from './queries/pause-connection.ts';
export {
  type DuePlatformRequest,
  postponePlatformRequest,
  takeDuePlatformRequests,
} from './queries/platform-requests.ts';
export {
  type AccountMetricsRow,
  type MetricDimension,
  metricDimensions,
  readAccountMetrics,
} from './queries/read-account-metrics.ts';
export { type ClientRecord, readClient } from './queries/read-client.ts';
export { type ConversionName, type ConversionRecord, readConversion } from './queries/read-conversion.ts';
export { type LeadToRecord, leadRecorder } from './queries/record-lead.ts';
export { type ClientRegistration, clientRegistrar, type NewClient } from './queries/register-client.ts';
export { conversionRegistrar } from './queries/register-conversion.ts';
export { requeueFeedback, requeueFeedbackOfConnection } from './queries/requeue-feedback.ts';
export { type ReEncryption, reEncryptCredentials } from './queries/re-encrypt-credentials.ts';
export { resumeConnection } from './queries/resume-connection.ts';
export { readAppRoles, readServerFacts, type ServerFacts, tablesWithoutRights } from './queries/server-facts.ts';
export { type FeedbackSettlement, feedbackSettler } from './queries/settle-feedback.ts';
export { allStoredCredentials } from './queries/stored-credentials.ts';
export { takeDueFeedback } from './queries/take-due-feedback.ts';
export { takeQuotaSlot } from './queries/take-quota-slot.ts';
export { applyRetention } from './retention/apply-retention.ts';
export { attemptPartitionsAhead } from './retention/attempt-partitions-ahead.ts';
export {
  type CredentialsOwner,
  credentialsKeys,
  encryptCredentials,
  encryptingKey,
  decryptCredentials,
} from './encrypted-credentials.ts';
