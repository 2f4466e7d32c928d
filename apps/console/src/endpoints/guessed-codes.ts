import { endpoint, nothing } from '@leadback/http';
import type { ConsoleContext } from '../context.ts';
import { confirmGuessedCodesInput, sessionReply } from '../contract/session.ts';
import { sessionOf } from '../sessions/authenticate.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import { describeSession } from './session-view.ts';

export const confirmGuessedCodes = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/session/guessed-codes',
  subject: 'Session',
  summary: 'Confirm to have read of wrong codes with the right password',
  description: 'Of as many as were shown; if there were more meanwhile, they are shown again.',
  input: confirmGuessedCodesInput,
  headers: nothing,
  replies: { 200: { description: 'The session.', body: sessionReply, example: undefined } },
  async handle({ input: { count }, response }, { sessions }) {
    await sessions.confirmGuessedCodes(sessionOf(response), count);
    const token = sessionCookie.read(response.req);
    const session = token === undefined ? undefined : await sessions.find(token);
    return { status: 200, body: await describeSession(sessions, session, token) };
  },
});
