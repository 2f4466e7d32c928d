import { eventTooOld, type Outcome } from '@leadback/domain';
import { z } from 'zod';
import {
  type CodeMeaning,
  type Codes,
  verdictOf,
  type ElementFailure,
  outcomeOfProcessed,
  outcomeOfUnprocessed,
  each,
  type Judge,
  verdictOfStatus,
  parseJson,
  type HttpResponse,
  hourMs,
  minuteMs,
} from '../exchange.ts';
import { access, app, checkWithoutClick, feature, goal, login, other, signIn, version } from './remedies.ts';

/** AuthenticationTokenExpired. */
const expiredTokenCode = 109;
/** OfflineConversionNotAcceptedForGoal: the goal is younger than two hours. */
const newGoalCode = 5615;
/** FutureConversionTimeCannotBeSet: Microsoft's clock is behind ours. */
const futureTimeCode = 5614;
/** OfflineConversionTimeOutOfWindow: more than 90 days ago. */
const oldTimeCode = 5609;

// "Operation error codes" of the Bing Ads API: https://learn.microsoft.com/advertising/guides/operation-error-codes
const table: Codes['table'] = {
  ...each([105, 108, expiredTokenCode, 120, 122, 123, 124, 125], login),
  ...each([106, 116, 208], access),
  303: version,
  5606: goal, // OfflineConversionNameInvalid
  5613: feature, // OfflineConversionPilotNotEnabledForCustomer
  117: 'throttled', // CallRateExceeded
  ...each([0, 202, 5612, futureTimeCode, newGoalCode], 'unavailable'),
  ...each([100, 113, 201, 203, 206], 'rejected'),
  ...each([5600, 5601, 5602, 5603, 5604, 5605, 5607, 5608, oldTimeCode, 5610, 5611, 5616, 5617], 'rejected'),
  invalid_grant: signIn,
  interaction_required: signIn,
  consent_required: signIn,
  invalid_client: app,
  unauthorized_client: app,
};

/** The meaning of an error code; `undefined` for an undocumented one. */
const meaningOfMicrosoftCode = (code: number): CodeMeaning | undefined => table[code];

export const microsoftCodes: Codes = {
  table,
  // a reason begins with the number (`5606`), or with the error of the token endpoint
  meaningOf: (reason) => {
    const code = /^\w+(?=:)/.exec(reason)?.[0] ?? '';
    return Object.hasOwn(table, code) ? table[code] : undefined;
  },
  otherRemedy: other,
  // OfflineConversionMicrosoftClickIdNullOrEmpty
  rejectedChecks: {
    5603: checkWithoutClick,
  },
};

// `AdApiError`, `OperationError` and `BatchError` of the Campaign Management API
const errorSchema = z.object({
  Code: z.int(),
  ErrorCode: z.string().nullish().catch(null),
  Message: z.string().nullish().catch(null),
  Index: z.int().min(0).optional().catch(undefined),
});
type MicrosoftError = z.infer<typeof errorSchema>;

const errors = z.array(errorSchema.nullable()).nullish();
const knownErrors = (list: z.infer<typeof errors>) => (list ?? []).filter((error) => error !== null);

/** `AdApiFaultDetail` or `ApiFaultDetail`: nothing was applied. */
const faultSchema = z
  .object({ Errors: errors, OperationErrors: errors, BatchErrors: errors })
  .transform(({ Errors, OperationErrors, BatchErrors }) =>
    [Errors, OperationErrors, BatchErrors].flatMap((list) => knownErrors(list)),
  )
  .refine((list) => list.length > 0);

/** Whether the access token is to be renewed. The code decides, because Microsoft sends it with various HTTP statuses. */
export const isTokenRejected = ({ status, body }: HttpResponse): boolean =>
  status === 401 || faultSchema.safeParse(parseJson(body)).data?.some(({ Code }) => Code === expiredTokenCode) === true;

const appliedSchema = z.object({ PartialErrors: z.array(errorSchema.nullable()).nullable() });

const pauses: Readonly<Record<number, number>> = { [newGoalCode]: 2 * hourMs, [futureTimeCode]: minuteMs };

const failureOf = ({ Code, ErrorCode, Message }: MicrosoftError, status: number): Omit<ElementFailure, 'index'> => {
  const kind = verdictOf(meaningOfMicrosoftCode(Code)) ?? verdictOfStatus(status);
  if (Code === oldTimeCode) return { kind, reason: eventTooOld };
  const reason = `${Code}: ${[ErrorCode, Message].filter(Boolean).join(': ')}`;
  const retryAfterMs = pauses[Code];
  return retryAfterMs === undefined ? { kind, reason } : { kind, reason, retryAfterMs };
};

/** The conversion that an error names; `undefined` if it names none of those that were sent. */
const indexOf = ({ Index }: MicrosoftError, sent: number) => (Index !== undefined && Index < sent ? Index : undefined);

const outcomeOfFault = (list: readonly MicrosoftError[], status: number, sent: number): Outcome => {
  const named = list.flatMap((error) => {
    const index = indexOf(error, sent);
    return index === undefined ? [] : [{ index, ...failureOf(error, status) }];
  });
  if (named.length === list.length) return outcomeOfUnprocessed(named, sent);
  const failures = list.map((error, index) => ({ index, ...failureOf(error, status) }));
  const outcome = outcomeOfUnprocessed(failures, failures.length);
  // which conversion is invalid is not known: the worker finds it by sending the request in halves
  return outcome.kind === 'rejected' ? { kind: 'rejected', reason: outcome.reason } : outcome;
};

/**
 * Partial errors name the conversions that were not applied; all others were. An error that names none counts for each
 * conversion that no other error names: sent again, one that was applied would count twice.
 */
const outcomeOfPartialErrors = (list: readonly MicrosoftError[], sent: number): Outcome => {
  const named = new Set(list.map((error) => indexOf(error, sent)));
  const others = Array.from({ length: sent }, (_, index) => index).filter((index) => !named.has(index));
  const failures = list.flatMap((error) => {
    const index = indexOf(error, sent);
    // HTTP 200 says nothing about an unknown error
    const failure = failureOf(error, 400);
    return (index === undefined ? others : [index]).map((failed) => ({ index: failed, ...failure }));
  });
  return outcomeOfProcessed(failures, sent);
};

/**
 * Reads Microsoft's response to `sent` conversions. A fault means that none was applied. An error without documented
 * meaning rejects.
 */
export const judgeMicrosoftResponse =
  (sent: number): Judge =>
  (json, { status }) => {
    const fault = faultSchema.safeParse(json);
    if (fault.success) return outcomeOfFault(fault.data, status < 400 ? 400 : status, sent);

    const applied = appliedSchema.safeParse(json);
    if (!applied.success || status < 200 || status > 299) return undefined;
    return outcomeOfPartialErrors(knownErrors(applied.data.PartialErrors), sent);
  };
