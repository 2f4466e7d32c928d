import { Refusal, type RefusalCode } from '@leadback/domain';
import type { ErrorRequestHandler } from 'express';
import { z } from 'zod';
import { refuse, repeatedConversionHeader } from './refuse.ts';

const describe = ({ path, message }: z.core.$ZodIssue) =>
  path.length === 0 ? `body: ${message}` : `${path.join('.')}: ${message}`;

/** By the `type` of the errors of raw-body. */
const bodyProblems: Readonly<Record<string, readonly [code: RefusalCode, message: string]>> = {
  'entity.too.large': ['body-too-large', 'body: larger than 64 KiB'],
  'request.aborted': ['invalid-json', 'body: ended before Content-Length was reached'],
  'request.size.invalid': ['invalid-json', 'body: its size is not what Content-Length says'],
};

const bodyProblem = (error: unknown) =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' ? bodyProblems[error.type] : undefined;

export interface ErrorResponderOptions {
  /** Whether the error means that a dependency is temporarily unavailable. */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** The last handler of an app: turns errors into `{message}` and logs unexpected ones. */
export const errorResponder =
  ({ isUnavailable }: ErrorResponderOptions): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof z.ZodError) {
      return refuse(response, 'invalid-fields', error.issues.map(describe).join('; '));
    }
    if (error instanceof Refusal) {
      if (error.conversionId !== undefined) response.set(repeatedConversionHeader, String(error.conversionId));
      return refuse(response, error.code, error.message);
    }
    const problem = bodyProblem(error);
    if (problem) return refuse(response, ...problem);
    if (error instanceof URIError) return refuse(response, 'invalid-fields', 'path: not valid percent-encoding');
    if (isUnavailable(error)) {
      request.log.warn({ err: error }, 'dependency unavailable');
      return refuse(response, 'unavailable', 'not available right now; try again later');
    }
    request.log.error({ err: error }, 'request failed');
    refuse(response, 'internal', 'internal error; give support the x-request-id');
  };
