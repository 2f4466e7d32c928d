import { boundedPool, type Contacts, type Database, inTransaction } from '@leadback/db';
import { Refusal } from '@leadback/domain';
import { allowPerson, type PersonToAllow } from '@leadback/erasure';
import {
  type AskedErasure,
  confirmErasure,
  type ErasureConfirmation,
  erasureKeys,
  listAskedErasures,
  readErasure,
  type WaitingErasure,
} from '@leadback/erasure/ask';
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
  type ErasureAsker,
  erasureAsker,
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
  readonly askErasure: ErasureAsker;
  /** Returns the ids of the erasures. */
  readonly allowPerson: (person: PersonToAllow) => Promise<string[]>;
  readonly readErasure: (id: string) => Promise<AskedErasure | undefined>;
  readonly listAsked: (accountId: number, max: number) => Promise<readonly WaitingErasure[]>;
  readonly confirmErasure: (confirmation: ErasureConfirmation) => Promise<boolean>;
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
  /** For registrations, so that they wait for no report. */
  readonly intake: Database['pool'];
  /** For the slices of reconciliations. */
  readonly jobs: Database['pool'];
  readonly secretsKeys: SecretsKeys;
  readonly contacts: Contacts;
  readonly ofWebhooks: Omit<WebhookOptions, 'secretsKeys'>;
  /** See `ConversionRegistrarOptions`. */
  readonly announce: Parameters<typeof conversionRegistrar>[1]['announce'];
  readonly events: RequestEvents & ReconciliationEvents & Pick<ApiEvents, 'itemNotStored'>;
}

// the reads that three connections finish in some tens of milliseconds
const readsWaitingMax = 200;

export const apiContext = ({
  database,
  intake,
  jobs,
  secretsKeys,
  contacts,
  ofWebhooks,
  announce,
  events,
}: ApiContextOptions): ApiContext => {
  const { pool, em } = database;
  const reading = boundedPool(pool, { waitingMax: readsWaitingMax, overflow: () => new Refusal('overloaded') });
  const referenceKeys = leadReferenceKeys(secretsKeys);
  const ofBatches = { contacts, announce, onRefused: events.itemNotStored };
  return {
    registerClient: clientRegistrar(intake, { referenceKeys, contacts, announce }),
    registerClients: clientBatchRegistrar(intake, { referenceKeys, ...ofBatches }),
    registerConversion: conversionRegistrar(intake, { contacts, announce }),
    registerConversions: conversionBatchRegistrar(intake, ofBatches),
    adjustConversion: conversionAdjuster(intake, { announce }),
    readClient: clientReader(reading, contacts),
    askErasure: erasureAsker(intake, erasureKeys(secretsKeys)),
    allowPerson: (person) => inTransaction(intake, (on) => allowPerson(on, person, contacts)),
    readErasure: (id) => readErasure(reading, id),
    listAsked: (accountId, max) => listAskedErasures(reading, erasureKeys(secretsKeys), accountId, max),
    confirmErasure: (confirmation) => confirmErasure(reading, confirmation),
    readConversion: conversionReader(reading),
    listConversions: conversionLister(reading),
    imports: imports(pool),
    readQuality: qualityReader(reading),
    // a part of registering with a test key
    readMatchFacts: matchFactsReader(intake, contacts),
    reconciliation: reconciliationContext(pool, { jobs, contacts, announce, events }),
    webhooks: webhookContext({ pool: reading, em }, { secretsKeys, ...ofWebhooks }),
    events,
  };
};
