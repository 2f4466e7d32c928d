import type { ErrorAnswer, FailureResponses } from '../play-behaviour.ts';

/** The error body of LinkedIn's APIs ("Error handling"). */
const linkedinError = (status: number, message: string, more: Readonly<Record<string, unknown>> = {}): ErrorAnswer => ({
  status,
  body: { ...more, message, status },
});

export const invalidToken = linkedinError(401, 'Invalid access token', {
  serviceErrorCode: 65600,
  code: 'INVALID_ACCESS_TOKEN',
});
export const revokedToken = linkedinError(401, 'The token used in the request has been revoked by the user', {
  serviceErrorCode: 65601,
  code: 'REVOKED_ACCESS_TOKEN',
});
export const expiredToken = linkedinError(401, 'The token used in the request has expired', {
  serviceErrorCode: 65602,
  code: 'EXPIRED_ACCESS_TOKEN',
});

export const noVersion = linkedinError(
  400,
  'A version must be present. Please specify a version by adding the LinkedIn-Version header.',
  { code: 'VERSION_MISSING' },
);
export const retiredVersion = (version: string): ErrorAnswer =>
  linkedinError(426, `Requested version ${version}01 is not active`, { code: 'NONEXISTENT_VERSION' });

/** LinkedIn says the same for a rule that does not exist and for an account without access. */
export const noAccount = linkedinError(403, 'No ad accounts found');

export const badRequest = (message: string): ErrorAnswer => linkedinError(400, message);

/** The events at these positions lie too far in the past, or in the future. */
export const outOfTime = (indices: readonly number[]): ErrorAnswer =>
  badRequest(
    `Conversion time should be within 90 days and not exceed current time, indices [${indices.join(', ')}] (0-indexed).`,
  );

/** Fields of the events are invalid; nothing was processed. */
export const unprocessable = (message: string): ErrorAnswer => linkedinError(422, message);

export const linkedinFailureResponses: FailureResponses = {
  'server-error': linkedinError(503, 'Service unavailable'),
  'rate-limited': {
    ...linkedinError(429, 'Resource level throttle APPLICATION DAY limit for calls to this resource is reached.', {
      serviceErrorCode: 101,
    }),
    headers: { 'retry-after': '1' },
  },
  'bad-credentials': revokedToken,
  'bad-event': unprocessable('Index: 0, ERROR :: /user :: the sandbox was told to refuse it\n'),
};
