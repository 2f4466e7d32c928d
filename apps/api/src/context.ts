import { type Contacts, type Database, boundedPool, transaction } from '@leadback/db';
import { type ConversionRegistrarOptions, conversionRegistrar } from '@leadback/core/conversions/register';
import { type ReconciliationCreator, reconciliationCreator } from '@leadback/core/reconciliation/create';
import {
  type ReconciliationReader,
  reconciliationReader,
  type RowsFile,
  rowsFile,
  type RowsReader,
  rowsReader,
} from '@leadback/core/reconciliation/read';
import { type ReconciliationWorker, reconciliationWorker } from '@leadback/core/reconciliation/work';
import { type ReplayStarter, replayStarter } from '@leadback/core/reconciliation/replay';
import { urlCheck, type UrlCheckOptions, type Webhooks, webhooks } from '@leadback/core/webhooks/webhooks';
import { clientBatchRegistrar, conversionBatchRegistrar } from '@leadback/core/batches';
import { clientRegistrar } from '@leadback/core/clients/register';
import { conversionAdjuster } from '@leadback/core/conversions/adjust';
import { erasureAsker } from '@leadback/core/erasure/ask/ask-by-api';
import { imports } from '@leadback/core/imports/store';
import { type WebhookDeliveryLister, webhookDeliveryLister } from '@leadback/core/webhooks/list-deliveries';
import { type SecretsKeys, leadReferenceKeys } from '@leadback/domain/keys';
import { Refusal } from '@leadback/domain';
import { allowPerson, type PersonToAllow } from '@leadback/core/erasure/keep-erased-keys';
import { erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import type { AcceptedLog } from './accepted.ts';
import type { ApiEvents } from './events.ts';
import type { JobsPool } from './pools.ts';

/** What the endpoints and jobs of reconciliations use. */
export interface ReconciliationContext {
  readonly create: ReconciliationCreator;
  readonly read: ReconciliationReader;
  readonly readRows: RowsReader;
  readonly rowsFile: RowsFile;
  readonly startReplay: ReplayStarter;
  /** Counts and announces what it registers. */
  readonly work: ReconciliationWorker;
}

type ReconciliationEvents = Pick<ApiEvents, 'conversionRegistered' | 'reconciliationDone' | 'reconciliationGivenUp'>;

interface ReconciliationContextOptions {
  /** For the work on lists, so that requests that read wait for none of it. */
  readonly jobs: JobsPool;
  readonly contacts: Contacts;
  readonly announce: ConversionRegistrarOptions['announce'];
  readonly events: ReconciliationEvents;
}

const reconciliationContext = (
  pool: Database['pool'],
  { jobs, contacts, announce, events }: ReconciliationContextOptions,
): ReconciliationContext => {
  const work = reconciliationWorker(jobs, {
    contacts,
    onRegistered({ isTest }, { outcomes, parcels }) {
      for (const result of outcomes) {
        if (result.outcome === 'created') events.conversionRegistered({ currency: result.currency, isTest });
      }
      if (parcels.length > 0) announce(parcels);
    },
  });
  return {
    create: reconciliationCreator(pool, contacts),
    read: reconciliationReader(pool),
    readRows: rowsReader(pool, contacts),
    rowsFile: rowsFile(pool, contacts),
    startReplay: replayStarter(pool),
    async work(id) {
      const slice = await work(id);
      if (slice?.isDone === true) {
        if (slice.error === undefined) events.reconciliationDone(slice);
        else events.reconciliationGivenUp(slice);
      }
      return slice;
    },
  };
};

/** What the endpoints of webhooks use. */
interface WebhookContext extends Webhooks {
  readonly deliveries: WebhookDeliveryLister;
}

interface WebhookOptions extends UrlCheckOptions {
  readonly secretsKeys: SecretsKeys;
}

const webhookContext = (
  { pool, em }: Pick<Database, 'pool' | 'em'>,
  { secretsKeys, ...ofUrls }: WebhookOptions,
): WebhookContext => ({
  ...webhooks(pool, { em, secretsKeys, checkUrl: urlCheck(ofUrls) }),
  deliveries: webhookDeliveryLister(pool),
});

interface ApiContextOptions {
  readonly database: Pick<Database, 'pool' | 'em'>;
  /** For registrations, so that they wait for no report. */
  readonly intake: Database['pool'];
  /** For the slices of reconciliations. */
  readonly jobs: JobsPool;
  readonly secretsKeys: SecretsKeys;
  readonly contacts: Contacts;
  readonly ofWebhooks: Omit<WebhookOptions, 'secretsKeys'>;
  /** See `ConversionRegistrarOptions`. */
  readonly announce: ConversionRegistrarOptions['announce'];
  readonly events: ApiEvents;
  /** What the endpoints register is noted here. */
  readonly accepted: AcceptedLog;
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
}: ApiContextOptions) => {
  const { pool, em } = database;
  const reading = boundedPool(pool, { waitingMax: readsWaitingMax, overflow: () => new Refusal('overloaded') });
  const referenceKeys = leadReferenceKeys(secretsKeys);
  const ofBatches = { contacts, announce, onRefused: events.itemNotStored };
  const keysOfErasures = erasureKeys(secretsKeys);
  return {
    /** For requests that read. Throws `overloaded` while many wait. */
    reading,
    /** For registrations, so that they wait for no report. */
    intake,
    contacts,
    erasureKeys: keysOfErasures,
    events,
    accepted,
    registerClient: clientRegistrar(intake, { referenceKeys, contacts, announce }),
    registerClients: clientBatchRegistrar(intake, { referenceKeys, ...ofBatches }),
    registerConversion: conversionRegistrar(intake, { contacts, announce }),
    registerConversions: conversionBatchRegistrar(intake, ofBatches),
    adjustConversion: conversionAdjuster(intake, { announce }),
    askErasure: erasureAsker(intake, keysOfErasures),
    allowPerson: (person: PersonToAllow) => transaction(intake, (on) => allowPerson(on, person, contacts)),
    imports: imports(pool),
    reconciliation: reconciliationContext(pool, { jobs, contacts, announce, events }),
    webhooks: webhookContext({ pool: reading, em }, { secretsKeys, ...ofWebhooks }),
  };
};

export type ApiContext = ReturnType<typeof apiContext>;
