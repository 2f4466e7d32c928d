import type { Database } from '@leadback/db';
import {
  type ClientBatchRegistrar,
  clientBatchRegistrar,
  type ClientRegistrar,
  clientRegistrar,
  type ConversionAdjuster,
  conversionAdjuster,
  type ConversionBatchRegistrar,
  conversionBatchRegistrar,
  type ConversionRegistrar,
  conversionRegistrar,
  type Imports,
  imports,
} from '@leadback/intake';
import {
  type ClientReader,
  clientReader,
  type ConversionLister,
  conversionLister,
  type ConversionReader,
  conversionReader,
  type MatchFactsReader,
  matchFactsReader,
  type QualityReader,
  qualityReader,
} from '@leadback/reports';
import { leadReferenceKeys, type SecretsKeys } from '@leadback/secrets';
import type { ApiEvents } from './events.ts';
import {
  type ReconciliationContext,
  reconciliationContext,
  type ReconciliationEvents,
} from './reconciliation-context.ts';
import { type WebhookContext, webhookContext, type WebhookOptions } from './webhook-context.ts';

type RequestEvents = Pick<
  ApiEvents,
  'clientRegistered' | 'conversionRegistered' | 'conversionAdjusted' | 'reconciliationFailed'
>;

/** What the endpoints may use. */
export interface ApiContext {
  readonly registerClient: ClientRegistrar;
  readonly registerClients: ClientBatchRegistrar;
  readonly registerConversion: ConversionRegistrar;
  readonly registerConversions: ConversionBatchRegistrar;
  readonly adjustConversion: ConversionAdjuster;
  readonly readClient: ClientReader;
  readonly readConversion: ConversionReader;
  readonly listConversions: ConversionLister;
  readonly imports: Imports;
  readonly readQuality: QualityReader;
  readonly readMatchFacts: MatchFactsReader;
  readonly reconciliation: ReconciliationContext;
  readonly webhooks: WebhookContext;
  readonly events: RequestEvents;
}

interface ApiContextOptions {
  readonly database: Pick<Database, 'pool' | 'em'>;
  readonly secretsKeys: SecretsKeys;
  readonly ofWebhooks: Omit<WebhookOptions, 'secretsKeys'>;
  /** See `ConversionRegistrarOptions`. */
  readonly announce: Parameters<typeof conversionRegistrar>[1]['announce'];
  readonly events: RequestEvents & ReconciliationEvents & Pick<ApiEvents, 'itemNotStored'>;
}

export const apiContext = ({ database, secretsKeys, ofWebhooks, announce, events }: ApiContextOptions): ApiContext => {
  const { pool } = database;
  const referenceKeys = leadReferenceKeys(secretsKeys);
  const ofBatches = { announce, onRefused: events.itemNotStored };
  return {
    registerClient: clientRegistrar(pool, { referenceKeys, announce }),
    registerClients: clientBatchRegistrar(pool, { referenceKeys, ...ofBatches }),
    registerConversion: conversionRegistrar(pool, { announce }),
    registerConversions: conversionBatchRegistrar(pool, ofBatches),
    adjustConversion: conversionAdjuster(pool, { announce }),
    readClient: clientReader(pool),
    readConversion: conversionReader(pool),
    listConversions: conversionLister(pool),
    imports: imports(pool),
    readQuality: qualityReader(pool),
    readMatchFacts: matchFactsReader(pool),
    reconciliation: reconciliationContext(pool, { announce, events }),
    webhooks: webhookContext(database, { secretsKeys, ...ofWebhooks }),
    events,
  };
};
