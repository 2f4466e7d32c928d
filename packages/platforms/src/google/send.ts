import { judgeReply } from '../judge-reply.ts';
import { parseJson } from '../parse-json.ts';
import type { Answer, PlatformEvent, SendingMode } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import type { Reply } from '../post.ts';
import { redaction } from '../redact.ts';
import { judgeGoogleAnswer } from './answer.ts';
import { googleErrorOf } from './error.ts';
import { forbidsUserData } from './error-reasons.ts';
import { byClickAlone, ingestBody } from './ingest.ts';
import type { GoogleSettings } from './settings.ts';
import type { Grant } from './token-request.ts';

export interface GoogleAccount {
  readonly url: string;
  readonly settings: GoogleSettings;
  readonly mode: SendingMode;
  /** An access token, another than the `refused` one. */
  readonly token: (refused?: string) => Promise<Grant>;
}

const isUnauthorized = (reply: Reply) => reply.kind === 'answered' && reply.status === 401;

const reasonsOf = (reply: Reply) =>
  reply.kind === 'answered' ? googleErrorOf(parseJson(reply.body))?.reasons : undefined;

/** Sends events to `events:ingest`; once more with a fresh access token, and once more without personal data, where Google asks for it. */
export const sendToGoogle = async (
  events: readonly PlatformEvent[],
  { url, settings, mode, token }: GoogleAccount,
  { post, now, requestTimeoutMs: timeoutMs }: PlatformContext,
): Promise<Answer> => {
  // the repeats share the time of one request: whoever waits for the answer reckons with one
  const signal = AbortSignal.timeout(timeoutMs);
  const ingest = (accessToken: string, sent: readonly PlatformEvent[]) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    return post({ url, headers, json: ingestBody(settings, mode, sent), signal, timeoutMs });
  };

  let grant = await token();
  if (grant.kind === 'denied') return grant.answer;
  let reply = await ingest(grant.accessToken, events);

  if (isUnauthorized(reply)) {
    grant = await token(grant.accessToken);
    if (grant.kind === 'denied') return grant.answer;
    reply = await ingest(grant.accessToken, events);
  }

  const clicks = forbidsUserData(reasonsOf(reply) ?? []) ? byClickAlone(events) : undefined;
  if (clicks !== undefined) reply = await ingest(grant.accessToken, clicks);

  const personal = events.map((event) => [event['adIdentifiers'], event['userData']]);
  return judgeReply(reply, {
    judge: judgeGoogleAnswer(mode, events.length),
    redact: redaction(grant.accessToken, personal),
    nowMs: now(),
  });
};
