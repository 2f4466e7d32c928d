import { type PlainEndpoint, plainEndpoint, plainEndpointWithParameters } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import type { Capability } from '../contract/capability.ts';
import { signedIn, toAccount, toAllAccounts, withSecondFactor } from '../sessions/authenticate.ts';
import type { WithoutSecondFactor } from './without-second-factor.ts';

/** Endpoints of the console, which only its own web application calls: `contract` describes them. */
export const endpoint = plainEndpoint<ConsoleContext>();
export const endpointWithParameters = plainEndpointWithParameters<ConsoleContext>();

/** Who may call an endpoint: everybody, people who are signed in, or those who may do something. */
export type Access = 'everybody' | 'signed-in' | Capability;

/**
 * Whether an endpoint needs a second factor of the last minutes. Every line of the table says so: what changes something
 * needs one, unless there is a reason why not.
 */
export type SecondFactor = 'fresh' | WithoutSecondFactor;

export interface GuardedEndpoint extends PlainEndpoint<ConsoleContext> {
  readonly access: Access;
  readonly secondFactor: SecondFactor;
  /** Refused in suspended accounts. */
  readonly changes: boolean;
}

interface Options {
  /** False for a POST that only reads, and for what is also done in suspended accounts. */
  readonly changes?: boolean;
}

type One = PlainEndpoint<ConsoleContext>;
type Handlers = One['handlers'];

const guarded = (
  one: One,
  access: Access,
  secondFactor: SecondFactor,
  { guards, changes = one.method !== 'get' }: Options & { readonly guards: Handlers },
): GuardedEndpoint => {
  const last = secondFactor === 'fresh' ? [withSecondFactor] : [];
  return {
    ...one,
    access,
    secondFactor,
    changes,
    handlers: (context) => [...guards(context), ...last, ...one.handlers(context)],
  };
};

export const forEverybody = (one: One, secondFactor: WithoutSecondFactor): GuardedEndpoint =>
  guarded(one, 'everybody', secondFactor, { guards: () => [] });

export const forSession = (one: One, secondFactor: SecondFactor): GuardedEndpoint =>
  guarded(one, 'signed-in', secondFactor, { guards: () => [signedIn] });

/** For people who may see the account of the path and do this in it. */
export const ofAccount = (
  one: One,
  capability: Capability,
  secondFactor: SecondFactor,
  { changes = one.method !== 'get' }: Options = {},
): GuardedEndpoint => {
  const guards: Handlers = ({ findScope }) => [toAccount(findScope, capability, { changes })];
  return guarded(one, capability, secondFactor, { guards, changes });
};

/** For people who may do this, which is not within one account. */
export const acrossAccounts = (one: One, capability: Capability, secondFactor: SecondFactor): GuardedEndpoint =>
  guarded(one, capability, secondFactor, { guards: () => [toAllAccounts(capability)] });
