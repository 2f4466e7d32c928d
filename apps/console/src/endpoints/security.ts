import { nothing } from '@leadback/server/http';
import type { PasskeyFacts } from '@leadback/core/people/passkeys';
import { ConsoleRefusal } from '../console-refusal.ts';
import {
  addPasskeyInput,
  changePasswordInput,
  endSessionInput,
  type PasskeyView,
  passkeyOptions,
  passkeyView,
  removePasskeyInput,
  renamePasskeyInput,
  securityReply,
} from '../contract/security.ts';
import { sessionOf } from '../sessions/authenticate.ts';
import { deviceOf } from '../sessions/browser.ts';
import { endpoint } from './guard.ts';

const describePasskey = ({ id, name, createdAt, usedAt }: PasskeyFacts): PasskeyView => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  usedAt: usedAt?.toISOString() ?? null,
});

export const creationOptions = endpoint({
  method: 'post',
  path: '/security/passkeys/options',
  input: nothing,
  replies: { 200: { body: passkeyOptions } },
  handle: async ({ response }, { passkeys }) => ({
    status: 200,
    body: { ...(await passkeys.creationOptions(sessionOf(response))) },
  }),
});

export const addPasskey = endpoint({
  method: 'post',
  path: '/security/passkeys',
  input: addPasskeyInput,
  replies: { 200: { body: passkeyView } },
  async handle({ input: { credential }, response }, { passkeys }) {
    const name = deviceOf(response.req.get('user-agent')) ?? 'Passkey';
    const added = await passkeys.add(sessionOf(response), credential, name);
    if (!added) throw new ConsoleRefusal('passkey-refused');
    return { status: 200, body: describePasskey(added) };
  },
});

export const renamePasskey = endpoint({
  method: 'post',
  path: '/security/passkeys/rename',
  input: renamePasskeyInput,
  replies: { 200: { body: nothing } },
  async handle({ input: { id, name }, response }, { ownSecurity }) {
    await ownSecurity.renamePasskey(sessionOf(response), id, name);
    return { status: 200, body: {} };
  },
});

export const removePasskey = endpoint({
  method: 'post',
  path: '/security/passkeys/remove',
  input: removePasskeyInput,
  replies: { 200: { body: nothing } },
  async handle({ input: { id }, response }, { ownSecurity }) {
    await ownSecurity.removePasskey(sessionOf(response), id);
    return { status: 200, body: {} };
  },
});

export const readSecurity = endpoint({
  method: 'get',
  path: '/security',
  input: nothing,
  replies: { 200: { body: securityReply } },
  async handle({ response }, { ownSecurity, passkeys: { supportsPasskeys } }) {
    const session = sessionOf(response);
    const { passkeys, sessions } = await ownSecurity.read(session);
    return {
      status: 200,
      body: {
        supportsPasskeys,
        passkeys: passkeys.map(describePasskey),
        sessions: sessions.map(({ id, device, createdAt, seenAt }) => ({
          id,
          device: device ?? null,
          createdAt: createdAt.toISOString(),
          seenAt: seenAt.toISOString(),
          isCurrent: id === session.id,
        })),
      },
    };
  },
});

export const endSessions = endpoint({
  method: 'post',
  path: '/security/sessions/end',
  input: endSessionInput,
  replies: { 200: { body: nothing } },
  async handle({ input: { id }, response }, { ownSecurity }) {
    const session = sessionOf(response);
    await (id === undefined ? ownSecurity.endOtherSessions(session) : ownSecurity.endSession(session, id));
    return { status: 200, body: {} };
  },
});

export const changePassword = endpoint({
  method: 'post',
  path: '/security/password',
  input: changePasswordInput,
  replies: { 200: { body: nothing } },
  async handle({ input, response }, { ownSecurity, attempt }) {
    const session = sessionOf(response);
    const verdict = await attempt(response, {
      kind: 'password',
      run: () => ownSecurity.changePassword(session, input),
      isWrong: (found) => found === 'wrong',
    });
    if (verdict === 'signed-out') throw new ConsoleRefusal('signed-out');
    if (verdict === 'wrong') throw new ConsoleRefusal('password-wrong');
    return { status: 200, body: {} };
  },
});
