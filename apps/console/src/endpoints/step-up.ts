import { ConsoleRefusal } from '../console-refusal.ts';
import { sessionReply, stepUpInput } from '../contract/session.ts';
import { sessionOf } from '../sessions/authenticate.ts';
import { endpoint } from './guard.ts';
import { begin, secondsUntil } from './sign-in.ts';

export const stepUp = endpoint({
  method: 'post',
  path: '/session/step-up',
  input: stepUpInput,
  replies: { 200: { body: sessionReply } },
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
