import { type ContactCipher, type Database, boundedPool } from '@leadback/db';
import { conversionRegistrar } from '@leadback/core/conversions/register';
import type { RegistrarOptions } from '@leadback/core/registering';
import { sourceReceiver } from '@leadback/core/sources/receive';
import type { RefusalCounter } from '@leadback/core/sources/refusals';
import { urlCheck, type UrlCheckOptions } from '@leadback/core/webhooks/webhooks';
import { clientBatchRegistrar, conversionBatchRegistrar } from '@leadback/core/batches';
import { clientRegistrar } from '@leadback/core/clients/register';
import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { leadRegistrar } from '@leadback/core/leads/register';
import { type SecretsKeys, leadReferenceKeys } from '@leadback/domain/keys';
import { Refusal } from '@leadback/domain';
import { erasureAsker, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import type { AcceptedLog } from '@leadback/core/accepted';
import type { ApiEvents } from './events.ts';
import type { JobsPool } from './pools.ts';

interface ApiContextOptions {
  readonly database: Pick<Database, 'pool'>;
  /** For registrations, so that they wait for no report. */
  readonly intake: Database['pool'];
  /** For the slices of reconciliations. */
  readonly jobs: JobsPool;
  readonly secretsKeys: SecretsKeys;
  readonly contacts: ContactCipher;
  readonly ofWebhooks: UrlCheckOptions;
  /** See `RegistrarOptions`. */
  readonly announce: RegistrarOptions['announce'];
  readonly events: ApiEvents;
  /** What the endpoints register is noted here. */
  readonly accepted: AcceptedLog;
  /** What sources were sent with wrong signatures is counted here. */
  readonly refusals: RefusalCounter;
}

// the reads that three connections finish in some tens of milliseconds
const readsWaitingMax = 200;

/** What the endpoints use: connections, keys, and what groups the requests of all callers. */
export const apiContext = ({
  database,
  intake,
  jobs,
  secretsKeys,
  contacts,
  ofWebhooks,
  announce,
  events,
  accepted,
  refusals,
}: ApiContextOptions) => {
  const { pool } = database;
  const reading = boundedPool(pool, { waitingMax: readsWaitingMax, overflow: () => new Refusal('overloaded') });
  const referenceKeys = leadReferenceKeys(secretsKeys);
  const ofBatches = { contacts, announce, onRefused: events.itemNotStored };
  const keysOfErasures = erasureKeys(secretsKeys);
  return {
    /** For requests that read. Throws `overloaded` while many wait. */
    reading,
    /** For registrations, so that they wait for no report. */
    intake,
    jobs,
    /** For files and lists, whose rows come and go one slice after the other. */
    pool,
    contacts,
    secretsKeys,
    announce,
    erasureKeys: keysOfErasures,
    events,
    accepted,
    refusals,
    registerLead: leadRegistrar(intake, { referenceKeys, contacts }),
    registerClient: clientRegistrar(intake, { referenceKeys, contacts, announce }),
    registerClients: clientBatchRegistrar(intake, { referenceKeys, ...ofBatches }),
    registerConversion: conversionRegistrar(intake, { referenceKeys, contacts, announce }),
    registerConversions: conversionBatchRegistrar(intake, { referenceKeys, ...ofBatches }),
    adjustConversion: conversionAdjuster(intake, { announce }),
    askErasure: erasureAsker(intake, keysOfErasures),
    receiveFromSource: sourceReceiver(intake, { secretsKeys, referenceKeys, contacts }),
    checkUrl: urlCheck(ofWebhooks),
  };
};

export type ApiContext = ReturnType<typeof apiContext>;
