import { changeAccount, createAccount, listAccounts, setAccountStatus } from '@leadback/core/accounts/accounts';
import { issueKey, listKeys, revokeKey } from '@leadback/core/api-keys/keys';
import { type Contacts, type Database, openContacts } from '@leadback/db';
import { erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { type UrlCheck, type UrlCheckOptions, urlCheck } from '@leadback/core/webhooks/webhooks';
import { type AccountScope, accountScope } from '@leadback/core/people/access';
import { audit, auditView, listAudit } from '@leadback/core/audit';
import { changePerson, disablePerson, listPeople, signOutPerson } from '@leadback/core/people/people';
import { inviteAgain, inviteNewPerson } from '@leadback/core/people/invitations';
import type { Session } from '@leadback/core/people/sessions';
import type { Platforms } from '@leadback/platforms';
import { type Keys, knownBrowserKeys, type SecretsKeys } from '@leadback/domain/keys';
import type { RequestHandler, Response } from 'express';
import { type Connections, connections } from './connections.ts';
import type { ConsoleEvents } from './events.ts';
import { type Pages, pages } from './pages/pages.ts';
import { type PayloadPreviewer, payloadPreviewer } from './preview-payload.ts';
import { attempts, browserMarker, limitRequests, uploadsLimiter } from './sessions/limit-rate.ts';
import { passkeys } from './sessions/passkeys.ts';
import { providerSignIn } from './sessions/provider.ts';
import { type SessionOptions, securityContext, sessionContext } from './sessions/session-context.ts';

type Given<Action extends (em: never, given: never) => unknown> = Parameters<Action>[1];

export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number];
export type ListedAccount = Awaited<ReturnType<typeof listAccounts>>[number];

interface ManagementOptions {
  readonly consoleUrl: string;
  /** Where partners call the API; undefined: not known. */
  readonly apiUrl: string | undefined;
}

interface Dependencies {
  readonly database: Pick<Database, 'em' | 'pool'>;
  readonly secretsKeys: SecretsKeys;
}

/** Keys, accounts and people: what the operator's command line does as well. */
const managementContext = ({ database: { em, pool }, secretsKeys }: Dependencies, options: ManagementOptions) => ({
  ...options,
  listKeys: ({ accountId }: AccountScope) => listKeys(em(), accountId),
  issueKey: ({ accountId }: AccountScope, key: Omit<Given<typeof issueKey>, 'accountId'>) =>
    issueKey(em(), { ...key, accountId }),
  revokeKey: ({ accountId }: AccountScope, key: Omit<Given<typeof revokeKey>, 'accountId'>) =>
    revokeKey(em(), { ...key, accountId }),
  listAccounts: (wanted: Given<typeof listAccounts>) => listAccounts(em(), wanted),
  createAccount: (settings: Omit<Given<typeof createAccount>, 'secretsKeys'>) =>
    createAccount(em(), { ...settings, secretsKeys }),
  changeAccount: ({ accountId: id }: AccountScope, changes: Omit<Given<typeof changeAccount>, 'id'>) =>
    changeAccount(em(), { ...changes, id }),
  setAccountStatus: ({ accountId: id }: AccountScope, status: Omit<Given<typeof setAccountStatus>, 'id'>) =>
    setAccountStatus(em(), { ...status, id }),
  listPeople: (wanted: Given<typeof listPeople>) => listPeople(em(), wanted),
  inviteNewPerson: (person: Given<typeof inviteNewPerson>) => inviteNewPerson(em(), person),
  inviteAgain: (person: Given<typeof inviteAgain>) => inviteAgain(em(), person),
  changePerson: (person: Given<typeof changePerson>) => changePerson(em(), person),
  disablePerson: (person: Given<typeof disablePerson>) => disablePerson(em(), person),
  signOutPerson: (person: Given<typeof signOutPerson>) => signOutPerson(em(), person),
  /** Before the file is sent: `target`, such as `import 7`. */
  noteDownload: ({ accountId }: AccountScope, actor: string, target: string) =>
    audit(em(), { actor, action: 'file.download', accountId, target }),
  /** Whose data it counts is in no entry. */
  noteCount: ({ accountId }: AccountScope, actor: string) =>
    audit(em(), { actor, action: 'client.count', accountId, target: `account ${accountId}` }),
  noteView: ({ accountId }: AccountScope, actor: string) => auditView(em(), actor, accountId),
  listAudit: (filter: Given<typeof listAudit>) => listAudit(pool, filter),
});

type Management = ReturnType<typeof managementContext>;

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
  readonly pool: Database['pool'];
  readonly contacts: Contacts;
  readonly erasureKeys: Keys;
  /** Public URL of apps/landing. */
  readonly landingUrl: string;
  readonly previewPayload: PayloadPreviewer;
  readonly connections: Connections;
  readonly management: Management;
  readonly secretsKeys: SecretsKeys;
  /** Of webhooks. */
  readonly checkUrl: UrlCheck;
  readonly pages: Pages;
  readonly limitUploads: ReturnType<typeof uploadsLimiter>;
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
  const { pool } = database;
  const contacts = openContacts(secretsKeys);
  const browserKeys = knownBrowserKeys(secretsKeys);
  const sessions = sessionContext(options);
  return {
    sessions,
    passkeys: passkeys(database, consoleUrl),
    provider: provider && providerSignIn({ ...options, provider, onUnavailable: events.providerUnavailable }),
    ownSecurity: securityContext(database),
    limitRequests: limitRequests(browserKeys),
    attempt: attempts(browserKeys, sessions.endGuessing),
    knowBrowser: browserMarker(browserKeys),
    findScope: (person, accountId) => accountScope(pool, person, accountId),
    pool,
    contacts,
    erasureKeys: erasureKeys(secretsKeys),
    landingUrl,
    previewPayload: payloadPreviewer(pool, { platforms, secretsKeys, contacts }),
    connections: connections(database, { platforms, secretsKeys }),
    management: managementContext({ database, secretsKeys }, { consoleUrl, apiUrl }),
    secretsKeys,
    checkUrl: urlCheck(ofWebhooks),
    pages: pages({ database, secretsKeys, landingUrl }),
    limitUploads: uploadsLimiter(),
    events,
  };
};
