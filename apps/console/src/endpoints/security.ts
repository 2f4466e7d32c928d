import { endpoint, nothing } from '@leadback/http';
import { ConsoleRefusal } from '../console-refusal.ts';
import type { ConsoleContext } from '../context.ts';
import { changePasswordInput, endSessionInput, securityReply } from '../contract/security.ts';
import { sessionOf } from '../sessions/authenticate.ts';
import { describePasskey } from './passkeys.ts';

const subject = 'Security';

export const readSecurity = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/security',
  subject,
  summary: 'How a person signs in, and where this person is signed in',
  description: 'Of the person who is signed in.',
  input: nothing,
  headers: nothing,
  replies: { 200: { description: 'Passkeys and sessions.', body: securityReply, example: undefined } },
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

export const endSessions = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/security/sessions/end',
  subject,
  summary: 'End sessions of the person who is signed in',
  description: 'One, or all others.',
  input: endSessionInput,
  headers: nothing,
  replies: { 200: { description: 'Ended.', body: nothing, example: undefined } },
  async handle({ input: { id }, response }, { ownSecurity }) {
    const session = sessionOf(response);
    await (id === undefined ? ownSecurity.endOtherSessions(session) : ownSecurity.endSession(session, id));
    return { status: 200, body: {} };
  },
});

export const changePassword = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/security/password',
  subject,
  summary: 'Change the password',
  description: 'Ends all other sessions of the person.',
  input: changePasswordInput,
  headers: nothing,
  replies: { 200: { description: 'Changed.', body: nothing, example: undefined } },
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
