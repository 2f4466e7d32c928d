import { Account } from './account.ts';
import { AccountMetric } from './account-metric.ts';
import { ApiKey } from './api-key.ts';
import { Client } from './client.ts';
import { ConnectionSettingsChange } from './connection-settings-change.ts';
import { ConsentWithdrawal } from './consent-withdrawal.ts';
import { Conversion } from './conversion.ts';
import { ConversionAdjustment } from './conversion-adjustment.ts';
import { Erasure } from './erasure.ts';
import { ErasedKey } from './erased-key.ts';
import { Feedback } from './feedback.ts';
import { FeedbackAttempt } from './feedback-attempt.ts';
import { FeedbackDue } from './feedback-due.ts';
import { IdempotencyRecord } from './idempotency-record.ts';
import { Import } from './import.ts';
import { ImportRow } from './import-row.ts';
import { Installation } from './installation.ts';
import { LandingImage } from './landing-image.ts';
import { LandingInstance } from './landing-instance.ts';
import { LandingPage } from './landing-page.ts';
import { Lead } from './lead.ts';
import { MetricChange } from './metric-change.ts';
import { PlatformConnection } from './platform-connection.ts';
import { PlatformQuota } from './platform-quota.ts';
import { PlatformRequest } from './platform-request.ts';
import { QualityChange } from './quality-change.ts';
import { QualityDay } from './quality-day.ts';
import { Reconciliation } from './reconciliation.ts';
import { ReconciliationRow } from './reconciliation-row.ts';
import { ReceiptKey } from './receipt-key.ts';
import { WebhookEvent } from './webhook-event.ts';
import { AuditEntry } from './audit-entry.ts';
import { ConsoleTask } from './console-task.ts';
import { Invitation } from './invitation.ts';
import { Membership } from './membership.ts';
import { Passkey } from './passkey.ts';
import { Person } from './person.ts';
import { PersonIdentity } from './person-identity.ts';
import { PersonSession } from './person-session.ts';
import { SignInChallenge } from './sign-in-challenge.ts';

export const entities = [
  Installation,
  Account,
  ApiKey,
  LandingPage,
  LandingImage,
  LandingInstance,
  Lead,
  ConsentWithdrawal,
  Client,
  Conversion,
  ConversionAdjustment,
  PlatformConnection,
  ConnectionSettingsChange,
  PlatformRequest,
  PlatformQuota,
  Feedback,
  FeedbackAttempt,
  FeedbackDue,
  IdempotencyRecord,
  Import,
  ImportRow,
  AccountMetric,
  MetricChange,
  QualityDay,
  QualityChange,
  Reconciliation,
  ReconciliationRow,
  WebhookEvent,
  AuditEntry,
  Erasure,
  ReceiptKey,
  ConsoleTask,
  ErasedKey,
  Invitation,
  Membership,
  Passkey,
  PersonIdentity,
  Person,
  PersonSession,
  SignInChallenge,
];
