const meanings: ReadonlyMap<string, string> = new Map([
  ['no_match_keys', 'the platform cannot match the event: there is no click id and no usable contact data'],
  [
    'consent',
    'the visitor did not agree to sharing, or refused personalisation and the platform cannot mark an event for counting only, or their browser sent Global Privacy Control; `account change --gpc` sets how that is treated',
  ],
  [
    'event_too_old',
    'the platform accepts no event this old (see occurredAt); Google and Microsoft also accept no click older than 90 days',
  ],
  ['no_test_mode', 'the conversion is a test, and the platform would count it: it has no tests'],
  [
    'no_test_event_code',
    'the conversion is a test, and the connection has no test event code: set one with `connection change --test-event-code`',
  ],
]);

/** Explains why a delivery was skipped, and what can be done; null for other reasons. */
export const skipMeaning = (reason: string | null | undefined): string | null => meanings.get(reason ?? '') ?? null;
