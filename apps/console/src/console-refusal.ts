import { errorHeader } from '@leadback/server/http';
import { ActionRefused, type RefusedBecause } from '@leadback/core/people/access';
import type { ErrorRequestHandler } from 'express';
import type { ConsoleErrorCode } from './contract/session.ts';

const refusals: Record<ConsoleErrorCode, { readonly status: number; readonly message: string }> = {
  'signed-out': { status: 401, message: 'sign in, then try again' },
  'sign-in-failed': { status: 401, message: 'email, password or code is wrong' },
  locked: { status: 429, message: 'too many wrong codes; wait, then try again' },
  'cross-site': { status: 403, message: 'reload the page, then try again' },
  'role-forbids': { status: 403, message: 'your role does not allow this; ask an admin' },
  'invitation-invalid': { status: 404, message: 'this link was used, replaced or is too old; ask for a new one' },
  'second-factor-needed': { status: 403, message: 'enter a code of your authenticator app, then try again' },
  'passkey-refused': { status: 403, message: 'this passkey is unknown, was removed, or took too long; try again' },
  'password-wrong': { status: 403, message: 'the current password is wrong' },
  'provider-unavailable': {
    status: 503,
    message: 'the identity provider does not respond; sign in with your password',
  },
  'provider-refused': { status: 403, message: 'the identity provider vouches for nobody who was invited; try again' },
  'provider-code-needed': { status: 403, message: 'enter a code of your authenticator app' },
  'code-used': { status: 403, message: 'this code was used already; wait for the next one' },
  'code-wrong': { status: 403, message: 'the code is wrong or was used before; wait for the next one' },
};

/** A request that the console refuses for a reason that the API does not have. */
export class ConsoleRefusal extends Error {
  override readonly name = 'ConsoleRefusal';
  readonly code: ConsoleErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ConsoleErrorCode, retryAfterSeconds?: number) {
    super(refusals[code].message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface FieldProblem {
  /** A setting or credential, `events`, or `mapEvent.` and the partner's name. */
  readonly field: string;
  readonly message: string;
}

/** Typed settings that do not fit: the reply 422 says what is wrong with each of them. */
export class FieldProblems extends Error {
  override readonly name = 'FieldProblems';
  readonly problems: readonly FieldProblem[];

  constructor(problems: readonly FieldProblem[]) {
    super(problems.map(({ field, message }) => `${field}: ${message}`).join('; '));
    this.problems = problems;
  }
}

const replyOf = {
  invalid: { status: 400, code: 'invalid-fields' },
  guessable: { status: 400, code: 'password-guessable' },
  'not-found': { status: 404, code: 'not-found' },
  conflict: { status: 409, code: 'conflict' },
  'destination-exists': { status: 409, code: 'destination-exists' },
} as const satisfies Readonly<Record<RefusedBecause, unknown>>;

/** Responds to refusals of the console and of actions as `errorResponder` does to all others. */
export const respondToRefusal: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  const send = (status: number, code: string, body: object): void =>
    void response.status(status).set(errorHeader, code).json(body);
  if (error instanceof FieldProblems) {
    const { message, problems } = error;
    return send(422, 'invalid-fields', { message, problems });
  }
  if (error instanceof ActionRefused) {
    const { status, code } = replyOf[error.because];
    return send(status, code, { message: error.message });
  }
  if (!(error instanceof ConsoleRefusal)) return next(error);
  const { code, message, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
  send(refusals[code].status, code, { message });
};
