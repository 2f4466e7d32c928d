import { describe, expect, it } from 'vitest';
import { byClickAlone, ingestBody } from './send.ts';

const settings = { customerId: '1234567890', conversionActionId: '848898416' };
const account = (accountId: string) => ({ accountType: 'GOOGLE_ADS', accountId });
const click = { transactionId: '1', adIdentifiers: { gclid: 'a' } };
const person = { transactionId: '2', userData: { userIdentifiers: [] } };

describe('the body of events:ingest', () => {
  it('the body of events:ingest names the account, the login account and the conversion action', () => {
    expect(ingestBody({ ...settings, loginCustomerId: '9876543210' }, 'live', [click, person])).toEqual({
      destinations: [
        {
          reference: '848898416',
          operatingAccount: account('1234567890'),
          loginAccount: account('9876543210'),
          productDestinationId: '848898416',
        },
      ],
      encoding: 'HEX',
      events: [click, person],
    });
  });

  it('the body of events:ingest leaves out default values', () => {
    expect(ingestBody({ ...settings, loginCustomerId: '1234567890' }, 'live', [click])).toEqual({
      destinations: [
        { reference: '848898416', operatingAccount: account('1234567890'), productDestinationId: '848898416' },
      ],
      events: [click],
    });
  });
});

describe('the body for tests', () => {
  it('the body for tests requests validation only', () => {
    expect(ingestBody(settings, 'test', [click])).toHaveProperty('validateOnly', true);
  });
});

describe('events by their clicks alone', () => {
  it('reducing events to their clicks removes all personal data', () => {
    expect(byClickAlone([{ ...click, ...person, transactionId: '1' }])).toEqual([click]);
  });

  it('reducing events to their clicks is not possible if one of them has no click', () => {
    expect(byClickAlone([click, person])).toBeUndefined();
  });
});
