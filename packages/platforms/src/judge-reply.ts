import { parseJson } from './parse-json.ts';
import type { Answer, Outcome } from './platform.ts';
import type { Redact } from './redact.ts';
import type { Answered, Reply } from './request.ts';
import { retryAfterMs } from './retry-after.ts';

const reasonBytesMax = 200;
// each costs time; whose words are new after so many is told the first
const reasonsMax = 20;
const bodyBytesMax = 2048;

/** A platform's reading of its own words; `undefined` where they are not its words at all. */
export type Judge = (json: unknown, answered: Answered) => Outcome | undefined;

const outcomeOf = (reply: Reply, judge: Judge, nowMs: number): Outcome => {
  if (reply.kind === 'unreachable') return { kind: 'unavailable', reason: reply.code };

  // an HTML page or a foreign JSON is from something in between, whatever its status: only the platform can say no
  const outcome: Outcome = judge(parseJson(reply.body), reply) ?? {
    kind: reply.status === 429 ? 'throttled' : 'unavailable',
    reason: `HTTP ${reply.status}: not in the platform's words`,
  };
  if (outcome.kind !== 'unavailable' && outcome.kind !== 'throttled') return outcome;
  if (outcome.retryAfterMs !== undefined) return outcome;
  const pauseMs = retryAfterMs(reply.headers['retry-after'], nowMs);
  return pauseMs === undefined ? outcome : { ...outcome, retryAfterMs: pauseMs };
};

const clean = (outcome: Outcome, redact: Redact): Outcome => {
  if (outcome.kind === 'delivered') return outcome;
  // many events may be wrong in the same words
  const known = new Map<string, string>();
  const kept = (words: string) => {
    const redacted = known.get(words) ?? redact(known.size < reasonsMax ? words : outcome.reason, reasonBytesMax);
    known.set(words, redacted);
    return redacted;
  };
  const reason = kept(outcome.reason);
  if (outcome.kind !== 'rejected' || outcome.events === undefined) return { ...outcome, reason };
  return { ...outcome, reason, events: outcome.events.map((event) => ({ ...event, reason: kept(event.reason) })) };
};

/** What a reply comes to, and what is kept of it. */
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
