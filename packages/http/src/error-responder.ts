import { Refusal } from '@leadback/domain';
import type { ErrorRequestHandler, Response } from 'express';
import {
  errorHeader,
  repeatedConversionHeader,
  repeatedFieldHeader,
  retryAfterSeconds,
  statusOfCode,
} from './refusal-status.ts';

/** The refusal that an error means; undefined if the error is unexpected. */
const refusalOfError = (error: unknown): Refusal | undefined => {
  if (error instanceof Refusal) return error;
  return error instanceof URIError ? new Refusal('invalid-fields.path') : undefined;
};

/** Sends the body `{message}` and the code in `Leadback-Error`. A 429 and a 503 have `Retry-After`. */
const send = (response: Response, { code, message, conversionId, repeatedField }: Refusal): void => {
  const status = statusOfCode[code];
  if (status === 503 || (status === 429 && !response.hasHeader('Retry-After')))
    response.set('Retry-After', String(retryAfterSeconds));
  if (conversionId !== undefined) response.set(repeatedConversionHeader, String(conversionId));
  if (repeatedField !== undefined) response.set(repeatedFieldHeader, repeatedField);
  response.status(status).set(errorHeader, code).json({ message });
};

export interface ErrorResponderOptions {
  /** Whether the error means that a dependency is temporarily unavailable. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** A request was refused because too many wait. */
  readonly onOverloaded?: () => void;
}

/** The last handler of an app: turns errors into `{message}` and logs unexpected ones. */
export const errorResponder =
  ({ isUnavailable, onOverloaded }: ErrorResponderOptions): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const refusal = refusalOfError(error);
    if (refusal?.code === 'overloaded') onOverloaded?.();
    if (refusal) return send(response, refusal);
    if (isUnavailable(error)) {
      request.log().warn({ err: error }, 'dependency unavailable');
      return send(response, new Refusal('unavailable'));
    }
    request.log().error({ err: error }, 'request failed');
    send(response, new Refusal('internal'));
  };
