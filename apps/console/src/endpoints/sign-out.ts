import { endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import { sessionReply, signOutInput } from '../contract/session.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import { describeSession } from './session-view.ts';

export const signOut = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/session/sign-out',
  subject: 'Session',
  summary: 'Sign out',
  description: 'Ends the session, if there is one.',
  input: signOutInput,
  headers: nothing,
  replies: { 200: { description: 'Signed out.', body: sessionReply, example: undefined } },
  async handle({ response }, { sessions }) {
    const { session } = response.req;
    if (session) await sessions.end(session);
    sessionCookie.clear(response);
    return { status: 200, body: await describeSession(sessions, undefined, undefined) };
  },
});
