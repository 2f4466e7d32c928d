import { seesAllAccounts } from '@leadback/domain';
import { nothing } from '@leadback/server/http';
import { personEmail } from '@leadback/core/people/people';
import { type Session, steppedUpMs } from '@leadback/core/people/sessions';
import type { Response } from 'express';
import { ConsoleRefusal } from '../console-refusal.ts';
import type { ConsoleContext } from '../context.ts';
import { passkeyOptions, usePasskeyInput } from '../contract/security.ts';
import {
  confirmGuessedCodesInput,
  type SessionReply,
  sessionReply,
  signInInput,
  signOutInput,
  stepUpInput,
} from '../contract/session.ts';
import { capabilitiesOf, sessionOf } from '../sessions/authenticate.ts';
import { csrfTokenOf, deviceOf, sessionCookie } from '../sessions/browser.ts';
import { endpoint } from './guard.ts';

const until = (since: Date, ms: number): string | null => {
  const end = new Date(since.getTime() + ms);
  return end > new Date() ? end.toISOString() : null;
};

/** The reply that describes a session, or that there is none. */
const describeSession = async (
  {
    visibleAccounts,
    hasPasskey,
    provider,
  }: Pick<ConsoleContext['sessions'], 'visibleAccounts' | 'hasPasskey' | 'provider'>,
  session: Session | undefined,
  token: string | undefined,
): Promise<SessionReply> => {
  const csrf = csrfTokenOf(token);
  if (!session) {
    return { csrf, person: null, provider, accounts: [], idleUntil: null, steppedUpUntil: null, guessedCodes: null };
  }
  const { person, steppedUpAt, idleUntil, guessedCodes } = session;
  return {
    csrf,
    person: {
      ...person,
      may: capabilitiesOf(person.role),
      seesAllAccounts: seesAllAccounts(person.role),
      hasPasskey: await hasPasskey(person),
    },
    provider,
    accounts: await visibleAccounts(person),
    idleUntil: idleUntil.toISOString(),
    steppedUpUntil: until(steppedUpAt, steppedUpMs),
    guessedCodes: guessedCodes && { count: guessedCodes.count, since: guessedCodes.since.toISOString() },
  };
};

export const readSession = endpoint({
  method: 'get',
  path: '/session',
  input: nothing,
  replies: { 200: { body: sessionReply } },
  async handle({ response }, { sessions }) {
    const { session } = response.req;
    return { status: 200, body: await describeSession(sessions, session, session && sessionCookie.read(response.req)) };
  },
});

export const signOut = endpoint({
  method: 'post',
  path: '/session/sign-out',
  input: signOutInput,
  replies: { 200: { body: sessionReply } },
  async handle({ response }, { sessions }) {
    const { session } = response.req;
    if (session) await sessions.end(session);
    sessionCookie.clear(response);
    return { status: 200, body: await describeSession(sessions, undefined, undefined) };
  },
});

/** Sends the cookie of a session that has just begun, knows its browser from now on, and describes it. It may have ended already. */
export const begin = async (
  response: Response,
  { sessions, knowBrowser }: Pick<ConsoleContext, 'sessions' | 'knowBrowser'>,
  token: string,
) => {
  const session = await sessions.find(token);
  if (!session) throw new ConsoleRefusal('signed-out');
  sessionCookie.set(response, token);
  knowBrowser(response, session.person.email);
  return describeSession(sessions, session, token);
};

export const secondsUntil = (time: Date): number => Math.max(1, Math.ceil((time.getTime() - Date.now()) / 1000));

export const signIn = endpoint({
  method: 'post',
  path: '/session/sign-in',
  input: signInInput,
  replies: { 200: { body: sessionReply } },
  async handle({ input, response }, context) {
    const email = personEmail(input.email) ?? '';
    const verdict = await context.attempt(response, {
      kind: 'sign-in',
      subject: `email ${email}`,
      email,
      run: () => context.sessions.signIn({ ...input, device: deviceOf(response.req.get('user-agent')) }),
      // also locked and used, which only the right password is told
      isWrong: ({ kind }) => kind !== 'right',
    });
    context.events.signInTried(verdict.kind === 'used' ? 'wrong' : verdict.kind);
    if (verdict.kind === 'used') throw new ConsoleRefusal('code-used');
    if (verdict.kind === 'wrong') throw new ConsoleRefusal('sign-in-failed');
    if (verdict.kind === 'locked') throw new ConsoleRefusal('locked', secondsUntil(verdict.until));
    const { session: earlier } = response.req;
    if (earlier) await context.sessions.end(earlier);
    return { status: 200, body: await begin(response, context, verdict.token) };
  },
});

export const stepUp = endpoint({
  method: 'post',
  path: '/session/step-up',
  input: stepUpInput,
  replies: { 200: { body: sessionReply } },
  async handle({ input, response }, context) {
    const session = sessionOf(response);
    const verdict = await context.attempt(response, {
      kind: 'code',
      run: () => context.sessions.stepUp(session, input.code),
      isWrong: ({ kind }) => kind !== 'right' && kind !== 'signed-out',
    });
    if (verdict.kind === 'signed-out') throw new ConsoleRefusal('signed-out');
    if (verdict.kind === 'used') throw new ConsoleRefusal('code-used');
    if (verdict.kind === 'wrong') throw new ConsoleRefusal('code-wrong');
    if (verdict.kind === 'locked') throw new ConsoleRefusal('locked', secondsUntil(verdict.until));
    return { status: 200, body: await begin(response, context, verdict.token) };
  },
});

export const confirmGuessedCodes = endpoint({
  method: 'post',
  path: '/session/guessed-codes',
  input: confirmGuessedCodesInput,
  replies: { 200: { body: sessionReply } },
  async handle({ input: { count }, response }, { sessions }) {
    await sessions.confirmGuessedCodes(sessionOf(response), count);
    const token = sessionCookie.read(response.req);
    const session = token === undefined ? undefined : await sessions.find(token);
    return { status: 200, body: await describeSession(sessions, session, token) };
  },
});

const options = { 200: { body: passkeyOptions } };

export const signInOptions = endpoint({
  method: 'post',
  path: '/session/passkey/options',
  input: nothing,
  replies: options,
  async handle(_given, { passkeys }) {
    return { status: 200, body: { ...(await passkeys.signInOptions()) } };
  },
});

export const signInWithPasskey = endpoint({
  method: 'post',
  path: '/session/passkey',
  input: usePasskeyInput,
  replies: { 200: { body: sessionReply } },
  async handle({ input: { credential }, response }, context) {
    const token = await context.attempt(response, {
      kind: 'passkey',
      run: () => context.passkeys.signIn(credential, deviceOf(response.req.get('user-agent'))),
      isWrong: (found) => found === undefined,
    });
    context.events.signInTried(token === undefined ? 'wrong' : 'right');
    if (token === undefined) throw new ConsoleRefusal('passkey-refused');
    const { session: earlier } = response.req;
    if (earlier) await context.sessions.end(earlier);
    return { status: 200, body: await begin(response, context, token) };
  },
});

export const stepUpOptions = endpoint({
  method: 'post',
  path: '/session/step-up/passkey/options',
  input: nothing,
  replies: options,
  async handle({ response }, { passkeys }) {
    return { status: 200, body: { ...(await passkeys.stepUpOptions(sessionOf(response))) } };
  },
});

export const stepUpWithPasskey = endpoint({
  method: 'post',
  path: '/session/step-up/passkey',
  input: usePasskeyInput,
  replies: { 200: { body: sessionReply } },
  async handle({ input: { credential }, response }, context) {
    const session = sessionOf(response);
    const verdict = await context.attempt(response, {
      kind: 'passkey',
      run: () => context.passkeys.stepUp(session, credential),
      isWrong: ({ kind }) => kind === 'wrong',
    });
    if (verdict.kind === 'wrong') throw new ConsoleRefusal('passkey-refused');
    if (verdict.kind === 'signed-out') throw new ConsoleRefusal('signed-out');
    return { status: 200, body: await begin(response, context, verdict.token) };
  },
});
