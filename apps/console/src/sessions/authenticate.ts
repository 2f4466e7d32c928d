import { Refusal, type Role, roles } from '@leadback/domain';
import { addToRequestLog } from '@leadback/server/http';
import { type AccountScope, accountScope } from '@leadback/core/people/access';
import { findSessions, noteSeen, type Session, steppedUpMs } from '@leadback/core/people/sessions';
import type { Pool } from '@leadback/db';
import { batch } from '@leadback/db/batch';
import type { Request, RequestHandler, Response } from 'express';
import { ConsoleRefusal } from '../console-refusal.ts';
import { type Capability, capabilities } from '../contract/session.ts';
import { rowId } from '../contract/values.ts';
import { leadReferenceFor, type PersonalData, personalData } from '../personal-data.ts';
import { sessionCookie } from './browser.ts';

const marketing: readonly Role[] = ['admin', 'operator', 'marketer', 'partner-admin'];
// without marketers: what can leak personal data or money
const technical: readonly Role[] = ['admin', 'operator', 'partner-admin'];

/** Who may do what. Only the roles that see all accounts have what is not within one. */
const rolesOf: Readonly<Record<Capability, readonly Role[]>> = {
  read: roles,
  'see-personal-data': technical,
  retry: marketing,
  'edit-pages': marketing,
  'manage-connections': technical,
  'manage-webhooks': technical,
  'manage-keys': technical,
  'import-sales': technical,
  erase: technical,
  'read-audit': technical,
  'manage-people': ['admin'],
  'manage-accounts': ['admin', 'operator'],
};

export const mayDo = (role: Role, capability: Capability): boolean => rolesOf[capability].includes(role);

export const capabilitiesOf = (role: Role): Capability[] => capabilities.filter((one) => mayDo(role, one));

declare global {
  namespace Express {
    interface Request {
      /** Of the person who is signed in. */
      session?: Session;
      /** The account of the path, which this person may see. */
      scope?: AccountScope;
    }
  }
}

export type SessionFinder = (token: string) => Promise<Session | undefined>;

/** Finds the session of a token. It holds the lookups in progress: batched, so that a flood of invented tokens uses at most two connections. */
export const sessionFinder = (pool: Pool): SessionFinder => {
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

/** Finds the session of a request, if it has one. A cookie without a session is cleared. */
export const findSession =
  (find: SessionFinder): RequestHandler =>
  async (request, response, next) => {
    const token = sessionCookie.read(request);
    const session = token === undefined ? undefined : await find(token);
    if (session) {
      request.session = session;
      addToRequestLog(response, { personId: session.person.id });
    } else if (token !== undefined) sessionCookie.clear(response);
    next();
  };

const requireSession = ({ session }: Request): Session => {
  if (!session) throw new ConsoleRefusal('signed-out');
  return session;
};

/** The session of the caller. For handlers of endpoints that need one. */
export const sessionOf = ({ req: request }: Response): Session => requireSession(request);

/** The account of the path. For handlers of endpoints of accounts. */
export const scopeOf = ({ req: { scope } }: Response): AccountScope => {
  if (!scope) throw new Error('the request is not authorised');
  return scope;
};

export const signedIn: RequestHandler = (request, _response, next) => {
  requireSession(request);
  next();
};

// people who run the console also look into what is suspended
const seesSuspended = (role: Role) => role === 'admin' || role === 'operator';

/**
 * Lets people who may do this pass to the account of the path, if they may see it. An account that they may not see is
 * refused as one that does not exist, before their role is. `changes`: refuses suspended accounts to everybody.
 */
export const toAccount =
  (pool: Pool, capability: Capability, { changes }: { readonly changes: boolean }): RequestHandler =>
  async (request, _response, next) => {
    const { person } = requireSession(request);
    const { data: id } = rowId.safeParse(request.params['account']);
    const scope = id === undefined ? undefined : await accountScope(pool, person, id);
    if (!scope) throw new Refusal('not-found', { message: 'there is no such account, or you are not a member' });
    if (!mayDo(person.role, capability)) throw new ConsoleRefusal('role-forbids');
    if (scope.status === 'suspended' && (changes || !seesSuspended(person.role)))
      throw new Refusal('account-suspended');
    request.scope = scope;
    next();
  };

/** Lets people who may do this pass to what is not within one account. */
export const toAllAccounts =
  (capability: Capability): RequestHandler =>
  (request, _response, next) => {
    if (!mayDo(requireSession(request).person.role, capability)) throw new ConsoleRefusal('role-forbids');
    next();
  };

/** Refuses unless the second factor was given within the last minutes. */
export const withSecondFactor: RequestHandler = (request, _response, next) => {
  const { steppedUpAt } = requireSession(request);
  if (Date.now() - steppedUpAt.getTime() > steppedUpMs) throw new ConsoleRefusal('second-factor-needed');
  next();
};

/** How the caller sees what was found. */
export interface DataFor extends PersonalData {
  readonly leadReference: (reference: string) => string;
}

export const dataFor = ({ person: { role } }: Session): DataFor => ({
  ...personalData(mayDo(role, 'see-personal-data')),
  leadReference: (reference) => leadReferenceFor(mayDo(role, 'erase'), reference),
});
