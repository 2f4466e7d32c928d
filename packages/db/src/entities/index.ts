import { Account, ApiKey, IdempotencyRecord, Installation } from './account.ts';
import { AccountMetric, MetricIncrement, QualityIncrement, QualityDay } from './metrics.ts';
import { OwnDomain } from './domain.ts';
import { Client, ClientLead, Erasure, ErasedKey, ReceiptKey } from './client.ts';
import { ConnectionSettingsChange, PlatformConnection } from './connection.ts';
import { ConsentWithdrawal, Lead } from './lead.ts';
import {
  Conversion,
  ConversionAdjustment,
  FirstSale,
  Import,
  FileChoice,
  ImportRow,
  Reconciliation,
  ReconciliationRow,
} from './conversion.ts';
import { Delivery, DeliveryAttempt, DeliveryDue, PlatformQuota, PlatformRequest, WebhookEvent } from './delivery.ts';
import { LandingImage, LandingInstance, LandingPage, LandingSlug } from './page.ts';
import {
  AuditEntry,
  RetryTask,
  Invitation,
  Membership,
  Passkey,
  Person,
  PersonIdentity,
  PersonSession,
  SignInChallenge,
} from './console.ts';
import { PeriodicRun, RetentionPeriod } from './periodic.ts';
import { Source, SourceEvent } from './source.ts';

export const entities = [
  Installation,
  Account,
  ApiKey,
  LandingPage,
  LandingSlug,
  LandingImage,
  LandingInstance,
  OwnDomain,
  Lead,
  ConsentWithdrawal,
  Client,
  ClientLead,
  Conversion,
  FirstSale,
  ConversionAdjustment,
  PlatformConnection,
  ConnectionSettingsChange,
  PlatformRequest,
  PlatformQuota,
  Delivery,
  DeliveryAttempt,
  DeliveryDue,
  IdempotencyRecord,
  Import,
  FileChoice,
  ImportRow,
  AccountMetric,
  MetricIncrement,
  QualityDay,
  QualityIncrement,
  Reconciliation,
  ReconciliationRow,
  WebhookEvent,
  AuditEntry,
  Erasure,
  ReceiptKey,
  RetryTask,
  ErasedKey,
  Invitation,
  Membership,
  Passkey,
  PersonIdentity,
  Person,
  PersonSession,
  SignInChallenge,
  PeriodicRun,
  RetentionPeriod,
  Source,
  SourceEvent,
];
