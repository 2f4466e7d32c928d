import type { KeyScope } from '@leadback/domain';
import type { Endpoint } from '@leadback/http';
import { requireScopes } from '../authenticate.ts';
import type { ApiContext } from '../context.ts';
import { adjustConversion } from './adjust-conversion.ts';
import { confirmErasure, listAskedErasures } from './asked-erasures.ts';
import { allowClient } from './allow-client.ts';
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
  scoped(['read'], readImport),
  scoped(['read'], readImportResult),
  scoped(['read'], readQuality),
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
