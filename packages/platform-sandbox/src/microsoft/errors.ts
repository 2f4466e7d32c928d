import { randomUUID } from 'node:crypto';
import type { ErrorAnswer, FailureResponses } from '../play-behaviour.ts';

/** An error of "Operation error codes". */
export interface Problem {
  readonly code: number;
  readonly name: string;
  readonly message: string;
}

const invalidCredentials: Problem = {
  code: 105,
  name: 'InvalidCredentials',
  message: 'Authentication failed. Either supplied credentials are invalid or the account is inactive',
};
const expired: Problem = {
  code: 109,
  name: 'AuthenticationTokenExpired',
  message: 'Authentication token expired. Please renew it or obtain a new token.',
};
const internalError: Problem = { code: 0, name: 'InternalError', message: 'An internal error has occurred.' };
const tooManyCalls: Problem = {
  code: 117,
  name: 'CallRateExceeded',
  message: 'You have exceeded the number of calls that you are allowed to make in a minute.',
};
export const noHeaders: Problem = {
  code: 116,
  name: 'RequestMissingHeaders',
  message: 'One or more required header elements are missing from the request.',
};
export const invalidInput: Problem = {
  code: 201,
  name: 'ApiInputValidationError',
  message: 'One or more input elements failed validation.',
};
export const noConversions: Problem = {
  code: 5600,
  name: 'OfflineConversionsNullOrEmpty',
  message: 'The list of offline conversions cannot be null or empty.',
};
export const tooManyConversions: Problem = {
  code: 5601,
  name: 'OfflineConversionsLimitExceeded',
  message: 'The list of offline conversions exceeds the limit.',
};

const adApiError = ({ code, name, message }: Problem) => ({
  Code: code,
  Detail: null,
  ErrorCode: name,
  Message: message,
});

/** `AdApiFaultDetail`: credentials, rates and internal errors. */
const adApiFault = (status: number, problem: Problem): ErrorAnswer => ({
  status,
  body: { TrackingId: randomUUID(), Type: 'AdApiFaultDetail', Errors: [adApiError(problem)] },
});

/** `ApiFaultDetail`: the request as a whole is invalid, and nothing was applied. */
export const apiFault = ({ code, name, message }: Problem): ErrorAnswer => ({
  status: 400,
  body: {
    TrackingId: randomUUID(),
    Type: 'ApiFaultDetail',
    BatchErrors: [],
    OperationErrors: [{ Code: code, Details: null, ErrorCode: name, Message: message }],
  },
});

/** `BatchError`: one conversion was not applied. */
export const batchError = (index: number, { code, name, message }: Problem) => ({
  Code: code,
  Details: null,
  ErrorCode: name,
  FieldPath: null,
  ForwardCompatibilityMap: null,
  Index: index,
  Message: message,
  Type: 'BatchError',
});

export const badCredentials = adApiFault(401, invalidCredentials);
export const expiredToken = adApiFault(401, expired);

export const microsoftFailureResponses: FailureResponses = {
  'server-error': adApiFault(500, internalError),
  'rate-limited': { ...adApiFault(429, tooManyCalls), headers: { 'retry-after': '1' } },
  'bad-credentials': badCredentials,
  'bad-event': 'first-event',
};
