import type { ApiErrorCode } from './api-types.ts';

/**
 * What went wrong: a value of the header `Leadback-Error`, or, if the API did not send one, a code of this SDK.
 * - `no-response`: no attempt got a whole response; the request may have succeeded.
 * - `timeout`: as `no-response`; the last attempt took longer than `timeoutMs`.
 * - `unexpected-response`: something else than the API responded, such as a proxy.
 * - `webhook-invalid`: a webhook has no valid signature. `webhook-expired`: its time is more than 5 minutes off.
 */
export type LeadbackErrorCode =
  | ApiErrorCode
  | 'no-response'
  | 'timeout'
  | 'unexpected-response'
  | 'webhook-invalid'
  | 'webhook-expired'
  // a code that is newer than this SDK
  | (string & Record<never, never>);

interface LeadbackErrorDetails {
  readonly status?: number;
  readonly code: LeadbackErrorCode;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** A request that failed after all retries, or a webhook that is not genuine. Contains no secret. */
export class LeadbackError extends Error {
  override readonly name = 'LeadbackError';
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: LeadbackErrorCode;
  /** The `x-request-id` of the response. Give it to support. */
  readonly requestId: string | undefined;

  constructor({ status = 0, code, message, requestId, cause }: LeadbackErrorDetails) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** The code that the API sent, if any. */
export const errorCodeOf = (headers: Headers): string | undefined => headers.get('leadback-error') ?? undefined;

/**
 * Whether a text has the form of a lead reference, 22 letters and digits, or of the cookie `leadback`, which has more behind a dot. Without a request, it finds values that were
 * cut off or never filled in; only the API knows whether the lead exists.
 */
export const looksLikeLeadReference = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9A-Za-z]{22}(?:\.\d{1,12}(?:\.[0-9a-z]*)?)?$/.test(text);
