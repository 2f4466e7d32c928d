import { describe, expect, it } from 'vitest';
import { phoneNumbers } from '../test/identifier-vectors.ts';
import { onePhoneNumberForm, phoneNumberForms, phoneNumberInE164 } from './phone-number.ts';

const formsByCountry = () => [phoneNumberForms('11 6543-2109', 'AR'), phoneNumberForms('11 6543-2109', 'US')];

describe('phone number', () => {
  it.each(phoneNumbers)('converts %j to E.164', (written, argentina, unitedStates, unknown) => {
    const inCountry = (country: string) => phoneNumberInE164(written, country) ?? null;
    expect([inCountry('AR'), inCountry('US'), inCountry('')]).toEqual([argentina, unitedStates, unknown]);
  });

  it('reads a phone number that begins with 00 as international', () => {
    expect(phoneNumberInE164('0054 9 11 2345-6789', 'US')).toBe('+5491123456789');
  });

  it.each([
    ['tel:+1-650-555-1212', '+16505551212'],
    ['tel: +1 650 555 1212', '+16505551212'],
    ['\u202a+1 650\u200b 555 1212\u202c', '+16505551212'],
    ['TEL:+1-650-555-1212;ext=123', '+16505551212'],
    ['tel:+5491123456789;phone-context=ignored.example', '+5491123456789'],
    ['tel:650-555-1212;phone-context=+1', '+16505551212'],
    ['tel:11-2345-6789', '+541123456789'],
    ['tel:11-2345-6789;phone-context=shop.example', '+541123456789'],
    ['(+54) 11 6543-2109', '+541165432109'],
    ['( +54 ) 9 11 6543-2109', '+5491165432109'],
    ['[+1] 650 555 1212', '+16505551212'],
    ['(0054) 11 6543-2109', '+541165432109'],
    ['(+54 11) 6543-2109', '+541165432109'],
    ['(+54 9 11) 6543-2109', '+5491165432109'],
    ['(+54-11) 6543-2109', '+541165432109'],
    ['(+5411)6543-2109', '+541165432109'],
    ['(+54 11 6543-2109)', '+541165432109'],
    ['(0054 9 11) 6543-2109', '+5491165432109'],
    ['[+54 11] 6543-2109', '+541165432109'],
    ['(+1 650) 555-1212', '+16505551212'],
    ['(+1-650) 555-1212', '+16505551212'],
    ['tel:(+1 650) 555-1212', '+16505551212'],
    ['+(54) 11 6543-2109', '+541165432109'],
    ['(011) 6543-2109', '+541165432109'],
  ])('converts %j of a client in Argentina to %s', (written, e164) => {
    expect(phoneNumberInE164(written, 'AR')).toBe(e164);
  });

  it.each([
    '+54 15 6543 2109',
    '+54 9 15 6543 2109',
    '15 6543 2109',
    '+1 555 123 4567',
    'tel:',
    'tel:;ext=5',
    '(+54)',
    '(+54 11)',
    '(+54 15) 6543 2109',
    '(+)',
  ])('does not use %j, which is assigned to no subscriber', (written) => {
    expect(phoneNumberForms(written, 'AR')).toEqual([]);
  });
});

describe('the forms of a phone number', () => {
  it.each([
    ['+54 9 11 6543-2109', ['+5491165432109', '+541165432109']],
    ['011 15-6543-2109', ['+5491165432109', '+541165432109']],
    ['+54 11 6543-2109', ['+541165432109', '+5491165432109']],
    ['351 512-3456', ['+543515123456', '+5493515123456']],
  ])('the Argentine number %j has forms with and without the 9, as written first', (written, forms) => {
    expect(phoneNumberForms(written, 'AR')).toEqual(forms);
  });

  it.each([
    ['+1 650 555 1212', '+16505551212'],
    // a toll-free number has no mobile form
    ['+54 800 555 1234', '+548005551234'],
  ])('the phone number %j has one form', (written, form) => {
    expect(phoneNumberForms(written, 'AR')).toEqual([form]);
    expect(onePhoneNumberForm(written, 'AR')).toBe(form);
  });

  it.each(['+54 9 11 6543-2109', '+54 11 6543-2109', '11 6543-2109'])(
    'the Argentine number %j is reduced to its mobile form for a platform that accepts one form',
    (written) => {
      expect(onePhoneNumberForm(written, 'AR')).toBe('+5491165432109');
    },
  );

  it('a phone number has the same forms however many others were parsed in between, and by country', () => {
    const before = formsByCountry();
    for (let number = 0; number < 1_500; number += 1) phoneNumberForms(`+1 650 555 ${1_000 + number}`, 'AR');
    expect(formsByCountry()).toEqual(before);
    expect(before).toEqual([['+541165432109', '+5491165432109'], []]);
  });
});
