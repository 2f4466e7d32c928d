import { endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import { sessionReply } from '../contract/session.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import { describeSession } from './session-view.ts';

export const readSession = endpoint<ConsoleContext>()({
  method: 'get',
  path: '/session',
  subject: 'Session',
  summary: 'Who is signed in',
  description: 'Also gives the token that every POST needs.',
  input: nothing,
  headers: nothing,
  replies: { 200: { description: 'The session, or none.', body: sessionReply, example: undefined } },
  async handle({ response }, { sessions }) {
    const { session } = response.req;
    return { status: 200, body: await describeSession(sessions, session, session && sessionCookie.read(response.req)) };
  },
});
