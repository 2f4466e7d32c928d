/**
 * Every reason for which the API refuses a request. Sent in the header `Leadback-Error`, so that callers need not
 * parse messages. A closed list: callers rely on these codes.
 */
export const refusals = {
  'key-missing': 'The header `x-api-key` is missing.',
  'key-invalid': 'The API key is unknown, revoked or mistyped.',
  'key-expired': 'The API key has expired.',
  'account-suspended': 'The account is suspended.',
  'not-found': 'No endpoint has this path.',
  'method-not-allowed': 'The path exists, but not with this method; see `Allow`.',
  'unsupported-media-type': 'The body is not uncompressed JSON in UTF-8.',
  'body-too-large': 'The body is larger than 64 KiB.',
  'invalid-json': 'The body is not valid JSON, or is incomplete.',
  'invalid-fields': 'A field or header is missing or wrong; the message names it.',
  'lead-unknown': 'No lead of the account has this lead reference.',
  'lead-pending': 'The lead reference is genuine, but its lead is not available yet.',
  'client-unknown': 'No client of the account matches.',
  'conversion-repeated': 'A conversion with this reference or event id exists; see `Leadback-Conversion-Id`.',
  'conversion-unknown': 'No conversion of the account matches.',
  'adjustment-repeated': 'An adjustment with this reference exists.',
  'idempotency-key-reused': 'The `Idempotency-Key` was used for another request.',
  'idempotency-in-progress': 'The first request with this `Idempotency-Key` is still in progress.',
  'rate-limited': 'Too many requests with this key, or too many invalid keys from this IP address.',
  overloaded: 'The API is temporarily overloaded.',
  unavailable: 'A dependency of the API is temporarily unavailable.',
  internal: 'An internal error; give support the `x-request-id`.',
} as const satisfies Readonly<Record<string, string>>;

export type RefusalCode = keyof typeof refusals;

const isRefusalCode = (name: string): name is RefusalCode => name in refusals;

export const refusalCodes: readonly RefusalCode[] = Object.keys(refusals).filter(isRefusalCode);
