import { z } from 'zod';
import { eventTooOld, type Failure, type Outcome } from '@leadback/domain';
import {
  type CodeMeaning,
  type Codes,
  verdictOf,
  each,
  parseJson,
  minuteMs,
  sanePauseMs,
  type Judge,
  verdictOfStatus,
} from '../exchange.ts';
import { dataSet, other, permission, proof, token, version } from './remedies.ts';

/** What distinguishes Meta's errors. */
interface MetaCode {
  readonly code: number;
  readonly subcode: number | undefined;
  readonly message: string;
}

// code, code/subcode, a range of codes, or a code with the beginning of its message
const permissionRange = '200-299';
const proofMessage = '100 appsecret_proof';
const permissionMessage = '100 Missing Permission';
const noEdgeMessage = '100 Tried accessing nonexisting field (events)';

const table: Codes['table'] = {
  ...each([190, 102], token),
  ...each([3, 10], permission),
  [permissionRange]: permission,
  '100/33': dataSet, // the pixel does not exist, or the token has no access to it
  104: proof,
  [proofMessage]: proof,
  [permissionMessage]: permission,
  [noEdgeMessage]: dataSet, // the id is that of something else
  803: dataSet, // the id names nothing
  ...each([2500, 2650], token), // it names nobody, or an app that may not
  ...each([12, 2635], version), // the call is deprecated
  ...each([1, 2, 5000, 368, 21009], 'unavailable'),
  ...each([4, 17, 32, 341, 613, 80000, 80001, 80003, 80004, 80014], 'throttled'),
  ...each([100, 105], 'rejected'),
};

// Meta reports this as an invalid parameter (GraphMethodException, code 100). Matched only at the beginning, because
// the rest of a message may quote a visitor's data.
const aboutProof =
  /^(?:\(#100\) )?(?:Invalid appsecret_proof provided|API calls from the server require an appsecret_proof)/;

const wordsOf = (message: string): string => message.replace(/^\(#100\) /, '');

/**
 * The meaning of Meta's error by its code alone: the HTTP status is not reliable (190 and 17 were observed with 500,
 * 21009 with 400). Sources: Graph API "error handling", rudder-transformer `facebookUtils/networkHandler.js`.
 * `undefined` for an undocumented code.
 */
const meaningOfMetaError = ({ code, subcode, message }: MetaCode): CodeMeaning | undefined => {
  if (code === 100 && aboutProof.test(message)) return table[proofMessage];
  const said =
    code === 100 && [permissionMessage, noEdgeMessage].find((one) => `100 ${wordsOf(message)}`.startsWith(one));
  if (said) return table[said];
  if (code >= 200 && code <= 299) return table[permissionRange];
  return table[`${code}/${subcode}`] ?? table[code];
};

export const metaCodes: Codes = {
  table,
  // a reason begins with the code (`190`), or with code and subcode (`190/460`)
  meaningOf: (reason) => {
    const [, code, subcode, message = ''] = /^(\d+)(?:\/(\d+))?: (.*)/s.exec(reason) ?? [];
    return meaningOfMetaError({ code: Number(code), subcode: subcode ? Number(subcode) : undefined, message });
  },
  otherRemedy: other,
};

const usageSchema = z.record(z.string(), z.array(z.object({ estimated_time_to_regain_access: z.number().catch(0) })));

/**
 * `X-Business-Use-Case-Usage`: Meta's estimate of the minutes until calls are accepted again (Graph API "rate
 * limiting"), as milliseconds.
 */
const regainAccessMs = (header: string | string[] | undefined): number | undefined => {
  const usage = usageSchema.safeParse(parseJson(String(header ?? '')));
  if (!usage.success) return undefined;
  const minutes = Object.values(usage.data).flatMap((uses) => uses.map((use) => use.estimated_time_to_regain_access));
  const longest = Math.max(0, ...minutes);
  return longest > 0 ? sanePauseMs(longest * minuteMs) : undefined;
};

const receivedSchema = z.object({ events_received: z.number() });

const errorSchema = z.object({
  error: z.object({
    code: z.number(),
    error_subcode: z.number().optional().catch(undefined),
    is_transient: z.boolean().optional().catch(undefined),
    message: z.string().catch(''),
    error_user_msg: z.string().optional().catch(undefined),
  }),
});
type MetaError = z.infer<typeof errorSchema>['error'];

const tooOldSubcode = 2804003;

const codeOf = ({ code, error_subcode: subcode, message }: MetaError) => ({ code, subcode, message });

const failureOf = (error: MetaError, status: number): Failure => {
  const known = verdictOf(meaningOfMetaError(codeOf(error)));
  if (error.is_transient) return known === 'throttled' ? known : 'unavailable';
  return known ?? (error.is_transient === false ? 'rejected' : verdictOfStatus(status));
};

const reasonOf = (error: MetaError) => {
  const { code, error_subcode: subcode, message, error_user_msg: userMessage } = error;
  if (code === 100 && subcode === tooOldSubcode) return eventTooOld;
  // the message by which the remedy is found, not the one for users
  const words = meaningOfMetaError(codeOf(error)) === proof ? message : userMessage || message;
  return `${subcode === undefined ? code : `${code}/${subcode}`}: ${words}`;
};

/** Reads Meta's response to `sent` events. They share one outcome: Meta accepts all events of a request or none. */
export const judgeMetaResponse =
  (sent: number): Judge =>
  (json, { status, headers }): Outcome | undefined => {
    const failed = errorSchema.safeParse(json);
    if (failed.success) {
      const kind = failureOf(failed.data.error, status);
      const reason = reasonOf(failed.data.error);
      if (kind !== 'throttled') return { kind, reason };
      const retryAfterMs = regainAccessMs(headers['x-business-use-case-usage']);
      return retryAfterMs === undefined ? { kind, reason } : { kind, reason, retryAfterMs };
    }

    const received = receivedSchema.safeParse(json);
    if (!received.success || status < 200 || status > 299) return undefined;
    if (received.data.events_received >= sent) return { kind: 'delivered' };
    // sending all of them again is safe: Meta deduplicates by event id
    return { kind: 'unavailable', reason: `accepted ${received.data.events_received} of ${sent} events` };
  };
