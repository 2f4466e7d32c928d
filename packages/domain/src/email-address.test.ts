import { describe, expect, it } from 'vitest';
import { emailAddressSchema, emailKey } from './email-address.ts';

describe('e-mail address', () => {
  it.each(['a@b', 'Ana.Pérez+x@ejemplo.com.ar', '"odd"@example.com'])('accepts %s', (sent) => {
    expect(emailAddressSchema.parse(sent)).toBe(sent);
  });

  it.each(['ana', '@example.com', 'ana@', 'a@b@c', 'an a@example.com', 'ana@exam\u00a0ple.com'])(
    'refuses %j',
    (sent) => {
      expect(emailAddressSchema.safeParse(sent).success).toBe(false);
    },
  );

  it('is matched whatever its case, blanks around it and Unicode form', () => {
    expect(emailKey(' JOSE\u0301@Example.COM ')).toBe(emailKey('josé@example.com'));
  });
});
