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
  async handle({ response }, { passkeys, limitSecrets }) {
    // each attempt needs a challenge, so this limits attempts as well
    limitSecrets(response);
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
    const token = await context.passkeys.signIn(credential, deviceOf(response.req.get('user-agent')));
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
  async handle({ response }, { passkeys, limitSecrets }) {
    const session = sessionOf(response);
    limitSecrets(response, `person ${session.person.id}`);
    return { status: 200, body: { ...(await passkeys.stepUpOptions(session)) } };
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
    const token = await context.passkeys.stepUp(sessionOf(response), credential);
    if (token === undefined) throw new ConsoleRefusal('passkey-refused');
    return { status: 200, body: await begin(response, context, token) };
  },
});
