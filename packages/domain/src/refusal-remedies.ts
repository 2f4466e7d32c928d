import type { RefusalCode } from './refusals.ts';

export interface Remedy {
  /** What the caller does, in Markdown, for the documentation. */
  readonly remedy: string;
  /** Whether the same request can succeed later without a change. */
  readonly isTemporary: boolean;
}

const fix = (remedy: string): Remedy => ({ remedy, isTemporary: false });
const wait = (remedy: string): Remedy => ({ remedy, isTemporary: true });

/** The compiler requires a remedy for each new code. */
export const remedies: Readonly<Record<RefusalCode, Remedy>> = {
  'key-missing': fix('Send your key in the header `x-api-key` with every request.'),
  'key-invalid': fix('Copy the key exactly as issued. If it was revoked, ask your operator for a new one.'),
  'key-expired': fix('Ask your operator for a new key.'),
  'account-suspended': fix('Ask your operator why. After the account is activated, send the request again.'),
  'scope-missing': fix(
    'Use a key with the scope that `message` names: the operator issues one (`key issue --may read,register,erase`).',
  ),
  'not-found': fix('Compare the path with the [reference](/docs/reference). Paths are case-sensitive.'),
  'method-not-allowed': fix('Use one of the methods in `Allow`.'),
  'unsupported-media-type': fix('Send the media type that the [reference](/docs/reference) lists, uncompressed.'),
  'body-too-large': fix('Send less data in one request.'),
  'invalid-json': fix('Build the body with a JSON library, and send it whole.'),
  'invalid-fields': fix('Correct what `message` names. Another attempt with the same values fails again.'),
  'lead-unknown': fix(
    'Send the value of `serviceId` whole and unchanged, with the key of the account whose landing page the visitor passed.',
  ),
  'lead-pending': wait('Send the same request again after `Retry-After` seconds: the lead is buffered, not lost.'),
  suppressed: fix(
    'Do not register this person. If the person agreed to be known again, call `POST /client/allow` with the id of the erasure in `message`.',
  ),
  'client-unknown': fix(
    'Register the client (`POST /client`) with the same kind of key, live or test. Then send the request again.',
  ),
  'conversion-repeated': fix(
    'Treat it as done if you sent the same sale again: `Leadback-Conversion-Id` is its id. If it is another sale, send a `conversionExternalReference` and an `eventId` of its own.',
  ),
  'conversion-unknown': fix('Check the id or reference. Conversions of test keys are invisible to live keys.'),
  'adjustment-repeated': fix('Treat it as done: the adjustment is registered.'),
  'idempotency-key-reused': fix('Use a new `Idempotency-Key` for each new request, and the old one only for retries.'),
  'idempotency-in-progress': wait('Wait some seconds, then send the same request again, with the same key.'),
  'rate-limited': wait('Wait `Retry-After` seconds. Spread your requests, or ask your operator for a higher limit.'),
  overloaded: wait('Send the same request again after `Retry-After` seconds. Nothing was registered.'),
  unavailable: wait(
    'Send the same request again after `Retry-After` seconds, with the same identifier or `Idempotency-Key`: the first may have been registered.',
  ),
  internal: wait(
    'Send the same request again once, with the same identifier or `Idempotency-Key`. If it fails again, give support the `x-request-id`.',
  ),
};
