import type { z } from 'zod';
import { adjustmentsMax, importBytesMax, importsBytesMax } from './conversion.ts';
import { standardCurrencies } from './currency.ts';
import { erasuresPerKeyAndDay } from './erasure.ts';
import { webhooksMax } from './webhook.ts';
import { occurredAtRange } from './fields.ts';

export interface RefusalText {
  /** For the documentation. */
  readonly meaning: string;
  /** For the caller: names the field and the fix, and never quotes input. */
  readonly message: string;
  /** Other messages with the same code, by case. */
  readonly cases?: Readonly<Record<string, string>>;
}

/** The message of `rate-limited` for a key. */
export const overRateMessage = (perSecond: number, waitSeconds: number): string =>
  `more than ${perSecond} requests a second with this key; try again in ${waitSeconds} s`;

/** The message of `currency-not-allowed`. */
export const currenciesMessage = (allowed: readonly string[]): string =>
  `currency: this account takes ${allowed.join(', ')}; ask your operator to allow another one`;

/** The message of `suppressed`. */
export const suppressedMessage = (erasureId: string): string =>
  `${refusals.suppressed.message} (erasure ${erasureId}), or allow the person again with POST /client/allow`;

/** The message of `method-not-allowed`. */
export const methodMessage = (method: string, allowed: string): string =>
  `${method} is not supported here; use ${allowed}`;

/**
 * Every reason for which the API refuses a request, with all its texts. The code is sent in the header
 * `Leadback-Error`, so that callers need not parse messages. A closed list: callers rely on these codes.
 */
export const refusals = {
  'key-missing': { meaning: 'The header `x-api-key` is missing.', message: 'x-api-key: the header is missing' },
  'key-invalid': {
    meaning: 'The API key is unknown, revoked or mistyped.',
    message: 'x-api-key: not a valid key; check that it is whole and has not been revoked',
    cases: { mistyped: 'x-api-key: the key has a typo; copy it exactly as issued' },
  },
  'key-expired': { meaning: 'The API key has expired.', message: 'x-api-key: the key has expired; ask for a new one' },
  'account-suspended': { meaning: 'The account is suspended.', message: 'the account is suspended' },
  'scope-missing': {
    meaning: 'The API key has not the scope that this endpoint needs.',
    message: 'x-api-key: this key may not do this; use a key with the scope that the endpoint needs',
    cases: {
      read: 'x-api-key: this key has not the scope "read"; use a key that has it, or ask your operator for one',
      register: 'x-api-key: this key has not the scope "register"; use a key that has it, or ask your operator for one',
      erase: 'x-api-key: this key has not the scope "erase"; use a key that has it, or ask your operator for one',
    },
  },
  'signature-wrong': {
    meaning: 'The signature of what a source was sent is missing or wrong. Only at the address of a source.',
    message: 'the signature is missing or wrong; the sender must sign with the secret of the source',
  },
  'not-found': {
    meaning: 'No endpoint has this path, or the account has no such import, reconciliation, webhook or erasure.',
    message: 'no such path; the API is under /api/v1, its documentation at /docs',
    cases: {
      import: 'id: no import of this account has this id',
      reconciliation: 'id: no reconciliation of this account has this id',
      erasure: 'id: no erasure of this account has this id',
      webhook: 'id: no webhook of this account has this id',
      webhookDelivery: 'deliveryId: this webhook has no delivery with this id',
    },
  },
  'method-not-allowed': {
    meaning: 'The path exists, but not with this method; see `Allow`.',
    message: methodMessage('PUT', 'GET, HEAD'),
  },
  'unsupported-media-type': {
    meaning: 'The body is not uncompressed JSON (for an import: CSV) in UTF-8.',
    message: 'Content-Type: expected application/json',
    cases: {
      csv: 'Content-Type: expected text/csv',
      list: 'Content-Type: expected application/json or text/csv',
      charset: 'Content-Type: expected charset utf-8',
      encoding: 'Content-Encoding: send the body uncompressed',
    },
  },
  'body-too-large': {
    meaning: `The body is larger than 64 KiB, 1 MiB for a batch, or ${importBytesMax / 2 ** 20} MiB for a file.`,
    message: 'body: larger than 64 KiB',
    cases: {
      batch: 'body: larger than 1 MiB; send several smaller batches',
      file: `body: larger than ${importBytesMax / 2 ** 20} MiB; split the file`,
      list: 'body: larger than 1 MiB; send the list as CSV',
    },
  },
  'invalid-json': {
    meaning: 'The body is not valid JSON, or is incomplete.',
    message: 'body: expected valid JSON',
    cases: {
      encoding: 'body: not valid UTF-8',
      incomplete: 'body: ended before Content-Length was reached',
      late: 'the request took too long to arrive',
    },
  },
  'invalid-fields': {
    meaning: 'A field or header is missing or wrong; the message names it.',
    message: 'body: expected a JSON object',
    cases: {
      occurredAt: `occurredAt: ${occurredAtRange}`,
      currency: 'currency: expected the currency of the conversion; an adjustment does not change it',
      occurredBefore: 'occurredAt: expected a time that is not before the conversion',
      adjustments: `conversionId: the conversion has ${adjustmentsMax} adjustments and takes no more totals; retract it, and register a new conversion with the right total`,
      sameName:
        'item: too many items before it with the same reference or event id were refused; correct them, then send it again',
      imports: `body: the imported files of this account that are kept have ${importsBytesMax / 2 ** 30} GiB together; wait until earlier ones are deleted, or ask your operator to keep them for fewer days`,
      webhooks: `url: this account has ${webhooksMax} webhooks of this kind already; change or delete one of them`,
      page: 'page: no page of this account has this slug',
      webhookPaused: 'id: the webhook is paused; set its state to active first',
      path: 'path: not valid percent-encoding',
      host: 'Host: the header is missing, or there are several',
      expect: 'Expect: only 100-continue is supported',
      headers: 'headers: larger than 16 KiB',
      http: 'not a valid HTTP request',
    },
  },
  'currency-not-allowed': {
    meaning: 'The account takes no sales in this currency; the message names those that it takes.',
    message: currenciesMessage(standardCurrencies),
  },
  'lead-unknown': {
    meaning: 'No lead of the account has this lead reference.',
    message: 'leadReference: no lead of this account has this reference',
    cases: {
      damaged: 'leadReference: not a reference that we issued; pass on the value of serviceId whole and unchanged',
      case: 'leadReference: its letters have lost their case; pass on the value of serviceId with capital and small letters as they are',
      test: 'leadReference: the lead is of a test, and the key is live; send a click that a live key registered',
      recent:
        'leadReference: no lead of this account has this reference; retry if the visitor came less than 10 seconds ago',
    },
  },
  'lead-pending': {
    meaning: 'The lead reference is genuine, but its lead is not available yet.',
    message: 'leadReference: lead not available yet; retry after some seconds',
  },
  suppressed: {
    meaning:
      'A person with this email or phone number was erased, and the account does not register erased persons again.',
    message:
      'email, phoneNumber: a person with one of them was erased, and this account does not register erased persons again; leave out both',
  },
  'client-unknown': {
    meaning: 'No client of the account matches.',
    message: 'no client matches clientExternalReference or email',
    cases: { id: 'id: no client of this account has this id' },
  },
  'conversion-repeated': {
    meaning: 'A conversion with this reference or event id exists; see `Leadback-Conversion-Id`.',
    message: 'conversionExternalReference: a conversion with this reference already exists',
    cases: { eventId: 'eventId: another conversion has this event id; use a different id for each sale' },
  },
  'conversion-differs': {
    meaning:
      'A conversion with this reference exists, with another amount, currency or client; see `Leadback-Conversion-Id`.',
    message: 'amount: not as registered with this conversionExternalReference',
  },
  'conversion-unknown': {
    meaning: 'No conversion of the account matches.',
    message: 'id: no conversion of this account has this id',
    cases: {
      reference: 'externalReference: no conversion of this account has this reference',
      adjusted:
        'no conversion matches conversionId or conversionExternalReference; if its sale is still on the way, register that first (POST /client/conversion), then send this again',
    },
  },
  'conversion-retracted': {
    meaning: 'The conversion was taken back before: its total is 0, and it takes no more adjustments.',
    message:
      'the conversion is retracted and takes no more adjustments; if it was sold again, register a new conversion',
  },
  'adjustment-repeated': {
    meaning: 'The same adjustment is registered with this reference; see `Leadback-Conversion-Id`.',
    message: 'adjustmentExternalReference: an adjustment with this reference already exists',
  },
  'idempotency-key-reused': {
    meaning: 'The `Idempotency-Key` was used for another request.',
    message: 'idempotency-key: already used for another request; use a new key for each new request',
  },
  'idempotency-in-progress': {
    meaning: 'The first request with this `Idempotency-Key`, or the work on the reconciliation, is still in progress.',
    message: 'idempotency-key: the first request with this key is still in progress; try again in a moment',
    cases: { reconciliation: 'id: this reconciliation is still in progress; try again when its state is done' },
  },
  'rate-limited': {
    meaning: 'Too many requests with this key, or too many invalid keys from this IP address.',
    message: overRateMessage(200, 1),
    cases: {
      erasures: `more than ${erasuresPerKeyAndDay} erasures within a day with this key; try again later, or use the console`,
      lists: 'ten lists are being compared already; send the next one when one of them is done',
      imports: 'ten files are being imported already; send the next one when one of them is done',
      address: 'x-api-key: too many invalid keys from this IP address; check the key, then try again',
    },
  },
  overloaded: {
    meaning: 'More requests wait already than the API can serve in time.',
    message: 'overloaded right now; try again later',
  },
  unavailable: {
    meaning: 'A dependency of the API is temporarily unavailable.',
    message: 'not available right now; try again later',
  },
  internal: {
    meaning: 'An internal error; give support the `x-request-id`.',
    message: 'internal error; give support the x-request-id',
  },
} as const satisfies Readonly<Record<string, RefusalText>>;

export type RefusalCode = keyof typeof refusals;

const isRefusalCode = (name: string): name is RefusalCode => name in refusals;

export const refusalCodes: readonly RefusalCode[] = Object.keys(refusals).filter(isRefusalCode);

type Refusals = typeof refusals;

/** `client-unknown`: its usual message; `client-unknown.id`: the message of a case. */
export type RefusalName = {
  [Code in RefusalCode]:
    | Code
    | (Refusals[Code] extends { readonly cases: infer Cases } ? `${Code}.${keyof Cases & string}` : never);
}[RefusalCode];

interface NamedRefusal {
  readonly code: RefusalCode;
  readonly message: string;
}

const textsOf = (code: RefusalCode): RefusalText => refusals[code];

const byName = new Map<string, NamedRefusal>(
  refusalCodes.flatMap((code) => {
    const { message, cases = {} } = textsOf(code);
    const ofCases = Object.entries(cases).map(([name, text]) => [`${code}.${name}`, { code, message: text }] as const);
    return [[code, { code, message }], ...ofCases];
  }),
);

export const refusalOf = (name: RefusalName): NamedRefusal => {
  const refusal = byName.get(name);
  if (!refusal) throw new Error(`no refusal is called ${name}`);
  return refusal;
};

interface RefusalDetails {
  /** Replaces the message of the catalogue, for one with values. */
  readonly message?: string;
  /** The conversion that was registered first, or that was adjusted. */
  readonly conversionId?: number | undefined;
  /** Only for `conversion-repeated`: the field that it has as well. */
  readonly repeatedField?: 'conversionExternalReference' | 'eventId' | undefined;
}

/** A request that breaks a rule of the API. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly conversionId: number | undefined;
  readonly repeatedField: RefusalDetails['repeatedField'];

  constructor(name: RefusalName, { message, conversionId, repeatedField }: RefusalDetails = {}) {
    const refusal = refusalOf(name);
    super(message ?? refusal.message);
    this.code = refusal.code;
    this.conversionId = conversionId;
    this.repeatedField = repeatedField;
  }
}

interface Remedy {
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
  'signature-wrong': fix('Give the sender the secret of the source, or the source the secret of the sender.'),
  'not-found': fix('Compare the path with the [reference](/docs/reference). Paths are case-sensitive.'),
  'method-not-allowed': fix('Use one of the methods in `Allow`.'),
  'unsupported-media-type': fix('Send the media type that the [reference](/docs/reference) lists, uncompressed.'),
  'body-too-large': fix('Send less data in one request.'),
  'invalid-json': fix('Build the body with a JSON library, and send it whole.'),
  'invalid-fields': fix('Correct what `message` names. Another attempt with the same values fails again.'),
  'currency-not-allowed': fix(
    'Send the sale in a currency that `message` names, or ask your operator to allow the other one (`account change --currencies`). Then send it again.',
  ),
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
  'conversion-differs': fix(
    'Nothing was registered or changed. If the sale has another total now, send an adjustment (`POST /client/conversion/adjustment`). If it is another sale, send a `conversionExternalReference` of its own.',
  ),
  'conversion-unknown': fix(
    'Check the id or reference. Conversions of test keys are invisible to live keys. If you adjust a sale that has not been registered yet, register the sale, then send the adjustment again: nothing of it was kept.',
  ),
  'conversion-retracted': fix(
    'Treat it as done if you wanted to take the conversion back. For another total, register a new conversion.',
  ),
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

/** The refusal of input that does not fit its schema. Names every wrong field; `whole` is what the input is called. */
export const invalidFields = ({ issues }: z.ZodError, whole: 'body' | 'item' = 'body'): Refusal => {
  const told = issues.map(({ path, message }) => `${path.length === 0 ? whole : path.join('.')}: ${message}`);
  return new Refusal('invalid-fields', { message: told.join('; ') });
};
