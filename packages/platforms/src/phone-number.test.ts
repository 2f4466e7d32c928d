import { describe, expect, it } from 'vitest';
import { phoneNumbers } from '../test/identifier-vectors.ts';
import { phoneNumberInE164 } from './phone-number.ts';

describe('telephone number', () => {
  it.each(phoneNumbers)('%j is brought to E.164', (written, argentina, unitedStates, unknown) => {
    const inCountry = (country: string) => phoneNumberInE164(written, country) ?? null;
    expect([inCountry('AR'), inCountry('US'), inCountry('')]).toEqual([argentina, unitedStates, unknown]);
  });

  it('is read as international after 00', () => {
    expect(phoneNumberInE164('0054 9 11 2345-6789', 'US')).toBe('+5491123456789');
  });
});
