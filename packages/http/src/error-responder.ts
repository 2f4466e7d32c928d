import { DomainError, type DomainErrorCode } from '@leadback/domain';
import type { ErrorRequestHandler } from 'express';
import { z } from 'zod';
import { refuse } from './refuse.ts';

const statusOf: Record<DomainErrorCode, number> = {
  'key-missing': 401,
  'key-mistyped': 401,
  'key-unknown': 401,
  'key-expired': 401,
  'account-suspended': 403,
  'lead-unknown': 404,
  'lead-under-way': 503,
  'client-unknown': 404,
  'conversion-unknown': 404,
  'conversion-repeated': 400,
  'request-running': 409,
  'idempotency-key-reused': 422,
};

const describe = ({ path, message }: z.core.$ZodIssue) =>
  path.length === 0 ? `body: ${message}` : `${path.join('.')}: ${message}`;

/** What raw-body says of a body that it could not read, by its `type`. */
const bodyProblems: Readonly<Record<string, readonly [status: number, message: string]>> = {
  'entity.too.large': [413, 'body: larger than 64 KiB'],
  'request.aborted': [400, 'body: ended before Content-Length was reached'],
  'request.size.invalid': [400, 'body: its size is not what Content-Length says'],
};

const bodyProblem = (error: unknown) =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' ? bodyProblems[error.type] : undefined;

const retryAfterSeconds = 5;

export interface ErrorResponderOptions {
  /** Whether the error means that something we depend on is away for now. */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** The last handler of every app: turns whatever was thrown into `{message}`, and logs what is our own fault. */
export const errorResponder =
  ({ isUnavailable }: ErrorResponderOptions): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof z.ZodError) return refuse(response, 400, error.issues.map(describe).join('; '));
    if (error instanceof DomainError) {
      const status = statusOf[error.code];
      if (status === 503) response.set('Retry-After', String(retryAfterSeconds));
      return refuse(response, status, error.message);
    }
    const problem = bodyProblem(error);
    if (problem) return refuse(response, ...problem);
    if (error instanceof URIError) return refuse(response, 400, 'path: not valid percent-encoding');
    if (isUnavailable(error)) {
      request.log.warn({ err: error }, 'not available');
      response.set('Retry-After', String(retryAfterSeconds));
      return refuse(response, 503, 'not available right now; try again later');
    }
    request.log.error({ err: error }, 'request failed');
    refuse(response, 500, 'something went wrong on our side');
  };
