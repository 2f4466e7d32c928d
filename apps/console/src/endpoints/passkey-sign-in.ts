import { endpoint, nothing } from '@leadback/http';
import { ConsoleRefusal } from '../console-refusal.ts';
import type { ConsoleContext } from '../context.ts';
import { passkeyOptions, usePasskeyInput } from '../contract/passkeys.ts';
import { sessionReply } from '../contract/session.ts';
import { sessionOf } from '../sessions/authenticate.ts';
import { deviceOf } from '../sessions/device-of.ts';
import { begin } from './sign-in.ts';

const subject = 'Session';
const options = { 200: { description: 'For the browser.', body: passkeyOptions, example: undefined } };

export const signInOptions = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/session/passkey/options',
  subject,
  summary: 'Begin to sign in with a passkey',
  description: 'The challenge is for one attempt within 5 minutes.',
  input: nothing,
  headers: nothing,
  replies: options,
  async handle(_given, { passkeys }) {
    return { status: 200, body: { ...(await passkeys.signInOptions()) } };
  },
});

export const signInWithPasskey = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/session/passkey',
  subject,
  summary: 'Sign in with a passkey',
  description: 'It is both factors: the authenticator has checked who uses it.',
  input: usePasskeyInput,
  headers: nothing,
  replies: { 200: { description: 'Signed in.', body: sessionReply, example: undefined } },
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

export const stepUpOptions = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/session/step-up/passkey/options',
  subject,
  summary: 'Begin to give the second factor again with a passkey',
  description: 'The challenge is for one attempt within 5 minutes.',
  input: nothing,
  headers: nothing,
  replies: options,
  async handle({ response }, { passkeys }) {
    return { status: 200, body: { ...(await passkeys.stepUpOptions(sessionOf(response))) } };
  },
});

export const stepUpWithPasskey = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/session/step-up/passkey',
  subject,
  summary: 'Give the second factor again with a passkey',
  description: 'Replaces the session by a new one.',
  input: usePasskeyInput,
  headers: nothing,
  replies: { 200: { description: 'Stepped up.', body: sessionReply, example: undefined } },
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
