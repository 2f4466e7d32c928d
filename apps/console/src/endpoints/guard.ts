import { type PlainDescription, type PlainEndpoint, plainEndpoint } from '@leadback/server/http';
import type { AccountScope } from '@leadback/core/people/access';
import type { Session } from '@leadback/core/people/sessions';
import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import { FieldProblems } from '../console-refusal.ts';
import type { ConsoleContext } from '../context.ts';
import type { Capability } from '../contract/session.ts';
import { rowId } from '../contract/values.ts';
import { scopeOf, sessionOf, signedIn, toAccount, toAllAccounts, withSecondFactor } from '../sessions/authenticate.ts';

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

/** Who may call an endpoint: everybody, people who are signed in, or those who may do something. */
export type Access = 'everybody' | 'signed-in' | Capability;

/**
 * Whether an endpoint needs a second factor of the last minutes. Every endpoint says so: what changes something needs one,
 * unless there is a reason why not.
 */
type SecondFactor = 'fresh' | WithoutSecondFactor;

export interface GuardedEndpoint extends PlainEndpoint<ConsoleContext> {
  readonly access: Access;
  readonly secondFactor: SecondFactor;
  /** Refused in suspended accounts. */
  readonly changes: boolean;
}

/** What an endpoint is asked by somebody who is signed in. */
interface OfPerson {
  readonly session: Session;
  /** The email of the person, for the audit. */
  readonly actor: string;
}

export interface OfAccount extends OfPerson {
  /** The account of the path. */
  readonly scope: AccountScope;
}

/** What names a row of a path. */
export const ofId = z.object({ id: rowId });

/** An endpoint of the console, which only its own web application calls: `contract` describes it. */
interface Own<Asked, Input extends z.ZodType, Reply extends z.ZodType> extends PlainDescription<Input, Reply> {
  /** Default: unless it is a GET. False for a POST that only reads, and for what is also done in suspended accounts. */
  readonly changes?: boolean;
  readonly handle: (
    asked: Asked & { readonly input: z.output<Input>; readonly response: Response },
    context: ConsoleContext,
  ) => Promise<z.input<NoInfer<Reply>>>;
}

interface Guard<Asked> {
  readonly access: Access;
  readonly secondFactor: SecondFactor;
  readonly askedBy: (response: Response) => Asked;
  readonly guards: (context: ConsoleContext, changes: boolean) => readonly RequestHandler[];
}

const guarded = <Asked, Input extends z.ZodType, Reply extends z.ZodType>(
  { access, secondFactor, askedBy, guards }: Guard<Asked>,
  { handle, changes = true, ...description }: Own<Asked, Input, Reply>,
): GuardedEndpoint => {
  const one = plainEndpoint(description, (asked, context: ConsoleContext) =>
    handle({ ...askedBy(asked.response), ...asked }, context),
  );
  const isChange = changes && one.method !== 'get';
  const last = secondFactor === 'fresh' ? [withSecondFactor] : [];
  return {
    ...one,
    access,
    secondFactor,
    changes: isChange,
    handlers: (context) => [...guards(context, isChange), ...last, ...one.handlers(context)],
  };
};

const askedByPerson = (response: Response): OfPerson => {
  const session = sessionOf(response);
  return { session, actor: session.person.email };
};

export const forEverybody = <Input extends z.ZodType, Reply extends z.ZodType>(
  secondFactor: WithoutSecondFactor,
  one: Own<object, Input, Reply>,
): GuardedEndpoint => guarded({ access: 'everybody', secondFactor, askedBy: () => ({}), guards: () => [] }, one);

export const forSession = <Input extends z.ZodType, Reply extends z.ZodType>(
  secondFactor: SecondFactor,
  one: Own<OfPerson, Input, Reply>,
): GuardedEndpoint =>
  guarded({ access: 'signed-in', secondFactor, askedBy: askedByPerson, guards: () => [signedIn] }, one);

/** For people who may see the account of the path and do this in it. */
export const ofAccount = <Input extends z.ZodType, Reply extends z.ZodType>(
  access: Capability,
  secondFactor: SecondFactor,
  one: Own<OfAccount, Input, Reply>,
): GuardedEndpoint =>
  guarded(
    {
      access,
      secondFactor,
      askedBy: (response) => ({ ...askedByPerson(response), scope: scopeOf(response) }),
      guards: ({ pool }, changes) => [toAccount(pool, access, { changes })],
    },
    one,
  );

/** For people who may do this, which is not within one account. */
export const acrossAccounts = <Input extends z.ZodType, Reply extends z.ZodType>(
  access: Capability,
  secondFactor: SecondFactor,
  one: Own<OfPerson, Input, Reply>,
): GuardedEndpoint =>
  guarded({ access, secondFactor, askedBy: askedByPerson, guards: () => [toAllAccounts(access)] }, one);

/** Runs an action on typed settings; if it finds some wrong, the reply says what is wrong with each of them. */
export const naming = async <Reply>(act: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new FieldProblems(error.issues.map(({ path, message }) => ({ field: path.join('.'), message })));
  }
};
