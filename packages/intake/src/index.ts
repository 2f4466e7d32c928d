export { compareAccepted } from './accepted/compare-accepted.ts';
export type { Accepted } from './accepted/find-missing.ts';
export { readServer } from './accepted/read-server.ts';
export {
  type ErasureAsker,
  confirmWithKey,
  erasureAsker,
  type ErasureCaller,
  type ErasureInput,
  erasureSchema,
  type KeyConfirmation,
} from './ask-erasure.ts';
export { type ConversionAdjuster, conversionAdjuster } from './adjust-conversion.ts';
export { apiKeyFinder, type FoundApiKey, noteApiKeyUse } from './api-keys.ts';
export { CsvProblem } from './csv/csv-problem.ts';
export type { CsvColumns } from './csv/header.ts';
export { type CsvFile, type CsvLimits, type CsvRow, readCsv } from './csv/read-csv.ts';
export { deleteExpiredResponses } from './idempotency-records.ts';
export { cleanUpImports } from './import/clean-up-imports.ts';
export { deleteImportRows } from './import/delete-import-rows.ts';
export type { ImportSubject } from './import/import-subject.ts';
export { type ImportStep, importWorker } from './import/import-worker.ts';
export { itemRegistrars } from './import/item-registrars.ts';
export { type Imports, imports } from './import/imports.ts';
export { withoutInventedIds } from './import/invented-ids.ts';
export { importResult, type ToldOutcome, toldOutcomes } from './import/import-result.ts';
export { importTemplate } from './import/import-template.ts';
export { findAnyImport, type ImportRecord, listImports } from './import/read-import.ts';
export { registerTrial, type TrialRegistered } from './import/register-trial.ts';
export type { FileSender } from './file-sender.ts';
export { type NewImport, storeImport } from './import/store-import.ts';
export { readToldRows, type ToldRow } from './import/told-rows.ts';
export { forgetLandingInstance, noteLandingInstance, readLandingFacts } from './landing-instances.ts';
export { type ClientBatchRegistrar, clientBatchRegistrar } from './many/client-batches.ts';
export { type ConversionBatchRegistrar, conversionBatchRegistrar } from './many/conversion-batches.ts';
export { type ClientOutcome, registerClients } from './many/register-clients.ts';
export { type ConversionOutcome, registerConversions } from './many/register-conversions.ts';
export { adjustmentSchema } from './new-adjustment.ts';
export { clientSchema } from './new-client.ts';
export { conversionItemSchema, conversionSchema } from './new-conversion.ts';
export type { LeadToRecord } from './lead-to-record.ts';
export { bufferedLeadRecorder, leadRecorder } from './record-lead.ts';
export {
  type ReconciliationCreator,
  reconciliationCreator,
  type TimeRange,
} from './reconciliation/create-reconciliation.ts';
export { deleteCutOffList, deleteReconciliation } from './reconciliation/delete-reconciliation.ts';
export type { MoneySums } from './money-sums.ts';
export type { ReconciliationCounts, ReconciliationMoney } from './reconciliation/counts.ts';
export {
  type ListedRow,
  listedConversionSchema,
  listedItems,
  refuseUnknownFields,
} from './reconciliation/listed-conversion.ts';
export { listedFile } from './reconciliation/listed-file.ts';
export {
  listReconciliations,
  type ReconciliationReader,
  type ReconciliationRecord,
  reconciliationReader,
} from './reconciliation/read-reconciliation.ts';
export { type ReconciliationRowRecord, type RowsReader, rowsReader } from './reconciliation/read-rows.ts';
export {
  type ReconciliationWorker,
  reconciliationWorker,
  type WorkedSlice,
} from './reconciliation/reconciliation-worker.ts';
export { allRows, type RowsFile, rowsFile } from './reconciliation/rows-file.ts';
export { type ReplayStarter, replayStarter } from './reconciliation/start-replay.ts';
export { type ClientRegistrar, clientRegistrar } from './register-client.ts';
export {
  type ConversionRegistrar,
  type ConversionRegistrarOptions,
  conversionRegistrar,
} from './register-conversion.ts';
export type { WebhookRecord } from './webhooks/read-webhooks.ts';
export { urlCheck, type UrlCheckOptions } from './webhooks/url-check.ts';
export type { WebhookCaller } from './webhooks/webhook-audit.ts';
export { type Webhooks, webhooks } from './webhooks/webhooks.ts';
export { withdrawConsent } from './visitor/consent-withdrawals.ts';
export { type LeadToShow, readVisitorLeads, type StoredLead } from './visitor/read-visitor-leads.ts';
