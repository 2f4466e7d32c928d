import { Refusal, type RefusalName } from '@leadback/domain';
import type { ErrorRequestHandler, Response } from 'express';
import { z } from 'zod';
import { errorHeader, repeatedConversionHeader, statusOfCode } from './refusal-status.ts';

const describe = ({ path, message }: z.core.$ZodIssue) =>
  path.length === 0 ? `body: ${message}` : `${path.join('.')}: ${message}`;

/** By the `type` of the errors of raw-body. */
const bodyProblems: Readonly<Record<string, RefusalName>> = {
  'entity.too.large': 'body-too-large',
  'request.aborted': 'invalid-json.incomplete',
  'request.size.invalid': 'invalid-json.length',
};

const bodyProblem = (error: unknown) =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' ? bodyProblems[error.type] : undefined;

/** The refusal that an error means; undefined if the error is unexpected. */
const refusalOfError = (error: unknown): Refusal | undefined => {
  if (error instanceof Refusal) return error;
  if (error instanceof z.ZodError) {
    return new Refusal('invalid-fields', { message: error.issues.map(describe).join('; ') });
  }
  const name = error instanceof URIError ? 'invalid-fields.path' : bodyProblem(error);
  return name && new Refusal(name);
};

const retryAfterSeconds = 5;

/** Sends the body `{message}` and the code in `Leadback-Error`. A 503 has `Retry-After`. */
const send = (response: Response, { code, message, conversionId }: Refusal): void => {
  const status = statusOfCode[code];
  if (status === 503) response.set('Retry-After', String(retryAfterSeconds));
  if (conversionId !== undefined) response.set(repeatedConversionHeader, String(conversionId));
  response.status(status).set(errorHeader, code).json({ message });
};

export interface ErrorResponderOptions {
  /** Whether the error means that a dependency is temporarily unavailable. */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** The last handler of an app: turns errors into `{message}` and logs unexpected ones. */
export const errorResponder =
  ({ isUnavailable }: ErrorResponderOptions): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const refusal = refusalOfError(error);
    if (refusal) return send(response, refusal);
    if (isUnavailable(error)) {
      request.log.warn({ err: error }, 'dependency unavailable');
      return send(response, new Refusal('unavailable'));
    }
    request.log.error({ err: error }, 'request failed');
    send(response, new Refusal('internal'));
  };
