import { connectionDeleted, consentWithdrawn, eventAgeMaxMs, eventTooOld, type PlatformName } from '@leadback/domain';
import { funnelReasons } from '../quality/funnel.ts';

export interface Meaning {
  /** Null: only the platform's words say. */
  readonly meaning: string | null;
  /** What helps; null: nothing, for these deliveries. */
  readonly remedy: string | null;
}

const unknown: Meaning = { meaning: null, remedy: null };

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  [
    'no_match_keys',
    {
      meaning: 'The platform cannot match the event: there is no click id and no usable contact data.',
      remedy: 'Register clients with their email or phone number; a retry helps once a client has one.',
    },
  ],
  [
    'before_click',
    {
      meaning:
        'The conversion occurred before the click, which cannot have caused it, and nothing else is known to match by.',
      remedy: 'If the time of the conversion is wrong, correct it at its source; else nothing.',
    },
  ],
  [
    'consent',
    {
      meaning: 'The visitor did not agree to sharing, or their browser sent Global Privacy Control.',
      remedy: null,
    },
  ],
  [
    consentWithdrawn,
    {
      meaning: 'The visitor has withdrawn consent on the page “Your data”: platforms are told nothing more.',
      remedy: null,
    },
  ],
  [connectionDeleted, { meaning: 'Its connection was deleted while this waited for it.', remedy: null }],
  [
    'not_supported',
    {
      meaning: 'The platform has no way to be told of this adjustment.',
      remedy: 'Meta needs a refund event: an operator sets it on the connection.',
    },
  ],
  [
    'original_not_delivered',
    { meaning: 'The platform does not have the conversion.', remedy: 'Retry the conversion: this follows it.' },
  ],
  [funnelReasons.waiting, { meaning: 'It is on its way to the platform, or will be tried again.', remedy: null }],
  [
    funnelReasons.paused,
    { meaning: 'The connection is paused: it waits, and may become too old.', remedy: 'Resume the connection.' },
  ],
  [
    funnelReasons.needsAttention,
    {
      meaning: 'The platform rejects the connection: it waits, and may become too old.',
      remedy: 'The connection says what to change. Change it, then resume the connection.',
    },
  ],
  [
    funnelReasons.notReportedYet,
    {
      meaning:
        'The platform accepted it, and has yet to report whether it used it. That takes half an hour to some hours.',
      remedy: null,
    },
  ],
  [
    funnelReasons.notReported,
    {
      meaning:
        'The platform did not report whether it used it. The note of the delivery says what it reported instead.',
      remedy: 'A retry sends it again; the platform counts it once.',
    },
  ],
  [
    'retries_exhausted',
    {
      meaning: 'The platform was not available, or throttled, for three days.',
      remedy: 'If it is well again, retry.',
    },
  ],
  [
    'CLICK_NOT_FOUND',
    {
      meaning: 'Google knows no such click in this account.',
      remedy:
        'Check that the connection has the account (customer id) whose ads brought the click, and that auto-tagging is on there.',
    },
  ],
  ...['INVALID_OPERATING_ACCOUNT_FOR_CLICK', 'OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER'].map(
    (code): [string, Meaning] => [
      code,
      {
        meaning: 'The click is of the ads of another Google account than that of the connection.',
        remedy:
          'Use the account (customer id) that owns the ads, or a manager account with conversion tracking across accounts.',
      },
    ],
  ),
  ...['INVALID_GCLID', 'INVALID_GBRAID', 'INVALID_WBRAID', 'INVALID_CLICK'].map((code): [string, Meaning] => [
    code,
    {
      meaning: 'Google cannot read the click id: it was cut or changed on its way.',
      remedy: 'Let ads lead to the landing page directly, without a shortener or a redirect that changes the address.',
    },
  ]),
  [
    'CONVERSION_PRECEDES_CLICK',
    {
      meaning: 'The conversion occurred before the click.',
      remedy: 'If the time of the conversion is wrong, correct it at its source; else nothing.',
    },
  ],
  [
    'TOO_RECENT_CLICK',
    { meaning: 'Google has yet to learn of the click. It is sent again after six hours.', remedy: null },
  ],
  ...['DENIED_CONSENT', 'UNKNOWN_CONSENT'].map((code): [string, Meaning] => [
    code,
    {
      meaning: 'Google has no consent of this person to the use of the data for ads.',
      remedy:
        'Ask for consent on the landing page, or tell it with `consent`. Check the consent settings of the account in Google Ads as well.',
    },
  ]),
  [
    'currency_not_supported',
    {
      meaning: 'The platform does not take the currency of the sale.',
      remedy: 'An operator can have such sales sent without their amount: a setting of the connection. Then retry.',
    },
  ],
  ['superseded', { meaning: 'A later adjustment was delivered, which this one would overwrite.', remedy: null }],
  ['no_test_mode', { meaning: 'The conversion is a test, and the platform would count it.', remedy: null }],
  [
    'no_lead_event',
    {
      meaning: 'The connection does not say what the platform calls leads.',
      remedy: 'An operator sets the lead event on the connection, or leaves leads out. Then retry.',
    },
  ],
  [
    'no_test_event_code',
    {
      meaning: 'The conversion is a test, and the connection has no test event code.',
      remedy: 'An operator sets a test event code on the connection. Then retry.',
    },
  ],
]);

const dayMs = 86_400_000;

const tooOld = (platform: PlatformName): Meaning => {
  const days = Math.ceil(eventAgeMaxMs(platform) / dayMs);
  return { meaning: `The platform accepts no event older than ${days} days.`, remedy: null };
};

/** What a code of a reason means, for people who read why conversions were not delivered. */
export const meaningOf = (platform: PlatformName, code: string | null): Meaning =>
  code === eventTooOld ? tooOld(platform) : (meanings.get(code ?? '') ?? unknown);
