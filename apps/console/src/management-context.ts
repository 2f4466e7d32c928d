import {
  changeAccount,
  createAccount,
  issueKey,
  listAccounts,
  listKeys,
  revokeKey,
  setAccountStatus,
} from '@leadback/administration';
import type { Database } from '@leadback/db';
import {
  type AccountScope,
  changePerson,
  audit,
  auditView,
  disablePerson,
  inviteAgain,
  inviteNewPerson,
  listAudit,
  listPeople,
  signOutPerson,
} from '@leadback/people';
import type { SecretsKeys } from '@leadback/secrets';

type Given<Action extends (em: never, given: never) => unknown> = Parameters<Action>[1];

export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number];
export type ListedAccount = Awaited<ReturnType<typeof listAccounts>>[number];

export interface ManagementOptions {
  readonly consoleUrl: string;
  /** Where partners call the API; undefined: not known. */
  readonly apiUrl: string | undefined;
}

interface Dependencies {
  readonly database: Pick<Database, 'em' | 'pool'>;
  readonly secretsKeys: SecretsKeys;
}

/** Keys, accounts and people: what the operator's command line does as well. */
export const managementContext = (
  { database: { em, pool }, secretsKeys }: Dependencies,
  options: ManagementOptions,
) => ({
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

export type Management = ReturnType<typeof managementContext>;
