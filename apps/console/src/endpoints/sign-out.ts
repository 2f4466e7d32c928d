import { sessionReply, signOutInput } from '../contract/session.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import { endpoint } from './guard.ts';
import { describeSession } from './session-view.ts';

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
