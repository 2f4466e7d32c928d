import type { Failure, WrongEvent } from '@leadback/domain';
import { z } from 'zod';
import { verdictOf } from '../codes.ts';
import type { Judge } from '../judge-reply.ts';
import { verdictOfStatus } from '../verdict-of-status.ts';
import { meaningOfTikTokCode } from './codes.ts';

// TikTok's codes are 0 or have five digits; one of three digits comes from a proxy
const answerSchema = z.object({
  code: z.int().refine((code) => code === 0 || code > 9_999),
  message: z.string().catch(''),
});

const ok = 0;
const partialSuccess = 20_001;

const failureOf = (code: number, status: number): Failure => {
  const known = verdictOf(meaningOfTikTokCode(code));
  if (known !== undefined) return known;
  return status < 400 && code >= 40_000 && code <= 49_999 ? 'rejected' : verdictOfStatus(status);
};

/**
 * The event that a message names, as in `data.3.user.email: Not a valid string`. Matched only at the beginning, because
 * the rest may quote a visitor's data, which must not cause other events to be discarded.
 */
const namedEvent = (message: string, sent: number): number | undefined => {
  const [, digits] = /^(?:data|batch)[.[](\d+)/i.exec(message) ?? [];
  return digits !== undefined && Number(digits) < sent ? Number(digits) : undefined;
};

/** Reads TikTok's response to `sent` events: nearly always HTTP 200, with a code in the body. */
export const judgeTikTokAnswer =
  (sent: number): Judge =>
  (json, { status }) => {
    const answer = answerSchema.safeParse(json);
    if (!answer.success) return undefined;
    const { code, message } = answer.data;
    if (code === ok || code === partialSuccess) {
      return status >= 200 && status <= 299 ? { kind: 'delivered' } : undefined;
    }
    const kind = failureOf(code, status);
    const reason = `${code}: ${message}`;
    const index = namedEvent(message, sent);
    if (kind !== 'rejected' || index === undefined) return { kind, reason };
    const events: readonly WrongEvent[] = [{ index, reason }];
    return { kind, reason, events };
  };
