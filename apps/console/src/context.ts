import { knownBrowserKeys } from '@leadback/secrets';
import type { RequestHandler, Response } from 'express';
import { type AccountScope, accountScope, type Session } from '@leadback/people';
import { urlCheck, type UrlCheckOptions, type Webhooks, webhooks } from '@leadback/intake';
import {
  type DeliveryLister,
  deliveryLister,
  type DeliveryReader,
  deliveryReader,
  type Finder,
  finder,
  type OverviewReader,
  overviewReader,
  type StoryReader,
  storyReader,
  type UndeliveredCounter,
  undeliveredCounter,
  type UndeliveredReader,
  undeliveredReader,
  type QualityReader,
  qualityReader,
  type WaitingReader,
  waitingReader,
  type WebhookDeliveryLister,
  webhookDeliveryLister,
} from '@leadback/reports';
import { openContacts } from '@leadback/db';
import type { Platforms } from '@leadback/platforms';
import { type Connections, connections } from './connections/connections.ts';
import type { ConsoleEvents } from './events.ts';
import { type Management, managementContext, type ManagementOptions } from './management-context.ts';
import { type ImportsContext, importsContext } from './files/imports-context.ts';
import { type ReconciliationsContext, reconciliationsContext } from './files/reconciliations-context.ts';
import { erasureKeys } from '@leadback/erasure/ask';
import { type Erasures, erasures } from './erasures/erasures.ts';
import { type PayloadPreviewer, payloadPreviewer } from './payload/preview-payload.ts';
import { type DeliveriesRetrier, deliveriesRetrier } from './retry/retry-deliveries.ts';
import { type Tasks, tasks } from './retry/tasks.ts';
import { pages, type Pages } from './pages/pages.ts';
import { attempts, browserMarker, limitRequests, uploadsLimiter } from './sessions/limit-rate.ts';
import { passkeys } from './sessions/passkeys/passkeys.ts';
import { providerSignIn } from './sessions/provider/provider-sign-in.ts';
import { securityContext, sessionContext, type SessionOptions } from './sessions/session-context.ts';

type Person = Session['person'];

/** What the endpoints may use. */
export interface ConsoleContext {
  readonly sessions: ReturnType<typeof sessionContext>;
  readonly passkeys: ReturnType<typeof passkeys>;
  /** Undefined: people sign in without an identity provider. */
  readonly provider: ReturnType<typeof providerSignIn> | undefined;
  readonly ownSecurity: ReturnType<typeof securityContext>;
  readonly limitRequests: RequestHandler;
  readonly attempt: ReturnType<typeof attempts>;
  /** Marks the browser as one in which the person with this email has signed in. */
  readonly knowBrowser: (response: Response, email: string) => void;
  readonly findScope: (person: Person, accountId: number) => Promise<AccountScope | undefined>;
  readonly readOverview: OverviewReader;
  readonly readUndelivered: UndeliveredReader;
  readonly countUndelivered: UndeliveredCounter;
  readonly readWaiting: WaitingReader;
  readonly listDeliveries: DeliveryLister;
  readonly readDelivery: DeliveryReader;
  readonly previewPayload: PayloadPreviewer;
  readonly findByText: Finder;
  readonly readStory: StoryReader;
  readonly retryDeliveries: DeliveriesRetrier;
  readonly tasks: Tasks;
  readonly connections: Connections;
  readonly management: Management;
  readonly imports: ImportsContext;
  readonly reconciliations: ReconciliationsContext;
  readonly webhooks: Webhooks;
  readonly listWebhookDeliveries: WebhookDeliveryLister;
  readonly readQuality: QualityReader;
  readonly pages: Pages;
  readonly limitUploads: ReturnType<typeof uploadsLimiter>;
  readonly erasures: Erasures;
  readonly events: ConsoleEvents;
}

interface ConsoleContextOptions extends SessionOptions, ManagementOptions {
  readonly platforms: Platforms;
  readonly ofWebhooks: UrlCheckOptions;
  /** Public URL of apps/landing. */
  readonly landingUrl: string;
  readonly events: ConsoleEvents;
}

export const consoleContext = (options: ConsoleContextOptions): ConsoleContext => {
  const { database, secretsKeys, consoleUrl, apiUrl, provider, platforms, ofWebhooks, landingUrl, events } = options;
  const { pool, em } = database;
  const contacts = openContacts(secretsKeys);
  const browserKeys = knownBrowserKeys(secretsKeys);
  const sessions = sessionContext(options);
  const countUndelivered = undeliveredCounter(pool);
  return {
    sessions,
    passkeys: passkeys(database, consoleUrl),
    provider: provider && providerSignIn({ ...options, provider, onUnavailable: events.providerUnavailable }),
    ownSecurity: securityContext(database),
    limitRequests: limitRequests(browserKeys),
    attempt: attempts(browserKeys, sessions.endGuessing),
    knowBrowser: browserMarker(browserKeys),
    findScope: (person, accountId) => accountScope(pool, person, accountId),
    readOverview: overviewReader(pool),
    readUndelivered: undeliveredReader(pool),
    countUndelivered,
    readWaiting: waitingReader(pool),
    listDeliveries: deliveryLister(pool),
    readDelivery: deliveryReader(pool),
    previewPayload: payloadPreviewer(pool, { platforms, secretsKeys, contacts }),
    findByText: finder(pool, contacts),
    readStory: storyReader(pool, contacts),
    retryDeliveries: deliveriesRetrier(database),
    tasks: tasks(database, countUndelivered),
    connections: connections(database, { platforms, secretsKeys }),
    management: managementContext({ database, secretsKeys }, { consoleUrl, apiUrl }),
    imports: importsContext(database),
    reconciliations: reconciliationsContext(database, contacts),
    webhooks: webhooks(pool, { em, secretsKeys, checkUrl: urlCheck(ofWebhooks) }),
    listWebhookDeliveries: webhookDeliveryLister(pool),
    readQuality: qualityReader(pool),
    pages: pages({ database, secretsKeys, landingUrl }),
    limitUploads: uploadsLimiter(),
    erasures: erasures(database, { keys: erasureKeys(secretsKeys), contacts, landingUrl }),
    events,
  };
};
