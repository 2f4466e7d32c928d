import type { Database } from '@leadback/db';
import {
  acceptInvitation,
  type AccountScope,
  accountScope,
  choosePassword,
  endSession,
  findSession,
  readInvitation,
  secondFactorKeys,
  type Session,
  signIn,
  stepUp,
  type VisibleAccount,
  visibleAccounts,
} from '@leadback/people';
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
import type { Platforms } from '@leadback/platforms';
import type { SecretsKeys } from '@leadback/secrets';
import { type Connections, connections } from './connections/connections.ts';
import type { ConsoleEvents } from './events.ts';
import { type Management, managementContext, type ManagementOptions } from './management-context.ts';
import { type ImportsContext, importsContext } from './files/imports-context.ts';
import { type ReconciliationsContext, reconciliationsContext } from './files/reconciliations-context.ts';
import { type Erasures, erasures } from './erasures/erasures.ts';
import { erasureKeys } from './erasures/kept-person.ts';
import { type PayloadPreviewer, payloadPreviewer } from './payload/preview-payload.ts';
import { type DeliveriesRetrier, deliveriesRetrier } from './retry/retry-deliveries.ts';
import { type Tasks, tasks } from './retry/tasks.ts';
import { pages, type Pages } from './pages/pages.ts';
import { secretsLimiter, uploadsLimiter } from './sessions/limit-rate.ts';

type Person = Session['person'];

/** Signing in and invitations: what people do before they have a session, and with it. */
const sessionContext = ({ em, pool }: Pick<Database, 'em' | 'pool'>, secretsKeys: SecretsKeys) => {
  const keys = secondFactorKeys(secretsKeys);
  return {
    find: (token: string): Promise<Session | undefined> => findSession(pool, token),
    end: (session: Session): Promise<void> => endSession(pool, session),
    signIn: (credentials: Parameters<typeof signIn>[2]) => signIn(em(), keys, credentials),
    stepUp: (session: Session, code: string) => stepUp(em(), keys, session, code),
    visibleAccounts: (person: Person): Promise<VisibleAccount[]> => visibleAccounts(pool, person),
    readInvitation: (token: string) => readInvitation(em(), token),
    choosePassword: (chosen: Parameters<typeof choosePassword>[2]) => choosePassword(em(), keys, chosen),
    acceptInvitation: (given: Parameters<typeof acceptInvitation>[2]) => acceptInvitation(em(), keys, given),
  };
};

/** What the endpoints may use. */
export interface ConsoleContext {
  readonly sessions: ReturnType<typeof sessionContext>;
  readonly limitSecrets: ReturnType<typeof secretsLimiter>;
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

interface ConsoleContextOptions extends ManagementOptions {
  readonly database: Pick<Database, 'em' | 'pool'>;
  readonly secretsKeys: SecretsKeys;
  readonly platforms: Platforms;
  readonly ofWebhooks: UrlCheckOptions;
  /** Public URL of apps/landing. */
  readonly landingUrl: string;
  readonly events: ConsoleEvents;
}

export const consoleContext = ({
  database,
  secretsKeys,
  platforms,
  ofWebhooks,
  landingUrl,
  events,
  ...options
}: ConsoleContextOptions): ConsoleContext => {
  const { pool, em } = database;
  const countUndelivered = undeliveredCounter(pool);
  return {
    sessions: sessionContext(database, secretsKeys),
    limitSecrets: secretsLimiter(),
    findScope: (person, accountId) => accountScope(pool, person, accountId),
    readOverview: overviewReader(pool),
    readUndelivered: undeliveredReader(pool),
    countUndelivered,
    readWaiting: waitingReader(pool),
    listDeliveries: deliveryLister(pool),
    readDelivery: deliveryReader(pool),
    previewPayload: payloadPreviewer(pool, { platforms, secretsKeys }),
    findByText: finder(pool),
    readStory: storyReader(pool),
    retryDeliveries: deliveriesRetrier(database),
    tasks: tasks(database, countUndelivered),
    connections: connections(database, { platforms, secretsKeys }),
    management: managementContext(database, options),
    imports: importsContext(database),
    reconciliations: reconciliationsContext(database),
    webhooks: webhooks(pool, { em, secretsKeys, checkUrl: urlCheck(ofWebhooks) }),
    listWebhookDeliveries: webhookDeliveryLister(pool),
    readQuality: qualityReader(pool),
    pages: pages({ database, secretsKeys, landingUrl }),
    limitUploads: uploadsLimiter(),
    erasures: erasures(database, erasureKeys(secretsKeys)),
    events,
  };
};
