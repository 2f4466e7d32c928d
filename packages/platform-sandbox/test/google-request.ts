export const hash = '509e933019bb285a134a9334b8bb679dff79d0ce023d529af4bd744d47b4fd8a';

/** A valid event for Google. */
export const googleEvent = (changes: Readonly<Record<string, unknown>> = {}) => ({
  transactionId: '1',
  eventTimestamp: '2026-11-21T11:59:59.567Z',
  eventSource: 'WEB',
  conversionValue: 100.2,
  currency: 'USD',
  adIdentifiers: { gclid: 'CjwK' },
  userData: { userIdentifiers: [{ emailAddress: hash }] },
  ...changes,
});

const account = (accountId: string) => ({ accountType: 'GOOGLE_ADS', accountId });

export const destination = (changes: Readonly<Record<string, unknown>> = {}) => ({
  operatingAccount: account('1234567890'),
  loginAccount: account('9876543210'),
  productDestinationId: '848898416',
  ...changes,
});

export const googleRequest = (events: readonly unknown[], changes: Readonly<Record<string, unknown>> = {}) => ({
  destinations: [destination()],
  encoding: 'HEX',
  events,
  ...changes,
});
