import { nothing } from '@leadback/http';
import { ConsoleRefusal } from '../console-refusal.ts';
import { changePasswordInput, endSessionInput, securityReply } from '../contract/security.ts';
import { sessionOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';
import { describePasskey } from './passkeys.ts';

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
