import { nothing } from '@leadback/http';
import { sessionReply } from '../contract/session.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import { endpoint } from './guard.ts';
import { describeSession } from './session-view.ts';

export const readSession = endpoint({
  method: 'get',
  path: '/session',
  input: nothing,
  replies: { 200: { body: sessionReply } },
  async handle({ response }, { sessions }) {
    const { session } = response.req;
    return { status: 200, body: await describeSession(sessions, session, session && sessionCookie.read(response.req)) };
  },
});
