import type { KeyScope } from '@leadback/domain';
import type { Endpoint } from '@leadback/server/http';
import { requireScopes } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { confirmErasure, listAskedErasures, allowClient, eraseClient, readErasure } from './erasure.ts';
import { checkKey, readClient, registerClient, registerClients } from './client.ts';
import { createImport, previewImport, readImport, readImportResult } from './import.ts';
import {
  adjustConversion,
  findConversion,
  listConversions,
  readConversion,
  registerConversion,
  registerConversions,
} from './conversion.ts';
import { getDeliveryReport } from './delivery-report.ts';
import { registerLead } from './lead.ts';
import { getMetrics } from './metrics.ts';
import { getQuality } from './quality.ts';
import {
  createReconciliation,
  readReconciliation,
  readReconciliationRows,
  readReconciliationFile,
  replayReconciliation,
} from './reconciliation.ts';
import { changeWebhook, createWebhook, deleteWebhook, listWebhooks, rotateWebhookSecret } from './webhook.ts';
import { listWebhookDeliveries, retryWebhookDelivery, testWebhook } from './webhook-delivery.ts';

export interface ScopedEndpoint extends Endpoint<ApiContext> {
  /** The scopes that a key needs for it. */
  readonly needs: readonly KeyScope[];
}

const scopesText = (needs: readonly KeyScope[]): string =>
  needs.length === 0 ? '' : ` The key needs the scope ${needs.map((scope) => `\`${scope}\``).join(' and ')}.`;

const scoped = (needs: readonly KeyScope[], endpoint: Endpoint<ApiContext>): ScopedEndpoint => ({
  ...endpoint,
  needs,
  description: endpoint.description + scopesText(needs),
  refusals: [...(endpoint.refusals ?? []), ...needs.map((scope) => `scope-missing.${scope}` as const)],
  handlers: (context) => [requireScopes(needs), ...endpoint.handlers(context)],
});

// what a webhook is told, its receiver reads
/** All endpoints under /api/v1, each with the scopes that a key needs for it. */
export const endpoints: readonly ScopedEndpoint[] = [
  scoped([], checkKey),
  scoped(['register'], registerLead),
  scoped(['register'], registerClient),
  scoped(['register'], registerClients),
  scoped(['erase'], eraseClient),
  scoped(['erase'], allowClient),
  scoped(['erase'], readErasure),
  scoped(['erase'], listAskedErasures),
  scoped(['erase'], confirmErasure),
  scoped(['register'], registerConversion),
  scoped(['register'], registerConversions),
  scoped(['register'], adjustConversion),
  scoped(['read'], findConversion),
  scoped(['read'], listConversions),
  scoped(['read'], readConversion),
  scoped(['read'], readClient),
  scoped(['register'], createImport),
  scoped(['register'], previewImport),
  scoped(['read'], readImport),
  scoped(['read'], readImportResult),
  scoped(['read'], getQuality),
  scoped(['read'], getDeliveryReport),
  scoped(['read'], getMetrics),
  scoped(['register'], createReconciliation),
  scoped(['read'], readReconciliation),
  scoped(['read'], readReconciliationRows),
  scoped(['read'], readReconciliationFile),
  scoped(['register'], replayReconciliation),
  scoped(['read', 'register'], createWebhook),
  scoped(['read'], listWebhooks),
  scoped(['read', 'register'], changeWebhook),
  scoped(['register'], deleteWebhook),
  scoped(['read', 'register'], rotateWebhookSecret),
  scoped(['register'], testWebhook),
  scoped(['read'], listWebhookDeliveries),
  scoped(['register'], retryWebhookDelivery),
];
