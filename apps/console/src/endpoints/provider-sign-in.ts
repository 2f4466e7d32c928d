import { Refusal } from '@leadback/domain';
import { nothing } from '@leadback/server/http';
import type { Response } from 'express';
import { ConsoleRefusal } from '../console-refusal.ts';
import type { ConsoleContext } from '../context.ts';
import { beginProviderReply, finishProviderInput, providerCodeInput, sessionReply } from '../contract/session.ts';
import { attemptCookie, deviceOf } from '../sessions/browser.ts';
import { endpoint } from './guard.ts';
import { begin, secondsUntil } from './session.ts';

const providerOf = ({ provider }: ConsoleContext) => {
  if (!provider) throw new Refusal('not-found', { message: 'this console has no identity provider' });
  return provider;
};

/** The attempt of this browser, which ends now unless it continues. */
const takeAttempt = (response: Response): string => {
  const attempt = attemptCookie.read(response.req);
  if (attempt === undefined) throw new ConsoleRefusal('provider-refused');
  return attempt;
};

const started = async (response: Response, context: ConsoleContext, token: string) => {
  const { session: earlier } = response.req;
  if (earlier) await context.sessions.end(earlier);
  const body = await begin(response, context, token);
  attemptCookie.clear(response);
  return { status: 200 as const, body };
};

export const beginProvider = endpoint({
  method: 'post',
  path: '/session/provider/begin',
  input: nothing,
  replies: { 200: { body: beginProviderReply } },
  async handle({ response }, context) {
    const { url, attempt } = await providerOf(context).begin();
    attemptCookie.set(response, attempt);
    return { status: 200, body: { url } };
  },
});

export const finishProvider = endpoint({
  method: 'post',
  path: '/session/provider',
  input: finishProviderInput,
  replies: { 200: { body: sessionReply } },
  async handle({ input: { query }, response }, context) {
    const provider = providerOf(context);
    const verdict = await context.attempt(response, {
      kind: 'provider',
      run: () => provider.finish(takeAttempt(response), query, deviceOf(response.req.get('user-agent'))),
      isWrong: (found) => found === undefined,
    });
    if (verdict?.kind === 'code-needed') {
      attemptCookie.set(response, verdict.attempt);
      throw new ConsoleRefusal('provider-code-needed');
    }
    context.events.signInTried(verdict?.kind ?? 'wrong');
    if (!verdict) throw new ConsoleRefusal('provider-refused');
    if (verdict.kind === 'locked') throw new ConsoleRefusal('locked', secondsUntil(verdict.until));
    return started(response, context, verdict.token);
  },
});

export const finishProviderByCode = endpoint({
  method: 'post',
  path: '/session/provider/code',
  input: providerCodeInput,
  replies: { 200: { body: sessionReply } },
  async handle({ input: { code }, response }, context) {
    const device = deviceOf(response.req.get('user-agent'));
    const verdict = await context.attempt(response, {
      kind: 'provider',
      async run() {
        const found = await providerOf(context).finishByCode(takeAttempt(response), code, device);
        // here, so that a visitor whose code is refused as one too many can go on later
        if (found?.kind === 'code-needed') attemptCookie.set(response, found.attempt);
        return found;
      },
      isWrong: (found) => found?.kind !== 'right',
    });
    if (!verdict) throw new ConsoleRefusal('provider-refused');
    context.events.signInTried(verdict.kind === 'code-needed' ? 'wrong' : verdict.kind);
    if (verdict.kind === 'code-needed') throw new ConsoleRefusal('code-wrong');
    if (verdict.kind === 'locked') throw new ConsoleRefusal('locked', secondsUntil(verdict.until));
    return started(response, context, verdict.token);
  },
});
