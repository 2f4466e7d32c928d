import { confirmGuessedCodesInput, sessionReply } from '../contract/session.ts';
import { sessionOf } from '../sessions/authenticate.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import { endpoint } from './guard.ts';
import { describeSession } from './session-view.ts';

export const confirmGuessedCodes = endpoint({
  method: 'post',
  path: '/session/guessed-codes',
  input: confirmGuessedCodesInput,
  replies: { 200: { body: sessionReply } },
  async handle({ input: { count }, response }, { sessions }) {
    await sessions.confirmGuessedCodes(sessionOf(response), count);
    const token = sessionCookie.read(response.req);
    const session = token === undefined ? undefined : await sessions.find(token);
    return { status: 200, body: await describeSession(sessions, session, token) };
  },
});
