import type { Outcome } from '@leadback/domain';
import { parseJson } from './parse-json.ts';
import type { Answer } from './platform.ts';
import type { Redact } from './redact.ts';
import type { Answered, Reply } from './request.ts';
import { retryAfterMs } from './retry-after.ts';

const reasonBytesMax = 200;
// redaction costs time: after so many different reasons, events get the first one
const reasonsMax = 20;
const bodyBytesMax = 2048;

/** Reads a platform's response; `undefined` if it is not in the platform's format. */
export type Judge = (json: unknown, answered: Answered) => Outcome | undefined;

const outcomeOf = (reply: Reply, judge: Judge, nowMs: number): Outcome => {
  if (reply.kind === 'unreachable') return { kind: 'unavailable', reason: reply.code };

  // an HTML page or unknown JSON comes from a proxy or the like, whatever its status: only the platform can reject
  const outcome: Outcome = judge(parseJson(reply.body), reply) ?? {
    kind: reply.status === 429 ? 'throttled' : 'unavailable',
    reason: `HTTP ${reply.status}: unrecognized response`,
  };
  if (outcome.kind !== 'unavailable' && outcome.kind !== 'throttled') return outcome;
  if (outcome.retryAfterMs !== undefined) return outcome;
  const pauseMs = retryAfterMs(reply.headers['retry-after'], nowMs);
  return pauseMs === undefined ? outcome : { ...outcome, retryAfterMs: pauseMs };
};

const clean = (outcome: Outcome, redact: Redact): Outcome => {
  // many events may have the same reason
  const known = new Map<string, string>();
  const kept = (words: string): string => {
    const told = known.get(words);
    if (told !== undefined) return told;
    const [first] = known.values();
    if (first !== undefined && known.size >= reasonsMax) return first;
    const redacted = redact(words, reasonBytesMax);
    known.set(words, redacted);
    return redacted;
  };
  const cleaned = <Told extends { readonly reason: string }>(told: Told): Told => ({
    ...told,
    reason: kept(told.reason),
  });
  if (outcome.kind === 'delivered') {
    if (outcome.events === undefined) return outcome;
    return { ...outcome, events: outcome.events.map((event) => ({ ...event, outcome: cleaned(event.outcome) })) };
  }
  if (outcome.kind !== 'rejected' || outcome.events === undefined) return cleaned(outcome);
  return { ...cleaned(outcome), events: outcome.events.map(cleaned) };
};

/** The outcome of a reply, and its redacted body. */
export const judgeReply = (
  reply: Reply,
  { judge, redact, nowMs }: { judge: Judge; redact: Redact; nowMs: number },
): Answer => {
  const outcome = outcomeOf(reply, judge, nowMs);
  return {
    outcome: clean(outcome, redact),
    httpStatus: reply.kind === 'answered' ? reply.status : null,
    body: reply.kind === 'answered' ? redact(reply.body, bodyBytesMax) : null,
  };
};
