import { endpoint, nothing } from '@leadback/http';
import { ConsoleRefusal } from '../console-refusal.ts';
import type { ConsoleContext } from '../context.ts';
import { sessionReply, stepUpInput } from '../contract/session.ts';
import { sessionOf } from '../sessions/authenticate.ts';
import { begin, secondsUntil } from './sign-in.ts';

export const stepUp = endpoint<ConsoleContext>()({
  method: 'post',
  path: '/session/step-up',
  subject: 'Session',
  summary: 'Give the second factor again',
  description: 'Replaces the session by a new one.',
  input: stepUpInput,
  headers: nothing,
  replies: { 200: { description: 'Stepped up.', body: sessionReply, example: undefined } },
  async handle({ input, response }, context) {
    const session = sessionOf(response);
    const verdict = await context.attempt(response, {
      kind: 'code',
      run: () => context.sessions.stepUp(session, input.code),
      isWrong: ({ kind }) => kind !== 'right' && kind !== 'signed-out',
    });
    if (verdict.kind === 'signed-out') throw new ConsoleRefusal('signed-out');
    if (verdict.kind === 'used') throw new ConsoleRefusal('code-used');
    if (verdict.kind === 'wrong') throw new ConsoleRefusal('code-wrong');
    if (verdict.kind === 'locked') throw new ConsoleRefusal('locked', secondsUntil(verdict.until));
    return { status: 200, body: await begin(response, context, verdict.token) };
  },
});
