import type { RefusalCode } from '@leadback/domain';

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
