import { describe, expect, it } from 'vitest';
import { emailAddressSchema, emailKey } from './fields.ts';

describe('email address', () => {
  it.each([
    'a@b',
    'Ana.Pérez+x@ejemplo.com.ar',
    '"odd"@example.com',
    "o'hara+tag@x.example",
    'a@[127.0.0.1]',
    '用户@例子.广告',
  ])('accepts the email address %s', (sent) => {
    expect(emailAddressSchema.parse(sent)).toBe(sent);
  });

  it.each(['ana', '@', '@example.com', 'ana@', 'a@b@c', 'an a@example.com', 'ana@exam\u00a0ple.com'])(
    'rejects the email address %j',
    (sent) => {
      expect(emailAddressSchema.safeParse(sent).success).toBe(false);
    },
  );

  it('matches email addresses regardless of case, surrounding spaces and Unicode form', () => {
    expect(emailKey(' JOSE\u0301@Example.COM ')).toBe(emailKey('josé@example.com'));
  });
});
