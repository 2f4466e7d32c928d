import type { Endpoint } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import type { Capability } from '../contract/capability.ts';
import { signedIn, toAccount, toAllAccounts, withSecondFactor } from '../sessions/authenticate.ts';

/** Who may call an endpoint: everybody, people who are signed in, or those who may do something. */
export type Access = 'everybody' | 'signed-in' | Capability;

export interface GuardedEndpoint extends Endpoint<ConsoleContext> {
  readonly access: Access;
  readonly needsSecondFactor: boolean;
  /** Refused in suspended accounts. */
  readonly changes: boolean;
}

interface Options {
  /** For what would help a thief of a session most: keys, credentials, people, erasure, exports. */
  readonly secondFactor?: boolean;
  /** False for a POST that only reads. */
  readonly changes?: boolean;
}

type One = Endpoint<ConsoleContext>;
type Handlers = One['handlers'];

const guarded = (one: One, access: Access, guards: Handlers, options: Options = {}): GuardedEndpoint => {
  const { secondFactor: needsSecondFactor = false, changes = one.method !== 'get' } = options;
  const last = needsSecondFactor ? [withSecondFactor] : [];
  return {
    ...one,
    access,
    needsSecondFactor,
    changes,
    handlers: (context) => [...guards(context), ...last, ...one.handlers(context)],
  };
};

export const forEverybody = (one: One): GuardedEndpoint => guarded(one, 'everybody', () => []);

export const forSession = (one: One, options: Options = {}): GuardedEndpoint =>
  guarded(one, 'signed-in', () => [signedIn], options);

/** For people who may see the account of the path and do this in it. */
export const ofAccount = (one: One, capability: Capability, options: Options = {}): GuardedEndpoint => {
  const { changes = one.method !== 'get' } = options;
  return guarded(one, capability, ({ findScope }) => [toAccount(findScope, capability, { changes })], options);
};

/** For people who may do this, which is not within one account. */
export const acrossAccounts = (one: One, capability: Capability, options: Options = {}): GuardedEndpoint =>
  guarded(one, capability, () => [toAllAccounts(capability)], options);
