import { nothing } from '@leadback/http';
import { ConsoleRefusal } from '../console-refusal.ts';
import { passkeyOptions, usePasskeyInput } from '../contract/security.ts';
import { sessionReply } from '../contract/session.ts';
import { sessionOf } from '../sessions/authenticate.ts';
import { deviceOf } from '../sessions/device-of.ts';
import { endpoint } from './guard.ts';
import { begin } from './sign-in.ts';

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
