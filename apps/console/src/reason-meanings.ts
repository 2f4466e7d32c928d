import { connectionDeleted, consentWithdrawn, eventAgeMaxMs, eventTooOld, type PlatformName } from '@leadback/domain';

interface Meaning {
  /** Null: only the platform's words say. */
  readonly meaning: string | null;
  /** What helps; null: nothing, for these deliveries. */
  readonly remedy: string | null;
}

const unknown: Meaning = { meaning: null, remedy: null };

const meanings: ReadonlyMap<string, Meaning> = new Map([
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

/** What a code of a reason means, in the words of the console. */
export const meaningOf = (platform: PlatformName, code: string | null): Meaning =>
  code === eventTooOld ? tooOld(platform) : (meanings.get(code ?? '') ?? unknown);
