import { personEmail } from '@leadback/people';
import type { Response } from 'express';
import { ConsoleRefusal } from '../console-refusal.ts';
import type { ConsoleContext } from '../context.ts';
import { sessionReply, signInInput } from '../contract/session.ts';
import { deviceOf } from '../sessions/device-of.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import { endpoint } from './guard.ts';
import { describeSession } from './session-view.ts';

/** Sends the cookie of a session that has just begun, knows its browser from now on, and describes it. It may have ended already. */
export const begin = async (
  response: Response,
  { sessions, knowBrowser }: Pick<ConsoleContext, 'sessions' | 'knowBrowser'>,
  token: string,
) => {
  const session = await sessions.find(token);
  if (!session) throw new ConsoleRefusal('signed-out');
  sessionCookie.set(response, token);
  knowBrowser(response, session.person.email);
  return describeSession(sessions, session, token);
};

export const secondsUntil = (time: Date): number => Math.max(1, Math.ceil((time.getTime() - Date.now()) / 1000));

export const signIn = endpoint({
  method: 'post',
  path: '/session/sign-in',
  input: signInInput,
  replies: { 200: { body: sessionReply } },
  async handle({ input, response }, context) {
    const email = personEmail(input.email) ?? '';
    const verdict = await context.attempt(response, {
      kind: 'sign-in',
      subject: `email ${email}`,
      email,
      run: () => context.sessions.signIn({ ...input, device: deviceOf(response.req.get('user-agent')) }),
      // also locked and used, which only the right password is told
      isWrong: ({ kind }) => kind !== 'right',
    });
    context.events.signInTried(verdict.kind === 'used' ? 'wrong' : verdict.kind);
    if (verdict.kind === 'used') throw new ConsoleRefusal('code-used');
    if (verdict.kind === 'wrong') throw new ConsoleRefusal('sign-in-failed');
    if (verdict.kind === 'locked') throw new ConsoleRefusal('locked', secondsUntil(verdict.until));
    const { session: earlier } = response.req;
    if (earlier) await context.sessions.end(earlier);
    return { status: 200, body: await begin(response, context, verdict.token) };
  },
});
