/** `ingestExamples[0]` of the oracle of Google's own library (googleads/data-manager-node e7987f8), unchanged. */
export const gclidAndUserData = {
  name: 'gclid + user data',
  lead: { gclid: 'CjwKCAjw_test-GCLID', ip: '203.0.113.7' },
  client: { email: 'Cloudy.SanFrancisco+shopping@gmail.com', phoneNumber: '+54 9 11 2345-6789' },
  conversion: { id: 'conv_01', amount: 100.2, currency: 'USD', created_at: '2026-11-21T02:33:04.567Z' },
  body: {
    destinations: [
      {
        operatingAccount: { accountType: 'GOOGLE_ADS', accountId: '1234567890' },
        loginAccount: { accountType: 'GOOGLE_ADS', accountId: '9876543210' },
        productDestinationId: '848898416',
      },
    ],
    encoding: 'HEX',
    events: [
      {
        transactionId: 'conv_01',
        eventTimestamp: '2026-11-21T02:33:04.567Z',
        eventSource: 'WEB',
        conversionValue: 100.2,
        currency: 'USD',
        adIdentifiers: { gclid: 'CjwKCAjw_test-GCLID' },
        userData: {
          userIdentifiers: [
            { emailAddress: '223ebda6f6889b1494551ba902d9d381daf2f642bae055888e96343d53e9f9c4' },
            { phoneNumber: '790e47a4a8aeeed031d32be19de28e8880e89e80de18371c042874fc0367303c' },
          ],
        },
      },
    ],
  },
} as const;
