import { judgeReply } from '../judge-reply.ts';
import { type AuthorizedAccess, authorizedCalls } from '../oauth/authorized-calls.ts';
import { parseJson } from '../parse-json.ts';
import type { Answer, PlatformEvent, SendingMode } from '../platform.ts';
import type { PlatformContext } from '../platform-context.ts';
import { redaction } from '../redact.ts';
import type { Reply } from '../request.ts';
import { judgeGoogleAnswer } from './answer.ts';
import { googleErrorOf } from './error.ts';
import { forbidsUserData } from './codes.ts';
import { byClickAlone, ingestBody } from './ingest.ts';
import type { GoogleSettings } from './settings.ts';

export interface GoogleDestination extends AuthorizedAccess {
  readonly url: string;
  readonly settings: GoogleSettings;
  readonly mode: SendingMode;
}

const reasonsOf = (reply: Reply) =>
  reply.kind === 'answered' ? googleErrorOf(parseJson(reply.body))?.reasons : undefined;

/** Sends events to `events:ingest`, and once more without personal data if Google requires it. */
export const sendToGoogle = async (
  events: readonly PlatformEvent[],
  { url, settings, mode, ...access }: GoogleDestination,
  context: PlatformContext,
): Promise<Answer> => {
  const call = authorizedCalls(access, context);
  const ingest = (sent: readonly PlatformEvent[]) => call('POST', { url, json: ingestBody(settings, mode, sent) });

  let called = await ingest(events);
  if (called.kind === 'denied') return called.answer;

  const isPermissionDenied = forbidsUserData(reasonsOf(called.reply) ?? []);
  const clicks = isPermissionDenied ? byClickAlone(events) : undefined;
  if (clicks !== undefined) called = await ingest(clicks);
  if (called.kind === 'denied') return called.answer;

  const personal = events.map((event) => [event['adIdentifiers'], event['userData']]);
  const answer = judgeReply(called.reply, {
    judge: judgeGoogleAnswer(mode, events.length),
    redact: redaction(called.accessToken, personal),
    nowMs: context.now(),
  });
  // events with a click can be sent without the person; bisecting the request finds them
  const isMixed = isPermissionDenied && clicks === undefined && events.some((event) => 'adIdentifiers' in event);
  if (!isMixed || answer.outcome.kind !== 'refused') return answer;
  return { ...answer, outcome: { kind: 'rejected', reason: answer.outcome.reason } };
};
