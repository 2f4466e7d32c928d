import type { Database } from '@leadback/db';
import { acceptInvitation, choosePassword, readInvitation } from '@leadback/core/people/invitations';
import { changePassword, confirmGuessedCodes, noteRefused } from '@leadback/core/people/passwords';
import {
  endGuessingSession,
  endOtherSessions,
  endSession,
  endSessionOf,
  findSessions,
  listSessions,
  noteSeen,
  type Session,
} from '@leadback/core/people/sessions';
import { hasPasskey, listPasskeys, removePasskey, renamePasskey } from '@leadback/core/people/passkeys';
import { secondFactorKeys, signIn, stepUp } from '@leadback/core/people/sign-in';
import { type VisibleAccount, visibleAccounts } from '@leadback/core/people/access';
import { batch } from '@leadback/db/batch';
import type { SecretsKeys } from '@leadback/domain/keys';
import type { ConsoleEvents } from '../events.ts';
import type { ProviderOptions } from './provider.ts';

type Person = Session['person'];

export interface SessionOptions {
  readonly database: Pick<Database, 'em' | 'pool'>;
  readonly secretsKeys: SecretsKeys;
  /** Where people open it. */
  readonly consoleUrl: string;
  readonly provider: ProviderOptions | undefined;
  readonly events: Pick<ConsoleEvents, 'refusalNotNoted'>;
}

export type SessionFinder = (token: string) => Promise<Session | undefined>;

/** Finds the session of a token. Lookups are batched, so that a flood of invented tokens uses at most two connections. */
export const sessionFinder = (pool: Database['pool']): SessionFinder => {
  const lookUp = batch((tokens: readonly string[]) => findSessions(pool, tokens), { itemsMax: 200, runsMax: 2 });
  // once for all requests of a session that come together: they would wait for each other's row
  const noting = new Map<number, Promise<Session>>();
  const note = (session: Session): Promise<Session> => {
    const noted = noting.get(session.id) ?? noteSeen(pool, session).finally(() => noting.delete(session.id));
    noting.set(session.id, noted);
    return noted;
  };
  return async (token) => {
    const session = await lookUp(token);
    if (!session) return undefined;
    return session.isSeenNoted ? session : note(session);
  };
};

/** Signing in and invitations: what people do before they have a session, and with it. */
export const sessionContext = ({ database: { em, pool }, secretsKeys, provider, events }: SessionOptions) => {
  const keys = secondFactorKeys(secretsKeys);
  // nobody waits for it: a response that takes longer would say that the person exists
  const onWrongPassword = (personId: number): void => {
    noteRefused(em(), personId, 'password').catch(events.refusalNotNoted);
  };
  return {
    find: sessionFinder(pool),
    end: (session: Session): Promise<void> => endSession(pool, session),
    endGuessing: (session: Session): Promise<void> => endGuessingSession(pool, session),
    signIn: (credentials: Parameters<typeof signIn>[2]) => signIn(em(), keys, credentials, onWrongPassword),
    stepUp: (session: Session, code: string) => stepUp(em(), keys, session, code),
    confirmGuessedCodes: (session: Session, count: number) => confirmGuessedCodes(pool, session, count),
    /** The name of the identity provider. */
    provider: provider?.name ?? null,
    hasPasskey: (person: Person): Promise<boolean> => hasPasskey(pool, person),
    visibleAccounts: (person: Person): Promise<VisibleAccount[]> => visibleAccounts(pool, person),
    readInvitation: (token: string) => readInvitation(em(), token),
    choosePassword: (chosen: Parameters<typeof choosePassword>[2]) => choosePassword(em(), keys, chosen),
    acceptInvitation: (given: Parameters<typeof acceptInvitation>[2]) => acceptInvitation(em(), keys, given),
  };
};

/** What people do for the security of their own sign-in. */
export const securityContext = ({ em }: Pick<Database, 'em'>) => ({
  read: async (session: Session) => ({
    passkeys: await listPasskeys(em(), session.person),
    sessions: await listSessions(em(), session),
  }),
  renamePasskey: ({ person }: Session, id: number, name: string) => renamePasskey(em(), person, id, name),
  removePasskey: ({ person }: Session, id: number) => removePasskey(em(), person, id),
  endSession: (session: Session, id: number) => endSessionOf(em(), session, id),
  endOtherSessions: (session: Session) => endOtherSessions(em(), session),
  changePassword: (session: Session, chosen: Parameters<typeof changePassword>[2]) =>
    changePassword(em(), session, chosen),
});
