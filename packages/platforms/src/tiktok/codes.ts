import type { Failure, WrongEvent } from '@leadback/domain';
import { z } from 'zod';
import { type CodeMeaning, type Codes, verdictOf, type Judge, verdictOfStatus } from '../exchange.ts';
import { noPixel, other, pixel, token } from './remedies.ts';

const noPixelMessage = '40002 Invalid value for event_source_id';

const table: Codes['table'] = {
  40001: pixel, // no permission to operate the pixel
  // not documented: waiting for the operator loses nothing
  40006: pixel,
  40101: token,
  40103: token,
  40106: token,
  40107: token,
  40102: token, // expired, not documented: waiting for the operator loses nothing
  40104: token, // empty
  40105: token, // incorrect, or revoked
  40100: 'throttled',
  40133: 'throttled',
  [noPixelMessage]: noPixel,
  40002: 'rejected',
  40007: noPixel, // the object does not exist
  40200: 'unavailable', // task error
  40201: 'unavailable', // task not ready
  40202: 'unavailable', // conflict with another write
  40700: 'unavailable', // an internal service of TikTok failed
};

const isSystemError = (code: number) => code >= 50_000 && code <= 59_999;

/**
 * The meaning of an error code of the API for Business. Sources: "Return codes", rudder-transformer `tiktok_ads` for
 * event reports, singer `tap-tiktok-ads` for temporary errors. `undefined` for an undocumented code.
 */
const meaningOfTikTokCode = (code: number, message: string): CodeMeaning | undefined => {
  if (isSystemError(code)) return 'unavailable';
  return `${code} ${message}`.startsWith(noPixelMessage) ? table[noPixelMessage] : table[code];
};

export const tiktokCodes: Codes = {
  table,
  meaningOf: (reason) => {
    const [, code, message = ''] = /^(\d+): ?(.*)/s.exec(reason) ?? [];
    return meaningOfTikTokCode(Number(code), message);
  },
  otherRemedy: other,
};

// TikTok's codes are 0 or have five digits; one of three digits comes from a proxy
const answerSchema = z.object({
  code: z.int().refine((code) => code === 0 || code > 9_999),
  message: z.string().catch(''),
});

const ok = 0;
const partialSuccess = 20_001;

const failureOf = (code: number, message: string, status: number): Failure => {
  const known = verdictOf(meaningOfTikTokCode(code, message));
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
export const judgeTikTokResponse =
  (sent: number): Judge =>
  (json, { status }) => {
    const answer = answerSchema.safeParse(json);
    if (!answer.success) return undefined;
    const { code, message } = answer.data;
    if (code === ok || code === partialSuccess) {
      if (status < 200 || status > 299) return undefined;
      if (code === ok) return { kind: 'delivered' };
      // Which ones is not said. Sent again, those that it took could count twice.
      return { kind: 'delivered', warning: `TikTok took only some of the ${sent} events in the request: ${message}` };
    }
    const kind = failureOf(code, message, status);
    const reason = `${code}: ${message}`;
    const index = namedEvent(message, sent);
    if (kind !== 'rejected' || index === undefined) return { kind, reason };
    const events: readonly WrongEvent[] = [{ index, reason }];
    return { kind, reason, events };
  };
