import { describe, expect, it } from 'vitest';
import { phoneKey } from './contact.ts';

describe('the key of a phone number', () => {
  it.each(['+54 9 11 2345-6789', '+54 11 2345-6789', '011 2345 6789', '(11) 2345-6789', '0054 9 11 2345 6789'])(
    'is the same for %s as for the other ways to write it',
    (written) => {
      expect(phoneKey(written)).toBe('1123456789');
    },
  );

  it('differs between numbers', () => {
    expect(phoneKey('+1 650 253 0000')).not.toBe(phoneKey('+1 650 253 0001'));
  });

  it.each(['', 'none', '12-34-56'])('does not exist for %j', (written) => {
    expect(phoneKey(written)).toBeUndefined();
  });
});
