import { Refusal, seesAllAccounts } from '@leadback/domain';
import { nothing } from '@leadback/server/http';
import { visibleAccounts } from '@leadback/core/people/access';
import { acceptInvitation, choosePassword, readInvitation } from '@leadback/core/people/invitations';
import { hasPasskey } from '@leadback/core/people/passkeys';
import { confirmGuessedCodes, noteRefused } from '@leadback/core/people/passwords';
import { personEmail } from '@leadback/core/people/people';
import { endSession, type Session, steppedUpMs } from '@leadback/core/people/sessions';
import { secondFactorKeys, signIn, confirmSecondFactor } from '@leadback/core/people/sign-in';
import type { Response } from 'express';
import { encode } from 'uqr';
import { ConsoleRefusal } from '../console-refusal.ts';
import type { ConsoleContext } from '../context.ts';
import { passkeyOptions, usePasskeyInput } from '../contract/security.ts';
import {
  acceptInvitationInput,
  beginProviderReply,
  confirmGuessedCodesInput,
  finishProviderInput,
  providerCodeInput,
  readInvitationInput,
  readInvitationReply,
  type SessionReply,
  sessionReply,
  setPasswordInput,
  setPasswordReply,
  signInInput,
  stepUpInput,
} from '../contract/session.ts';
import { capabilitiesOf } from '../sessions/authenticate.ts';
import { attemptCookie, csrfTokenOf, deviceOf, sessionCookie } from '../sessions/browser.ts';
import { markBrowser } from '../sessions/limit-rate.ts';
import { passkeyOptionsFor, signInWithPasskey, stepUpWithPasskey } from '../sessions/passkeys.ts';
import { beginAtProvider, finishAtProvider, finishByCode } from '../sessions/provider.ts';
import { forEverybody, forSession } from './guard.ts';

const until = (since: Date, ms: number): string | null => {
  const end = new Date(since.getTime() + ms);
  return end > new Date() ? end.toISOString() : null;
};

/** The reply that describes a session, or that there is none. */
const describeSession = async (
  context: ConsoleContext,
  session: Session | undefined,
  token: string | undefined,
): Promise<SessionReply> => {
  const csrf = csrfTokenOf(token);
  const provider = context.provider?.name ?? null;
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
      hasPasskey: await hasPasskey(context.pool, person),
    },
    provider,
    accounts: await visibleAccounts(context.pool, person),
    idleUntil: idleUntil.toISOString(),
    steppedUpUntil: until(steppedUpAt, steppedUpMs),
    guessedCodes: guessedCodes && { count: guessedCodes.count, since: guessedCodes.since.toISOString() },
  };
};

/** Sends the cookie of a session that has just begun, knows its browser from now on, and describes it. It may have ended already. */
const begin = async (response: Response, context: ConsoleContext, token: string) => {
  const session = await context.findSession(token);
  if (!session) throw new ConsoleRefusal('signed-out');
  sessionCookie.set(response, token);
  markBrowser(context.browserKeys, response, session.person.email);
  return describeSession(context, session, token);
};

/** As `begin`, in place of the session that the browser has. */
const beginAnew = async (response: Response, context: ConsoleContext, token: string) => {
  const { session: earlier } = response.req;
  if (earlier) await endSession(context.pool, earlier);
  return begin(response, context, token);
};

const browserOf = ({ req: request }: Response) => deviceOf(request.get('user-agent'));

const secondsUntil = (time: Date): number => Math.max(1, Math.ceil((time.getTime() - Date.now()) / 1000));

const signingIn = [
  forEverybody('reads', {
    method: 'get',
    path: '/session',
    input: nothing,
    reply: sessionReply,
    handle({ response: { req: request } }, context) {
      const { session } = request;
      return describeSession(context, session, session && sessionCookie.read(request));
    },
  }),

  forEverybody('proves', {
    method: 'post',
    path: '/session/sign-in',
    input: signInInput,
    reply: sessionReply,
    async handle({ input, response }, context) {
      const { em, secretsKeys, events, limits } = context;
      const email = personEmail(input.email) ?? '';
      // nobody waits for it: a response that takes longer would say that the person exists
      const onWrongPassword = (personId: number): void => {
        noteRefused(em(), personId, 'password').catch(events.refusalNotNoted);
      };
      const credentials = { ...input, device: browserOf(response) };
      const verdict = await limits.attempt(response, {
        kind: 'sign-in',
        subject: `email ${email}`,
        email,
        run: () => signIn(em(), secondFactorKeys(secretsKeys), credentials, onWrongPassword),
        // also locked and used, which only the right password is told
        isWrong: ({ kind }) => kind !== 'right',
      });
      events.signInTried(verdict.kind === 'used' ? 'wrong' : verdict.kind);
      if (verdict.kind === 'used') throw new ConsoleRefusal('code-used');
      if (verdict.kind === 'wrong') throw new ConsoleRefusal('sign-in-failed');
      if (verdict.kind === 'locked') throw new ConsoleRefusal('locked', secondsUntil(verdict.until));
      return beginAnew(response, context, verdict.token);
    },
  }),

  forEverybody('proves', {
    method: 'post',
    path: '/session/passkey/options',
    input: nothing,
    reply: passkeyOptions,
    handle: async (_asked, context) => ({ ...(await passkeyOptionsFor(context)) }),
  }),

  forEverybody('proves', {
    method: 'post',
    path: '/session/passkey',
    input: usePasskeyInput,
    reply: sessionReply,
    async handle({ input: { credential }, response }, context) {
      const token = await context.limits.attempt(response, {
        kind: 'passkey',
        run: () => signInWithPasskey(context, credential, browserOf(response)),
        isWrong: (found) => found === undefined,
      });
      context.events.signInTried(token === undefined ? 'wrong' : 'right');
      if (token === undefined) throw new ConsoleRefusal('passkey-refused');
      return beginAnew(response, context, token);
    },
  }),

  forEverybody('ends-access', {
    method: 'post',
    path: '/session/sign-out',
    input: nothing,
    reply: sessionReply,
    async handle({ response }, context) {
      const { session } = response.req;
      if (session) await endSession(context.pool, session);
      sessionCookie.clear(response);
      return describeSession(context, undefined, undefined);
    },
  }),

  forSession('takes-note', {
    method: 'post',
    path: '/session/guessed-codes',
    input: confirmGuessedCodesInput,
    reply: sessionReply,
    async handle({ input: { count }, session, response }, context) {
      await confirmGuessedCodes(context.pool, session, count);
      const token = sessionCookie.read(response.req);
      const known = token === undefined ? undefined : await context.findSession(token);
      return describeSession(context, known, token);
    },
  }),
];

const steppingUp = [
  forSession('proves', {
    method: 'post',
    path: '/session/step-up',
    input: stepUpInput,
    reply: sessionReply,
    async handle({ input: { code }, session, response }, context) {
      const verdict = await context.limits.attempt(response, {
        kind: 'code',
        run: () => confirmSecondFactor(context.em(), secondFactorKeys(context.secretsKeys), session, code),
        isWrong: ({ kind }) => kind !== 'right' && kind !== 'signed-out',
      });
      if (verdict.kind === 'signed-out') throw new ConsoleRefusal('signed-out');
      if (verdict.kind === 'used') throw new ConsoleRefusal('code-used');
      if (verdict.kind === 'wrong') throw new ConsoleRefusal('code-wrong');
      if (verdict.kind === 'locked') throw new ConsoleRefusal('locked', secondsUntil(verdict.until));
      return begin(response, context, verdict.token);
    },
  }),

  forSession('proves', {
    method: 'post',
    path: '/session/step-up/passkey/options',
    input: nothing,
    reply: passkeyOptions,
    handle: async ({ session }, context) => ({ ...(await passkeyOptionsFor(context, session)) }),
  }),

  forSession('proves', {
    method: 'post',
    path: '/session/step-up/passkey',
    input: usePasskeyInput,
    reply: sessionReply,
    async handle({ input: { credential }, session, response }, context) {
      const verdict = await context.limits.attempt(response, {
        kind: 'passkey',
        run: () => stepUpWithPasskey(context, session, credential),
        isWrong: ({ kind }) => kind === 'wrong',
      });
      if (verdict.kind === 'wrong') throw new ConsoleRefusal('passkey-refused');
      if (verdict.kind === 'signed-out') throw new ConsoleRefusal('signed-out');
      return begin(response, context, verdict.token);
    },
  }),
];

const providerOf = ({ provider }: ConsoleContext) => {
  if (!provider) throw new Refusal('not-found', { message: 'this console has no identity provider' });
  return provider;
};

/** The attempt of this browser, which ends now unless it continues. */
const takeAttempt = (response: Response): string => {
  const attempt = attemptCookie.read(response.req);
  if (attempt === undefined) throw new ConsoleRefusal('provider-refused');
  return attempt;
};

const beginFromProvider = async (response: Response, context: ConsoleContext, token: string) => {
  const body = await beginAnew(response, context, token);
  attemptCookie.clear(response);
  return body;
};

const byProvider = [
  forEverybody('proves', {
    method: 'post',
    path: '/session/provider/begin',
    input: nothing,
    reply: beginProviderReply,
    async handle({ response }, context) {
      const { url, attempt } = await beginAtProvider(context, providerOf(context));
      attemptCookie.set(response, attempt);
      return { url };
    },
  }),

  forEverybody('proves', {
    method: 'post',
    path: '/session/provider',
    input: finishProviderInput,
    reply: sessionReply,
    async handle({ input: { query }, response }, context) {
      const provider = providerOf(context);
      const device = browserOf(response);
      const verdict = await context.limits.attempt(response, {
        kind: 'provider',
        run: () => finishAtProvider(context, provider, { attempt: takeAttempt(response), query, device }),
        isWrong: (found) => found === undefined,
      });
      if (verdict?.kind === 'code-needed') {
        attemptCookie.set(response, verdict.attempt);
        throw new ConsoleRefusal('provider-code-needed');
      }
      context.events.signInTried(verdict?.kind ?? 'wrong');
      if (!verdict) throw new ConsoleRefusal('provider-refused');
      if (verdict.kind === 'locked') throw new ConsoleRefusal('locked', secondsUntil(verdict.until));
      return beginFromProvider(response, context, verdict.token);
    },
  }),

  forEverybody('proves', {
    method: 'post',
    path: '/session/provider/code',
    input: providerCodeInput,
    reply: sessionReply,
    async handle({ input: { code }, response }, context) {
      const device = browserOf(response);
      const verdict = await context.limits.attempt(response, {
        kind: 'provider',
        async run() {
          providerOf(context);
          const found = await finishByCode(context, { attempt: takeAttempt(response), code, device });
          // here, so that a visitor whose code is refused as one too many can go on later
          if (found?.kind === 'code-needed') attemptCookie.set(response, found.attempt);
          return found;
        },
        isWrong: (found) => found?.kind !== 'right',
      });
      if (!verdict) throw new ConsoleRefusal('provider-refused');
      context.events.signInTried(verdict.kind === 'code-needed' ? 'wrong' : verdict.kind);
      if (verdict.kind === 'code-needed') throw new ConsoleRefusal('code-wrong');
      if (verdict.kind === 'locked') throw new ConsoleRefusal('locked', secondsUntil(verdict.until));
      return beginFromProvider(response, context, verdict.token);
    },
  }),
];

/** A QR code as a path of squares. */
const qrPath = (text: string) => {
  const { size, data } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join('') };
};

const byInvitation = [
  forEverybody('reads', {
    method: 'post',
    path: '/invitation/read',
    input: readInvitationInput,
    reply: readInvitationReply,
    async handle({ input: { token }, response }, { em, limits }) {
      const invitation = await limits.attempt(response, {
        kind: 'link',
        run: () => readInvitation(em(), token),
        isWrong: (found) => found === undefined,
      });
      if (!invitation) throw new ConsoleRefusal('invitation-invalid');
      return { ...invitation, expiresAt: invitation.expiresAt.toISOString() };
    },
  }),

  forEverybody('proves', {
    method: 'post',
    path: '/invitation/password',
    input: setPasswordInput,
    reply: setPasswordReply,
    async handle({ input, response }, { em, secretsKeys, limits }) {
      const secondFactor = await limits.attempt(response, {
        kind: 'link',
        run: () => choosePassword(em(), secondFactorKeys(secretsKeys), input),
        isWrong: (made) => made === undefined,
      });
      if (!secondFactor) throw new ConsoleRefusal('invitation-invalid');
      const { secret, url } = secondFactor;
      return { secret, url, qr: qrPath(url) };
    },
  }),

  forEverybody('proves', {
    method: 'post',
    path: '/invitation/accept',
    input: acceptInvitationInput,
    reply: sessionReply,
    async handle({ input, response }, context) {
      const { em, secretsKeys, limits } = context;
      const given = { ...input, device: browserOf(response) };
      const verdict = await limits.attempt(response, {
        kind: 'link',
        subject: `invitation ${input.token}`,
        run: () => acceptInvitation(em(), secondFactorKeys(secretsKeys), given),
        isWrong: ({ kind }) => kind !== 'right',
      });
      if (verdict.kind === 'invalid') throw new ConsoleRefusal('invitation-invalid');
      if (verdict.kind === 'wrong') throw new ConsoleRefusal('code-wrong');
      return begin(response, context, verdict.token);
    },
  }),
];

export const sessionEndpoints = [...signingIn, ...steppingUp, ...byProvider, ...byInvitation];
