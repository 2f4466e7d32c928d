import { consentWithdrawn, eventTooOld } from '@leadback/domain';
import type { Platform } from '@leadback/platforms';

const meanings: ReadonlyMap<string, string> = new Map([
  ['no_match_keys', 'the platform cannot match the event: there is no click id and no usable contact data'],
  [
    'consent',
    'the visitor did not agree to sharing, or refused personalisation and the platform cannot mark an event for counting only, or their browser sent Global Privacy Control; `account change --gpc` sets how that is treated',
  ],
  [consentWithdrawn, 'the visitor has withdrawn consent on the page `/data` of landing; nothing brings it back'],
  [
    'not_supported',
    'the platform has no way to be told of this adjustment; Meta needs a refund event, set with `connection change --refund-event`',
  ],
  [
    'original_not_delivered',
    'the platform does not have the conversion; `feedback retry` of the conversion brings this back',
  ],
  [
    'original_uncertain',
    'it is not known whether the platform used the conversion: it did not report it of each event of the request, or never, or the record was deleted; if the delivery of the conversion has a note, `feedback retry` of it sends both again',
  ],
  [
    'original_sent_elsewhere',
    'the conversion was sent with other settings of the connection (account, conversion action, data set or `--map-event`); there, this would be one more conversion. Correct the conversion by hand at the platform; if the change was a mistake, undo it and run `feedback retry`',
  ],
  ['superseded', 'a later adjustment of the conversion has the total that counts; this one would overwrite it'],
  ['nothing_taken_back', 'the total is not below every earlier one; the platform is told only of what is taken back'],
  [
    'refund_event_taken',
    'the refund event has the name of another event, which the platform would count: change it with `connection change --refund-event`',
  ],
  ['no_test_mode', 'the conversion is a test, and the platform would count it: it has no tests'],
  [
    'no_lead_event',
    'the connection does not say what the platform calls leads: set it with `connection change`, or leave leads out with `--events conversion`',
  ],
  [
    'no_test_event_code',
    'the conversion is a test, and the connection has no test event code: set one with `connection change --test-event-code`',
  ],
]);

const dayMs = 24 * 3_600_000;

/** Explains why a delivery was skipped, and what can be done; null for other reasons. */
export const skipMeaning = (
  reason: string | null | undefined,
  { title, limits }: Pick<Platform, 'title' | 'limits'>,
): string | null => {
  if (reason !== eventTooOld) return meanings.get(reason ?? '') ?? null;
  const days = Math.ceil(limits.eventAgeMaxMs / dayMs);
  return `${title} accepts no event older than ${days} days (see occurredAt), and may accept no click that old`;
};
