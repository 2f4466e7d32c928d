import type { Endpoint } from '@leadback/http';
import type { ApiContext } from '../context.ts';
import { adjustConversion } from './adjust-conversion.ts';
import { confirmErasure, listAskedErasures } from './asked-erasures.ts';
import { checkKey } from './check-key.ts';
import { createImport } from './create-import.ts';
import { eraseClient } from './erase-client.ts';
import { findConversion } from './find-conversion.ts';
import { listConversions } from './list-conversions.ts';
import { readErasure } from './read-erasure.ts';
import { readClient } from './read-client.ts';
import { readImport } from './read-import.ts';
import { readImportResult } from './read-import-result.ts';
import { readConversion } from './read-conversion.ts';
import { readQuality } from './read-quality.ts';
import { createReconciliation } from './reconciliation/create-reconciliation.ts';
import { readReconciliation } from './reconciliation/read-reconciliation.ts';
import { readReconciliationRows } from './reconciliation/read-rows.ts';
import { readReconciliationFile } from './reconciliation/read-rows-file.ts';
import { replayReconciliation } from './reconciliation/replay-reconciliation.ts';
import { changeWebhook } from './webhook/change-webhook.ts';
import { createWebhook } from './webhook/create-webhook.ts';
import { deleteWebhook } from './webhook/delete-webhook.ts';
import { listWebhookDeliveries } from './webhook/list-deliveries.ts';
import { listWebhooks } from './webhook/list-webhooks.ts';
import { retryWebhookDelivery } from './webhook/retry-delivery.ts';
import { rotateWebhookSecret } from './webhook/rotate-secret.ts';
import { testWebhook } from './webhook/test-webhook.ts';
import { registerClient } from './register-client.ts';
import { registerClients } from './register-clients.ts';
import { registerConversion } from './register-conversion.ts';
import { registerConversions } from './register-conversions.ts';

/** All endpoints under /api/v1. */
export const endpoints: readonly Endpoint<ApiContext>[] = [
  checkKey,
  registerClient,
  registerClients,
  eraseClient,
  readErasure,
  listAskedErasures,
  confirmErasure,
  registerConversion,
  registerConversions,
  adjustConversion,
  findConversion,
  listConversions,
  readConversion,
  readClient,
  createImport,
  readImport,
  readImportResult,
  readQuality,
  createReconciliation,
  readReconciliation,
  readReconciliationRows,
  readReconciliationFile,
  replayReconciliation,
  createWebhook,
  listWebhooks,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  retryWebhookDelivery,
];
