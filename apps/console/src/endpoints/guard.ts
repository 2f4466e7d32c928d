import { type PlainEndpoint, plainEndpoint, plainEndpointWithParameters } from '@leadback/server/http';
import type { ConsoleContext } from '../context.ts';
import type { Capability } from '../contract/session.ts';
import { signedIn, toAccount, toAllAccounts, withSecondFactor } from '../sessions/authenticate.ts';

/** Why an endpoint needs no second factor of the last minutes. There is no other list of exceptions. */
export const reasonsWithoutSecondFactor = {
  reads: 'It changes nothing, and shows what the screens of the same person show.',
  proves: 'It is how people sign in or give the second factor: they cannot have given it before.',
  'ends-access': 'It only ends sessions of the person who asks: a person who has lost a browser is not kept from it.',
  repeats: 'It sends again what is stored, to where it was sent before, and no receiver counts it twice.',
  tests: 'It sends a test with nothing of anybody to a receiver that is stored already.',
  'takes-note': 'It only ends a notice that the person who asks was shown.',
  'has-no-effect-yet': 'It stores what nobody sees or counts until another request, which needs the second factor.',
} as const;

type WithoutSecondFactor = keyof typeof reasonsWithoutSecondFactor;

/** Endpoints of the console, which only its own web application calls: `contract` describes them. */
export const endpoint = plainEndpoint<ConsoleContext>();
export const endpointWithParameters = plainEndpointWithParameters<ConsoleContext>();

/** Who may call an endpoint: everybody, people who are signed in, or those who may do something. */
export type Access = 'everybody' | 'signed-in' | Capability;

/**
 * Whether an endpoint needs a second factor of the last minutes. Every line of the table says so: what changes something
 * needs one, unless there is a reason why not.
 */
type SecondFactor = 'fresh' | WithoutSecondFactor;

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
