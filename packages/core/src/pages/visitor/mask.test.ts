import { describe, expect, it } from 'vitest';
import { maskEmail, maskName, maskPhone, shortenAddress } from './visitor-page.ts';

describe('what visitors see of their contact data', () => {
  it.each([
    ['ana@example.com', 'a***@e***.com'],
    ['a@b.co', 'a***@b***.co'],
    ['ana@correo.example.com.ar', 'a***@c***.ar'],
    ['ana@localhost', 'a***@l***'],
    ['ana', '***'],
    ['😀na@example.com', '😀***@e***.com'],
  ])('is of the email %s only %s', (email, seen) => {
    expect(maskEmail(email)).toBe(seen);
  });

  it.each([
    ['+54 9 11 2345-6712', '+54 *** 12'],
    ['011 2345-6712', '*** 12'],
    ['+5412', '***'],
    ['12345', '***'],
  ])('is of the phone number %s only %s', (phone, seen) => {
    expect(maskPhone(phone)).toBe(seen);
  });

  it.each([
    ['Ana García', 'A*** G***'],
    ['  Ana  ', 'A***'],
    ['李 小龙', '李*** 小***'],
  ])('is of the name %s only %s', (name, seen) => {
    expect(maskName(name)).toBe(seen);
  });

  it.each([
    ['203.0.113.7', '203.0.113.*'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:…'],
    ['2001:db8::7', '2001:db8:…'],
    ['::1', ':…'],
  ])('is of the IP address %s only %s', (address, seen) => {
    expect(shortenAddress(address)).toBe(seen);
  });
});
