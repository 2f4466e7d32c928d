import { randomBytes } from 'node:crypto';
import type { ErrorAnswer, FailureResponses } from '../play-behaviour.ts';
import type { Violation } from './violation.ts';

const domain = 'datamanager.googleapis.com';
const type = (name: string) => `type.googleapis.com/google.rpc.${name}`;

export const requestId = (): string => randomBytes(16).toString('base64url');

/** The error body of Google's APIs: a google.rpc.Status with details. */
const googleError = (
  code: number,
  status: string,
  reason: string,
  message: string,
  more: readonly unknown[] = [],
): ErrorAnswer => ({
  status: code,
  body: {
    error: {
      code,
      message,
      status,
      details: [
        { '@type': type('ErrorInfo'), reason, domain },
        { '@type': type('RequestInfo'), requestId: requestId() },
        ...more,
      ],
    },
  },
});

export const invalidArgument = (violations: readonly Violation[]): ErrorAnswer =>
  googleError(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'There was a problem with the request.', [
    { '@type': type('BadRequest'), fieldViolations: violations },
  ]);

/** The quota of the project is used up; `retryInMs`: until the next request is accepted. */
export const quotaExceeded = (retryInMs: number): ErrorAnswer =>
  googleError(429, 'RESOURCE_EXHAUSTED', 'RESOURCE_EXHAUSTED', 'Too many requests.', [
    { '@type': type('RetryInfo'), retryDelay: `${retryInMs / 1000}s` },
  ]);

/** INVALID_REQUEST_ID of google/ads/datamanager/v1/error.proto; its HTTP status is not documented. */
export const unknownRequest: ErrorAnswer = googleError(
  404,
  'NOT_FOUND',
  'INVALID_REQUEST_ID',
  'The request ID used to retrieve the status of a request is not valid.',
);

export const unauthenticated: ErrorAnswer = googleError(
  401,
  'UNAUTHENTICATED',
  'ACCESS_TOKEN_INVALID',
  'Request had invalid authentication credentials. Expected OAuth 2 access token.',
);

export const googleFailureResponses: FailureResponses = {
  'server-error': googleError(503, 'UNAVAILABLE', 'UNAVAILABLE', 'The service is currently unavailable.'),
  'rate-limited': {
    ...googleError(429, 'RESOURCE_EXHAUSTED', 'RESOURCE_EXHAUSTED', 'Too many requests.'),
    headers: { 'retry-after': '1' },
  },
  'bad-credentials': unauthenticated,
  'bad-event': invalidArgument([
    { field: 'events.events[0]', reason: 'INVALID_EVENT', description: 'The sandbox was told to refuse it.' },
  ]),
};
