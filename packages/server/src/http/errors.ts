import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RefusalCode, Refusal, type RefusalName, refusalOf } from '@leadback/domain';
import type { ErrorRequestHandler, Response } from 'express';
import { requestIdOf } from './request-log.ts';

/** The compiler requires a status for each new code. */
export const statusOfCode: Record<RefusalCode, number> = {
  'key-missing': 401,
  'key-invalid': 401,
  'key-expired': 401,
  'account-suspended': 403,
  'scope-missing': 403,
  'signature-wrong': 401,
  'not-found': 404,
  'method-not-allowed': 405,
  'unsupported-media-type': 415,
  'body-too-large': 413,
  'invalid-json': 400,
  'invalid-fields': 400,
  'lead-unknown': 404,
  'lead-pending': 503,
  suppressed: 400,
  'client-unknown': 404,
  'conversion-repeated': 400,
  'conversion-differs': 400,
  'currency-not-allowed': 400,
  'conversion-unknown': 404,
  'conversion-retracted': 400,
  'adjustment-repeated': 400,
  'idempotency-key-reused': 422,
  'idempotency-in-progress': 409,
  'rate-limited': 429,
  overloaded: 503,
  unavailable: 503,
  internal: 500,
};

export const errorHeader = 'Leadback-Error';
export const warningHeaderName = 'Leadback-Warning';
export const repeatedConversionHeader = 'Leadback-Conversion-Id';
export const repeatedFieldHeader = 'Leadback-Repeated-Field';

/** Of a 503, and of a 429 that says nothing else. */
const retryAfterSeconds = 5;

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

interface ErrorResponderOptions {
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

/** A refusal as it is sent without the app. */
export const replyOf = (refusal: RefusalName) => {
  const { code, message } = refusalOf(refusal);
  const body = JSON.stringify({ message });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    [errorHeader]: code,
  };
  return { headers, body };
};

const overloaded = replyOf('overloaded');

/** Refuses a request before it reaches the app, which would do it likewise. */
export const refuseOverloaded = (request: IncomingMessage, response: ServerResponse): void => {
  response
    .writeHead(statusOfCode.overloaded, {
      ...overloaded.headers,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Retry-After': retryAfterSeconds,
      'x-request-id': requestIdOf(request),
    })
    .end(overloaded.body);
};
