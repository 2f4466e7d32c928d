import { IncomingMessage, ServerResponse } from 'node:http';
import { type RefusalCode, Refusal } from '@leadback/domain';
import type { ErrorRequestHandler, Response, Express } from 'express';

/** The compiler requires a status for each new code. */
export const statusOfCode: Record<RefusalCode, number> = {
  'key-missing': 401,
  'key-invalid': 401,
  'key-expired': 401,
  'account-suspended': 403,
  'scope-missing': 403,
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
  'conversion-unknown': 404,
  'adjustment-repeated': 400,
  'idempotency-key-reused': 422,
  'idempotency-in-progress': 409,
  'rate-limited': 429,
  overloaded: 503,
  unavailable: 503,
  internal: 500,
};

export const errorHeader = 'Leadback-Error';
export const repeatedConversionHeader = 'Leadback-Conversion-Id';
export const repeatedFieldHeader = 'Leadback-Repeated-Field';

/** Of a 503, and of a 429 that says nothing else. */
export const retryAfterSeconds = 5;

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

/**
 * The options with which a server creates requests and responses that have the prototypes of an Express app from the
 * start. Express otherwise replaces their prototypes in every request, which makes each later access to them slower.
 */
export const expressMessages = (app: Express) => {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
};
