/** What the reasons mean for which a delivery is skipped, and what can be done. */
const meanings: ReadonlyMap<string, string> = new Map([
  ['no_match_keys', 'the platform could find nobody: there is no click id and no usable contact data'],
  [
    'consent',
    'the visitor did not agree to sharing, or their browser sent Global Privacy Control, which `account change --gpc` says how to read',
  ],
  [
    'event_too_old',
    'the platform takes no event this old: see occurredAt; Google also takes no click older than 90 days',
  ],
  [
    'no_test_event_code',
    'it is a test, and the connection has no code for tests: `connection change --test-event-code`',
  ],
]);

/** What the reason of a delivery that was never sent means, in words; null for reasons that speak for themselves. */
export const skipMeaning = (reason: string | null | undefined): string | null => meanings.get(reason ?? '') ?? null;
